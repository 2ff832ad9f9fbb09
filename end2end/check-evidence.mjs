// Checks an evidence file, JSON or page, without any code of the hotel's:
//
//   node check-evidence.mjs FILE...
//
// - every digest of the journal and every hash of the state changes is computed again,
// - every request and answer is compared with the journal row that it is said to come from,
// - the sums are computed again from what Stripe answered,
// - ids and times at the top must stand in the journal.
//
// What no digest covers is named: words, the input, the answer, and whether rows are missing at the end.
//
// Ends with 1 and says what is wrong if anything is.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const FORMAT = "dewy-evidence/1";
const UNPROVEN = "No digest covers the titles, the summary, the people, the input, the words of the answer, and rows after the last one.";
const SETTLED_BADLY = ["failed", "canceled"];

class Wrong extends Error {}
const must = (holds, words) => {
  if (!holds) throw new Wrong(words);
};

/** The evidence of a JSON file, or inside of a page. */
function read(file) {
  const text = readFileSync(file, "utf8");
  if (!text.trimStart().startsWith("<")) return JSON.parse(text);
  const inside = /<script type="application\/json" id="evidence">(.*?)<\/script>/s.exec(text);
  must(inside, "the page holds no evidence");
  return JSON.parse(inside[1]);
}

const eight = (number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(number));
  return bytes;
};

/** A text with its length before it. */
const measured = (text) => {
  const bytes = Buffer.from(text);
  return Buffer.concat([eight(bytes.length), bytes]);
};

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest("hex");

/** The time as text and in microseconds must be one. */
function sameTime(row, what) {
  must(Math.floor(row.at_us / 1000) === Date.parse(row.at), `${what}: its time is told twice, differently`);
}

function checkJournal({ execution_id, journal }) {
  must(/^exe_[0-9a-f]{32}$/.test(execution_id), "the execution's id is not one");
  const id = Buffer.from(execution_id.slice(4), "hex");
  let before = "";
  let withheld = 0;
  journal.forEach((row, n) => {
    const what = `journal row ${row.seq}`;
    must(row.seq === n + 1, `journal row ${n + 1} is missing`);
    sameTime(row, what);
    if (row.withheld) {
      withheld += 1;
      must(row.event.includes("(withheld)"), `${what}: nothing is withheld`);
    } else {
      const digest = sha256(id, Buffer.from(before), eight(row.seq), eight(row.at_us), Buffer.from(row.event));
      must(digest === row.digest, `${what} was changed`);
    }
    before = row.digest;
  });
  return { id, withheld };
}

function checkAudit({ audit, journal }, id) {
  let [before, state] = ["", null];
  for (const row of audit) {
    const what = `state change at ${row.seq}`;
    must(row.from === state, `${what}: it does not follow from ${state}`);
    must(row.journal === journal[row.seq - 1]?.digest, `${what}: it belongs to another journal`);
    sameTime(row, what);
    const texts = [before, row.actor, row.from ?? "-", row.to, row.journal].map(measured);
    must(sha256(id, ...texts, eight(row.seq), eight(row.at_us)) === row.hash, `${what} was changed`);
    [before, state] = [row.hash, row.to];
  }
  return state;
}

/** Requests and answers must say what the journal says, and leave none out. */
function checkRequests({ requests, journal }) {
  const events = journal.map((row) => JSON.parse(row.event));
  const told = (which) => events.flatMap((event, n) => (event.event === which ? [n + 1] : []));
  const sent = requests.map((request) => request.seq);
  must(String(sent) === String(told("intended")), "requests are missing or made up");
  const answered = requests.flatMap((request) => request.answers.map((answer) => answer.seq)).sort((a, b) => a - b);
  must(String(answered) === String(told("settled")), "answers are missing or made up");
  for (const request of requests) {
    const { step, way, request: stored } = events[request.seq - 1];
    must(request.step === step, `request ${request.seq}: its step is another one`);
    const { call } = stored.payload;
    for (const name of ["system", "method", "path"]) {
      must(request[name] === (call?.[name] ?? ""), `request ${request.seq}: its ${name} is another one`);
    }
    must(request.body === (call?.body ?? ""), `request ${request.seq}: its body is another one`);
    must((request.key ?? null) === (stored.key ?? null), `request ${request.seq}: its key is another one`);
    must(request.at === journal[request.seq - 1].at, `request ${request.seq}: its time is another one`);
    for (const answer of request.answers) {
      const event = events[answer.seq - 1];
      must(answer.at === journal[answer.seq - 1].at, `answer ${answer.seq}: its time is another one`);
      must(answer.looked_up === Boolean(event.looked), `answer ${answer.seq}: how it was learned is told wrong`);
      must(event.step === step && event.way === way, `answer ${answer.seq} belongs to another request`);
      must(sorted(event.outcome) === sorted(answer.outcome), `answer ${answer.seq} is another one`);
    }
  }
  return events;
}

/** As text, with the names in order. */
const sorted = (value) =>
  JSON.stringify(value, (_, one) =>
    one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort()) : one,
  );

/** Charged and given back, from the payments and refunds that Stripe answered with. */
function checkSums({ sums }, events) {
  const payments = new Map();
  const refunds = new Map();
  let givenBack = 0;
  const visit = (value) => {
    if (!value || typeof value !== "object") return;
    if (/^pi_/.test(value.id ?? "") && "received" in value) payments.set(value.id, value);
    if (/^re_/.test(value.id ?? "") && "amount" in value) refunds.set(value.id, value);
    if (Number.isInteger(value.given_back)) givenBack = Math.max(givenBack, value.given_back);
    for (const one of Object.values(value)) visit(one);
  };
  for (const event of events) visit(event.outcome?.value ?? event.why ?? event.facts ?? event.found);
  const sum = (amounts) => amounts.reduce((all, one) => all + one, 0);
  const charged = sum([...payments.values()].map((payment) => payment.received));
  const effective = [...refunds.values()].filter((refund) => !SETTLED_BADLY.includes(refund.status));
  const refunded = Math.max(givenBack, sum(effective.map((refund) => refund.amount)));
  if (!sums) return must(charged === 0 && refunded === 0, "money moved, and no sums are told");
  const currencies = [...payments.values()].map((payment) => payment.currency);
  must(currencies.every((currency) => currency === sums.currency), `its currency is told as ${sums.currency}`);
  must(sums.charged === charged, `charged: ${sums.charged} is told, Stripe answered ${charged}`);
  must(sums.refunded === refunded, `given back: ${sums.refunded} is told, Stripe answered ${refunded}`);
  must(sums.kept === charged - refunded, "what was kept is not the difference");
}

/** Ids and times that are told at the top. */
function checkHead({ journal, ids, booking_number, room_number, answered, created_at, made_at }) {
  const rows = journal.map((row) => row.event).join("\n");
  const told = answered?.details ?? answered?.data ?? {};
  const ofAnswer = [told.booking_number, told.room_number, told.payment_intent_id, told.refund_id];
  const named = [booking_number, room_number, ...ofAnswer, ...ids.map(([, id]) => id)];
  for (const name of named.filter(Boolean)) must(rows.includes(JSON.stringify(name)), `${name} is not in the journal`);
  must(created_at === journal[0]?.at, "it was not asked for when the journal begins");
  must(Date.parse(made_at) >= Date.parse(journal.at(-1).at), "it was made before the journal's last row");
}

function check(file) {
  const evidence = read(file);
  must(evidence.format === FORMAT, `its format is ${evidence.format}, not ${FORMAT}`);
  const { id, withheld } = checkJournal(evidence);
  const state = checkAudit(evidence, id);
  must(state === evidence.state, `its state is told as ${evidence.state}, and is ${state}`);
  checkSums(evidence, checkRequests(evidence));
  checkHead(evidence);
  const hidden = withheld ? `, ${withheld} with a secret withheld` : "";
  return `${evidence.journal.length} journal rows${hidden}, ${evidence.audit.length} state changes, ${evidence.requests.length} requests; the sums agree.\n  ${UNPROVEN}`;
}

let failed = process.argv.length < 3;
for (const file of process.argv.slice(2)) {
  try {
    console.log(`${file}: ${check(file)}`);
  } catch (error) {
    failed = true;
    console.error(`${file}: ${error instanceof Wrong ? error.message : `can't be read: ${error.message}`}`);
  }
}
if (failed) process.exitCode = 1;
