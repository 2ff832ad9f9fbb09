// Every form of our requests to a model, judged by the declarations of OpenAI's own package: `cargo xtask vendors`. A Rust test writes
// them, as object literals, into the folder that is the argument.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "./compiler.mjs";

const [folder] = process.argv.slice(2);

/** Removed, missing, wrong and unknown members: a compiler that takes these takes everything. */
const PROBES = `import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
const chat = { model: "m", messages: [], stream: true } as const;
const response = { model: "m", input: [], stream: true } as const;
// @ts-expect-error
export const removed: ChatCompletionCreateParamsStreaming = { ...chat, best_of: 2 };
// @ts-expect-error
export const missing: ChatCompletionCreateParamsStreaming = { model: "m", stream: true };
// @ts-expect-error
export const wrong: ChatCompletionCreateParamsStreaming = { ...chat, max_completion_tokens: "1500" };
// @ts-expect-error
export const unknown: ResponseCreateParamsStreaming = { ...response, max_completion_tokens: 1500 };
// @ts-expect-error
export const strict: ResponseCreateParamsStreaming = { ...response, tools: [{ type: "function", name: "f", parameters: {} }] };
`;

const { faults } = compile({
  "openai-requests.ts": readFileSync(join(folder, "openai-requests.ts"), "utf8"),
  "probes.ts": PROBES,
});
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
