// The parameters that Twilio takes for messages, read from the declarations of its own client and from the names it sends them by:
// server/sandbox/src/twilio/vendor_params.json. `cargo xtask vendors` compares the file with the declarations; --write writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { compile } from "./compiler.mjs";

const FILE = fileURLToPath(new URL("../../server/sandbox/src/twilio/vendor_params.json", import.meta.url));
const MODULE = "twilio/lib/rest/api/v2010/account/message";
const ENDPOINTS = { "POST Messages": "MessageListInstanceCreateOptions", "GET Messages": "MessageListInstancePageOptions" };

const source = Object.values(ENDPOINTS).map((type, n) => `export type P${n} = import("${MODULE}").${type};`).join("\n");
const { program, faults, path } = compile({ "twilio-probe.ts": source });
if (faults.length > 0) throw new Error(faults.join("\n"));
const checker = program.getTypeChecker();
const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path("twilio-probe.ts"))));
const client = readFileSync(createRequire(import.meta.url).resolve(MODULE), "utf8");

/** Wire name of a declared parameter, as the client's own code writes it: `data["DateSent<"] = … params["dateSentBefore"]`. */
function wireName(declared) {
  const line = client.split("\n").find((one) => one.includes("data[") && one.includes(`params["${declared}"]`));
  const name = line?.match(/data\["([^"]+)"\]/)?.[1];
  if (name) return name;
  const paging = { pageNumber: "Page", pageToken: "PageToken" }[declared];
  if (!paging) throw new Error(`${declared}: the client sends no such parameter`);
  return paging;
}

const table = Object.keys(ENDPOINTS).map((endpoint, n) => {
  const type = checker.getDeclaredTypeOfSymbol(exported.find((one) => one.name === `P${n}`));
  return [endpoint, type.getProperties().map((one) => wireName(one.name)).sort()];
});
const text = `${JSON.stringify(Object.fromEntries(table), null, 2)}\n`;

if (process.argv.includes("--write")) writeFileSync(FILE, text);
else if (readFileSync(FILE, "utf8") !== text) {
  console.error("The sandbox's table of Twilio's parameters differs from Twilio's declarations: node end2end/vendors/twilio-params.mjs --write");
  process.exit(1);
}
