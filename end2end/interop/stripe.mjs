// Stripe's own Node client against the sandbox.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import Stripe from "stripe";
import { Checks, SANDBOX, admin, eventually, refused } from "./checks.mjs";

const VERSION = "2026-10-28.endive";
const { StripeAuthenticationError, StripeCardError, StripeIdempotencyError } = Stripe.errors;
const { StripeInvalidRequestError, StripeRateLimitError, StripeSignatureVerificationError } = Stripe.errors;

function client(key = "sk_test_peer", more = {}) {
  const where = { host: SANDBOX.hostname, port: SANDBOX.port, protocol: "http" };
  return new Stripe(key, { ...where, apiVersion: VERSION, maxNetworkRetries: 0, telemetry: false, ...more });
}

const stripe = client();
const checks = new Checks(`stripe ${Stripe.PACKAGE_VERSION} (Node)`);
await admin("POST", "reset", { seed: 1 });

const customer = await checks.check("customers: create, at the pinned version", async () => {
  const made = await stripe.customers.create({ email: "Peer@example.com", name: "Peer", metadata: { contact: "003" } });
  assert.match(made.id, /^cus_/);
  assert.equal(made.metadata.contact, "003");
  assert.match(made.lastResponse.requestId, /^req_/);
  assert.equal(made.lastResponse.apiVersion, VERSION);
  return made.id;
});

await checks.check("customers: list by email, letter by letter, at once", async () => {
  const found = await stripe.customers.list({ email: "Peer@example.com" });
  assert.deepEqual(found.data.map((one) => one.id), [customer]);
  assert.equal((await stripe.customers.list({ email: "peer@example.com" })).data.length, 0);
});

await checks.check("customers: the search ignores the letter case, after a while", async () => {
  const found = () => stripe.customers.search({ query: 'email:"PEER@example.com"' }).then((list) => list.data.map((one) => one.id));
  assert.deepEqual(await eventually(async () => (await found()).length > 0 && found(), "the customer"), [customer]);
});

await checks.check("customers: retrieve, update, take metadata away", async () => {
  const changed = await stripe.customers.update(customer, { phone: "+15550100", metadata: { contact: "" } });
  assert.equal(changed.phone, "+15550100");
  assert.deepEqual((await stripe.customers.retrieve(customer)).metadata, {});
});

await checks.check("payment_methods: attach, list both ways, retrieve", async () => {
  const card = await stripe.paymentMethods.attach("pm_card_visa", { customer });
  assert.equal(card.customer, customer);
  const ids = async (list) => (await list).data.map((one) => one.id);
  assert.deepEqual(await ids(stripe.paymentMethods.list({ customer, type: "card" })), [card.id]);
  assert.deepEqual(await ids(stripe.customers.listPaymentMethods(customer)), [card.id]);
  assert.equal((await stripe.paymentMethods.retrieve(card.id)).card.last4, "4242");
});

const order = { amount: 25_000, currency: "usd", customer, allowed_payment_method_types: ["card"] };
const pay = (more, options) =>
  stripe.paymentIntents.create({ ...order, payment_method: "pm_card_visa", confirm: true, ...more }, options);

const paid = await checks.check("payment_intents: create and confirm in one call", async () => {
  const intent = await pay({ metadata: { operation_id: "exe_1" } });
  assert.deepEqual([intent.status, intent.amount_received, intent.object], ["succeeded", 25_000, "payment_intent"]);
  assert.match(intent.latest_charge, /^ch_/);
  return intent;
});

await checks.check("payment_intents: retrieve, its charge expanded", async () => {
  const intent = await stripe.paymentIntents.retrieve(paid.id, { expand: ["latest_charge", "customer"] });
  assert.deepEqual([intent.latest_charge.object, intent.latest_charge.paid], ["charge", true]);
  assert.equal(intent.customer.id, customer);
  assert.equal(intent.metadata.operation_id, "exe_1");
});

await checks.check("payment_intents: create, then confirm", async () => {
  const intent = await stripe.paymentIntents.create(order);
  assert.equal(intent.status, "requires_payment_method");
  const confirmed = await stripe.paymentIntents.confirm(intent.id, { payment_method: "pm_card_mastercard" });
  assert.equal(confirmed.status, "succeeded");
});

await checks.check("payment_intents: a removed parameter is refused by name", async () => {
  const code = "payment_method_types_no_longer_supported";
  const call = stripe.paymentIntents.create({ amount: 900, currency: "usd", payment_method_types: ["card"] });
  await refused(call, StripeInvalidRequestError, { statusCode: 400, code });
});

await checks.check("payment_intents: automatic methods want a return_url", async () => {
  const call = stripe.paymentIntents.create({ amount: 900, currency: "usd", payment_method: "pm_card_visa", confirm: true });
  await refused(call, StripeInvalidRequestError, { statusCode: 400 });
});

await checks.check("payment_intents: 3D Secure is an answer, and off session a decline", async () => {
  const three = { payment_method: "pm_card_authenticationRequired" };
  const intent = await pay({ ...three, return_url: "https://hotel.example/back" });
  assert.equal(intent.status, "requires_action");
  assert.equal(intent.next_action.redirect_to_url.return_url, "https://hotel.example/back");
  await refused(pay({ ...three, off_session: true }), StripeCardError, { code: "authentication_required" });
});

await checks.check("payment_intents: cancel, and not twice", async () => {
  const intent = await stripe.paymentIntents.create(order);
  const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: "abandoned" });
  assert.deepEqual([canceled.status, canceled.cancellation_reason], ["canceled", "abandoned"]);
  const expected = { code: "payment_intent_unexpected_state", statusCode: 400 };
  const error = await refused(stripe.paymentIntents.cancel(intent.id), StripeInvalidRequestError, expected);
  assert.equal(error.payment_intent.id, intent.id);
});

await checks.check("payment_intents: a hold is captured in part, once", async () => {
  const held = await pay({ capture_method: "manual", expand: ["latest_charge"] });
  assert.deepEqual([held.status, held.amount_capturable, held.amount_received], ["requires_capture", 25_000, 0]);
  assert.equal(held.latest_charge.payment_method_details.card.capture_before, held.created + 7 * 86_400);
  const captured = await stripe.paymentIntents.capture(held.id, { amount_to_capture: 20_000 });
  assert.deepEqual([captured.status, captured.amount_received, captured.amount_capturable], ["succeeded", 20_000, 0]);
  const expected = { code: "payment_intent_unexpected_state", statusCode: 400 };
  await refused(stripe.paymentIntents.capture(held.id), StripeInvalidRequestError, expected);
});

await checks.check("payment_intents: a canceled hold is not captured", async () => {
  const held = await pay({ capture_method: "manual" });
  assert.equal((await stripe.paymentIntents.cancel(held.id)).status, "canceled");
  const expected = { code: "payment_intent_unexpected_state", statusCode: 400 };
  await refused(stripe.paymentIntents.capture(held.id), StripeInvalidRequestError, expected);
});

await checks.check("a decline is a StripeCardError that names charge and intent", async () => {
  const card = "pm_card_visa_chargeDeclinedInsufficientFunds";
  const expected = { code: "card_declined", decline_code: "insufficient_funds", statusCode: 402, type: "StripeCardError" };
  const error = await refused(pay({ payment_method: card }), StripeCardError, expected);
  assert.equal(error.payment_intent.status, "requires_payment_method");
  assert.equal(error.payment_intent.last_payment_error.decline_code, "insufficient_funds");
  assert.match(error.charge, /^ch_/);
  assert.match(error.doc_url, /^https:/);
  assert.match(error.requestId, /^req_/);
});

await checks.check("idempotency: the same key again is the same payment, and says so", async () => {
  const options = { idempotencyKey: `peer-${Date.now()}` };
  const first = await pay({ amount: 700 }, options);
  const again = await pay({ amount: 700 }, options);
  assert.equal(again.id, first.id);
  assert.equal(first.lastResponse.headers["idempotent-replayed"], undefined);
  assert.equal(again.lastResponse.headers["idempotent-replayed"], "true");
  assert.equal(again.lastResponse.idempotencyKey, options.idempotencyKey);
  await refused(pay({ amount: 701 }, options), StripeIdempotencyError, { statusCode: 400 });
  const elsewhere = stripe.customers.create({ email: "a@example.com" }, options);
  await refused(elsewhere, StripeIdempotencyError, { statusCode: 400 });
});

await checks.check("idempotency: a decline is replayed too", async () => {
  const options = { idempotencyKey: `peer-decline-${Date.now()}` };
  const declined = () => refused(pay({ payment_method: "pm_card_chargeDeclined" }, options), StripeCardError, {});
  const [first, again] = [await declined(), await declined()];
  assert.equal(again.payment_intent.id, first.payment_intent.id);
  assert.equal(again.headers["idempotent-replayed"], "true");
});

await checks.check("the client's own retry after a lost answer pays once", async () => {
  const owner = await stripe.customers.create({ email: "lost@example.com" });
  await admin("POST", "faults", { system: "stripe", operation: "payment_intent_create", kind: "reset_after_effect" });
  const again = client("sk_test_peer", { maxNetworkRetries: 2 });
  const intent = await again.paymentIntents.create({ ...order, customer: owner.id, payment_method: "pm_card_visa", confirm: true });
  assert.equal(intent.status, "succeeded");
  const all = await stripe.paymentIntents.list({ customer: owner.id });
  assert.deepEqual(all.data.map((one) => one.id), [intent.id]);
});

await checks.check("lists: pages of their own accord, newest first, nothing twice", async () => {
  const owner = await stripe.customers.create({ email: "pages@example.com" });
  const made = [];
  for (let n = 0; n < 23; n += 1) made.unshift((await stripe.paymentIntents.create({ ...order, customer: owner.id })).id);
  const seen = [];
  for await (const intent of stripe.paymentIntents.list({ customer: owner.id, limit: 5 })) seen.push(intent.id);
  assert.deepEqual(seen, made);
  const back = await stripe.paymentIntents.list({ customer: owner.id, limit: 5, ending_before: made[10] });
  assert.deepEqual(back.data.map((one) => one.id), made.slice(5, 10));
  assert.equal(back.has_more, true);
  const until = await stripe.paymentIntents.list({ customer: owner.id, created: { gte: Math.floor(Date.now() / 1000) + 60 } });
  assert.equal(until.data.length, 0);
});

await checks.check("refunds: a part, retrieve, list, the rest, and no more", async () => {
  const part = await stripe.refunds.create({ payment_intent: paid.id, amount: 10_000, reason: "requested_by_customer" });
  assert.deepEqual([part.status, part.amount, part.payment_intent], ["succeeded", 10_000, paid.id]);
  assert.equal((await stripe.refunds.retrieve(part.id)).charge, paid.latest_charge);
  await refused(stripe.refunds.create({ payment_intent: paid.id, amount: 15_001 }), StripeInvalidRequestError, { statusCode: 400 });
  const rest = await stripe.refunds.create({ charge: paid.latest_charge });
  assert.equal(rest.amount, 15_000);
  const all = await stripe.refunds.list({ payment_intent: paid.id }).autoPagingToArray({ limit: 10 });
  assert.deepEqual(all.map((one) => one.id), [rest.id, part.id]);
  const more = stripe.refunds.create({ payment_intent: paid.id });
  await refused(more, StripeInvalidRequestError, { code: "charge_already_refunded" });
  const charge = await stripe.charges.retrieve(paid.latest_charge);
  assert.deepEqual([charge.refunded, charge.amount_refunded], [true, 25_000]);
  assert.equal((await stripe.paymentIntents.retrieve(paid.id)).status, "succeeded");
});

await checks.check("errors: unknown id, unknown parameter, wrong key, too many requests", async () => {
  const missing = { code: "resource_missing", statusCode: 404, param: "intent" };
  await refused(stripe.paymentIntents.retrieve("pi_nobody"), StripeInvalidRequestError, missing);
  const odd = stripe.customers.create({ emial: "x@example.com" });
  await refused(odd, StripeInvalidRequestError, { code: "parameter_unknown", param: "emial" });
  await refused(client("pk_test_wrong").customers.list(), StripeAuthenticationError, { statusCode: 401 });
  await admin("POST", "faults", { system: "stripe", operation: "customers", kind: "status", status: 429 });
  await refused(stripe.customers.list(), StripeRateLimitError, { statusCode: 429 });
});

const told = [];
const listener = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    told.push({ body: Buffer.concat(parts), signature: request.headers["stripe-signature"] });
    response.end("{}");
  });
});
await new Promise((done) => listener.listen(0, "127.0.0.1", done));

await checks.check("webhook_endpoints: create, hear of a payment, constructEvent", async () => {
  const url = `http://127.0.0.1:${listener.address().port}/webhooks`;
  const enabled_events = ["payment_intent.succeeded", "refund.created"];
  const endpoint = await stripe.webhookEndpoints.create({ url, enabled_events, api_version: VERSION });
  try {
    assert.match(endpoint.secret, /^whsec_/);
    assert.equal((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret, undefined);
    const key = `peer-hook-${Date.now()}`;
    const intent = await pay({ amount: 4_200 }, { idempotencyKey: key });
    const [{ body, signature }] = await eventually(() => told.length > 0 && told, "the event");
    const event = stripe.webhooks.constructEvent(body, signature, endpoint.secret);
    assert.deepEqual([event.type, event.data.object.id], ["payment_intent.succeeded", intent.id]);
    assert.deepEqual([event.api_version, event.request.idempotency_key], [VERSION, key]);
    assert.equal((await stripe.events.retrieve(event.id)).type, event.type);
    const forged = () => stripe.webhooks.constructEvent(body, signature, "whsec_other");
    assert.throws(forged, StripeSignatureVerificationError);
    const changed = () => stripe.webhooks.constructEvent(`${body} `, signature, endpoint.secret);
    assert.throws(changed, StripeSignatureVerificationError);
    await stripe.refunds.create({ payment_intent: intent.id });
    await eventually(() => told.length > 1, "the refund's event");
    const second = stripe.webhooks.constructEvent(told[1].body, told[1].signature, endpoint.secret);
    assert.deepEqual([second.type, second.data.object.object], ["refund.created", "refund"]);
  } finally {
    assert.equal((await stripe.webhookEndpoints.del(endpoint.id)).deleted, true);
  }
});

listener.close();
checks.end();
