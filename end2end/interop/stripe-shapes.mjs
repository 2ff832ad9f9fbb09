// The sandbox's Stripe objects against what Stripe's Node client declares: what it does not call optional must be there,
// what is there must be of its type, and what it does not know must not be there. TypeScript is the judge.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Stripe from "stripe";
import ts from "typescript";
import { Checks, SANDBOX, admin } from "./checks.mjs";

const where = { host: SANDBOX.hostname, port: SANDBOX.port, protocol: "http" };
const stripe = new Stripe("sk_test_peer", { ...where, apiVersion: "2026-10-28.endive", telemetry: false });
const checks = new Checks(`stripe ${Stripe.PACKAGE_VERSION} (Node), its declarations`);
await admin("POST", "reset", { seed: 1 });

const customer = await stripe.customers.create({ email: "shapes@example.com" });
const method = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
const order = { amount: 5_000, currency: "usd", customer: customer.id, payment_method_types: ["card"] };
const pay = (more) => stripe.paymentIntents.create({ ...order, payment_method: method.id, confirm: true, ...more });
const paid = await pay({ expand: ["latest_charge"] });
const refusal = await pay({ payment_method: "pm_card_chargeDeclined" }).catch((error) => error);
await pay({ payment_method: "pm_card_createDispute" });
const waiting = await pay({ payment_method: "pm_card_authenticationRequired", return_url: "https://hotel.example" });
const canceled = await stripe.paymentIntents.cancel((await stripe.paymentIntents.create(order)).id);
const endpoint = await stripe.webhookEndpoints.create({ url: "http://127.0.0.1:9/none", enabled_events: ["*"] });
await stripe.webhookEndpoints.del(endpoint.id);
const events = (type) => stripe.events.list({ type, limit: 1 }).then((list) => list.data[0]);

const found = [
  ["Customer", "a customer", customer],
  ["PaymentMethod", "a card", method],
  ["PaymentIntent", "a payment that succeeded", paid],
  ["PaymentIntent", "a payment that was declined", await stripe.paymentIntents.retrieve(refusal.payment_intent.id)],
  ["PaymentIntent", "a payment that waits for the bank", waiting],
  ["PaymentIntent", "a payment that was canceled", canceled],
  ["Charge", "a charge", await stripe.charges.retrieve(paid.latest_charge.id)],
  ["Charge", "a charge that failed", await stripe.charges.retrieve(refusal.charge)],
  ["Refund", "a refund", await stripe.refunds.create({ payment_intent: paid.id })],
  ["Dispute", "a dispute", (await stripe.disputes.list()).data[0]],
  ["WebhookEndpoint", "a webhook endpoint", endpoint],
  ["Event", "an event about a payment", await events("payment_intent.succeeded")],
  ["Event", "an event about a refund", await events("refund.created")],
];

/** What the compiler has against each object literal where its type is expected; one run for all, for a run is slow. */
function faults(objects) {
  const file = fileURLToPath(new URL("./shapes.ts", import.meta.url));
  const declared = ([type, , object], n) =>
    `export const of${n}: Omit<Stripe.${type}, "lastResponse"> = ${JSON.stringify(object ?? null, null, 1)};\n`;
  const parts = ['import Stripe from "stripe";\n', ...objects.map(declared)];
  writeFileSync(file, parts.join(""));
  const node = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
  const options = { ...node, target: ts.ScriptTarget.ES2022, strict: true, skipLibCheck: true, noEmit: true, types: [] };
  const told = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
  rmSync(file);
  const differ = objects.map(() => []);
  for (const one of told) {
    let [n, at] = [-1, one.start - parts[0].length];
    while (at >= 0) at -= parts[(n += 1) + 1].length;
    differ[n].push(ts.flattenDiagnosticMessageText(one.messageText, " "));
  }
  return differ;
}

const { email, ...missing } = customer;
const broken = [missing, { ...customer, created: "today" }, { ...customer, emial: email }];
const differ = faults([...found, ...broken.map((object) => ["Customer", "", object])]);
for (const [n, [type, what]] of found.entries()) {
  await checks.check(`${what}, as Stripe.${type} declares it`, () => assert.equal(differ[n].join("; "), ""));
}
await checks.check("what is missing, wrong or unknown would be seen", () => {
  for (const told of differ.slice(found.length)) assert.equal(told.length, 1);
});
checks.end();
