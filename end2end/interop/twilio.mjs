// Twilio's own Node client against the sandbox.
import assert from "node:assert/strict";
import twilio from "twilio";
import { Checks, SANDBOX, admin, eventually, refused } from "./checks.mjs";

const ACCOUNT = `AC${"0".repeat(32)}`;
const FROM = "+12125550190";

function client(token = "sandbox") {
  const made = twilio(ACCOUNT, token);
  made.api.baseUrl = SANDBOX.origin;
  return made;
}

const texts = client();
const { RestException } = twilio;
const checks = new Checks("twilio (Node)");
await admin("POST", "reset", { seed: 1 });

const to = "+12125550122";
const sent = await checks.check("messages: create", async () => {
  const message = await texts.messages.create({ to, from: FROM, body: "Your room is ready. (ref 1)" });
  assert.match(message.sid, /^SM[0-9a-f]{32}$/);
  assert.deepEqual([message.status, message.to, message.from, message.direction], ["queued", to, FROM, "outbound-api"]);
  assert.equal(message.errorCode, null);
  assert.ok(message.dateCreated instanceof Date && !Number.isNaN(message.dateCreated.getTime()), "dateCreated is no date");
  assert.equal(message.numSegments, "1");
  return message.sid;
});

await checks.check("messages: fetch until it is delivered", async () => {
  const delivered = await eventually(async () => {
    const message = await texts.messages(sent).fetch();
    return message.status === "delivered" && message;
  }, "the delivery");
  assert.ok(delivered.dateSent instanceof Date);
});

await checks.check("messages: list by recipient and day", async () => {
  const found = await texts.messages.list({ to, dateSentAfter: new Date(Date.now() - 86_400_000) });
  assert.deepEqual(found.map((message) => message.sid), [sent]);
  assert.equal((await texts.messages.list({ to, dateSentBefore: new Date(Date.now() - 2 * 86_400_000) })).length, 0);
});

await checks.check("messages: list goes from page to page", async () => {
  const other = "+12125550133";
  const made = [];
  for (let n = 0; n < 7; n += 1) made.unshift((await texts.messages.create({ to: other, from: FROM, body: `${n}` })).sid);
  assert.deepEqual((await texts.messages.list({ to: other, pageSize: 3 })).map((one) => one.sid), made);
  assert.deepEqual((await texts.messages.list({ to: other, pageSize: 3, limit: 4 })).map((one) => one.sid), made.slice(0, 4));
});

await checks.check("the same message twice is two messages: there are no idempotency keys", async () => {
  const again = await texts.messages.create({ to, from: FROM, body: "Your room is ready. (ref 1)" });
  assert.notEqual(again.sid, sent);
});

for (const [what, order, code] of [
  ["a number that is none", { to: "+15005550001", from: FROM, body: "x" }, 21211],
  ["who wants no texts", { to: "+15005550004", from: FROM, body: "x" }, 21610],
  ["a landline", { to: "+15005550009", from: FROM, body: "x" }, 21614],
  ["a sender that is not ours", { to, from: "+12125550166", body: "x" }, 21659],
  ["no words", { to, from: FROM }, 21602],
]) {
  await checks.check(`refused as ${code}: ${what}`, async () => {
    await refused(texts.messages.create(order), RestException, { status: 400, code });
  });
}

await checks.check("refused: an unknown message (20404), a wrong account (20003), too fast (20429)", async () => {
  await refused(texts.messages(`SM${"0".repeat(32)}`).fetch(), RestException, { status: 404, code: 20404 });
  const stranger = twilio(ACCOUNT, "sandbox", { accountSid: `AC${"1".repeat(32)}` });
  stranger.api.baseUrl = SANDBOX.origin;
  await refused(stranger.messages.list(), RestException, { status: 401, code: 20003 });
  await admin("POST", "faults", { system: "twilio", operation: "message_create", kind: "status", status: 429 });
  await refused(texts.messages.create({ to, from: FROM, body: "x" }), RestException, { status: 429, code: 20429 });
});

checks.end();
