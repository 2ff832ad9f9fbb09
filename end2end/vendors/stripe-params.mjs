// The parameters that Stripe takes at each endpoint that the sandbox simulates, read from the declarations of its own client:
// server/sandbox/src/stripe/vendor_params.json. `cargo xtask vendors` compares the file with the declarations; --write writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { compile } from "./compiler.mjs";

const FILE = fileURLToPath(new URL("../../server/sandbox/src/stripe/vendor_params.json", import.meta.url));
const ENDPOINTS = {
  "GET account": "AccountRetrieveCurrentParams",
  "POST customers": "CustomerCreateParams",
  "GET customers": "CustomerListParams",
  "GET customers/search": "CustomerSearchParams",
  "GET customers/:id": "CustomerRetrieveParams",
  "POST customers/:id": "CustomerUpdateParams",
  "GET customers/:id/payment_methods": "CustomerListPaymentMethodsParams",
  "GET customers/:id/payment_methods/:id": "CustomerRetrievePaymentMethodParams",
  "GET payment_methods": "PaymentMethodListParams",
  "GET payment_methods/:id": "PaymentMethodRetrieveParams",
  "POST payment_methods/:id/attach": "PaymentMethodAttachParams",
  "POST payment_intents": "PaymentIntentCreateParams",
  "GET payment_intents": "PaymentIntentListParams",
  "GET payment_intents/:id": "PaymentIntentRetrieveParams",
  "POST payment_intents/:id/confirm": "PaymentIntentConfirmParams",
  "POST payment_intents/:id/cancel": "PaymentIntentCancelParams",
  "POST payment_intents/:id/capture": "PaymentIntentCaptureParams",
  "GET charges/:id": "ChargeRetrieveParams",
  "GET disputes": "DisputeListParams",
  "GET disputes/:id": "DisputeRetrieveParams",
  "POST refunds": "RefundCreateParams",
  "GET refunds": "RefundListParams",
  "GET refunds/:id": "RefundRetrieveParams",
  "POST webhook_endpoints": "WebhookEndpointCreateParams",
  "GET webhook_endpoints": "WebhookEndpointListParams",
  "GET webhook_endpoints/:id": "WebhookEndpointRetrieveParams",
  "DELETE webhook_endpoints/:id": "WebhookEndpointDeleteParams",
  "GET events": "EventListParams",
  "GET events/:id": "EventRetrieveParams",
};

const source = [
  'import Stripe from "stripe";',
  ...Object.values(ENDPOINTS).map((type, n) => `export type P${n} = Stripe.${type};`),
  "export type Events = Stripe.WebhookEndpointCreateParams.EnabledEvent;",
].join("\n");
const { program, faults, path } = compile({ "params-probe.ts": source });
if (faults.length > 0) throw new Error(faults.join("\n"));
const checker = program.getTypeChecker();
const declared = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path("params-probe.ts")))).map((one) => [one.name, one]),
);
const type = (name) => checker.getDeclaredTypeOfSymbol(declared.get(name));
const parts = (of) => (of.isUnion() ? of.types : [of]).filter((one) => !(one.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));

/** Names inside a parameter: of an object all, of a map any ("*"), of anything else none. */
function inside(of) {
  const names = new Set();
  for (const part of parts(of)) {
    if (!(part.flags & ts.TypeFlags.Object) || checker.isArrayType(part)) continue;
    if (part.getStringIndexType()) return ["*"];
    for (const one of part.getProperties()) names.add(one.name);
  }
  return [...names].sort();
}

function parameters(of) {
  const all = parts(of).flatMap((part) => part.getProperties());
  const rows = all.map((one) => [one.name, inside(checker.getTypeOfSymbol(one))]);
  return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const table = Object.fromEntries(Object.keys(ENDPOINTS).map((endpoint, n) => [endpoint, parameters(type(`P${n}`))]));
table.events = parts(type("Events")).map((one) => one.value).filter((name) => typeof name === "string").sort();
const lines = Object.entries(table).map(([name, of]) => {
  const rows = Array.isArray(of)
    ? of.map((one) => `    ${JSON.stringify(one)}`)
    : Object.entries(of).map(([one, within]) => `    ${JSON.stringify(one)}: ${JSON.stringify(within)}`);
  const [open, close] = Array.isArray(of) ? "[]" : "{}";
  return `  ${JSON.stringify(name)}: ${rows.length === 0 ? open + close : `${open}\n${rows.join(",\n")}\n  ${close}`}`;
});
const text = `{\n${lines.join(",\n")}\n}\n`;

if (process.argv.includes("--write")) writeFileSync(FILE, text);
else if (readFileSync(FILE, "utf8") !== text) {
  console.error("The sandbox's table of Stripe's parameters differs from Stripe's declarations: node end2end/vendors/stripe-params.mjs --write");
  process.exit(1);
}
