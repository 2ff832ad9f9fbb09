// TypeScript, on files that are only in memory; they stand in this folder, so that they find the vendors' packages.
import { fileURLToPath } from "node:url";
import ts from "typescript";

const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: [],
};

/** A program of these files, by name, and what the compiler has against them: each as `name:line: message`. */
export function compile(files) {
  const texts = new Map(Object.entries(files).map(([name, text]) => [fileURLToPath(new URL(name, import.meta.url)), text]));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) =>
    texts.has(name) ? ts.createSourceFile(name, texts.get(name), ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  const program = ts.createProgram([...texts.keys()], options, host);
  const faults = ts.getPreEmitDiagnostics(program).map((one) => {
    const line = one.file ? one.file.getLineAndCharacterOfPosition(one.start).line + 1 : 0;
    const name = one.file?.fileName.split("/").pop() ?? "";
    return `${name}:${line}: ${ts.flattenDiagnosticMessageText(one.messageText, " ")}`;
  });
  return { program, faults, path: (name) => fileURLToPath(new URL(name, import.meta.url)) };
}
