// What we send to Twilio, what our sandbox answers and reports in its place, judged by Twilio's own package: `cargo xtask vendors`. The Rust
// tests write requests, answers and callbacks into the folder that is the argument. --write writes signatures that our server must accept.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import twilio from "twilio";
import { compile } from "./compiler.mjs";

const SIGNATURES = fileURLToPath(new URL("twilio-signatures.json", import.meta.url));
const folder = process.argv.slice(2).find((one) => !one.startsWith("--"));
const generated = (name) => readFileSync(join(folder, name), "utf8");
const MESSAGE = "twilio/lib/rest/api/v2010/account/message";

/** Form fields as a web server hands them to the vendor's check: a repeated name has a list. */
function fields(body) {
  const read = {};
  for (const [name, value] of new URLSearchParams(body)) {
    if (name in read) read[name] = [read[name], value].flat();
    else read[name] = value;
  }
  return read;
}

/** Callbacks as Twilio may send them: new parameters, scripts, empty and repeated values, ports. The first is its documentation's example. */
const example = "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
const signed = [
  ["12345", "https://mycompany.com/myapp.php?foo=1&bar=2", example],
  ["t0ken", "https://hotel.example/webhooks/twilio", "MessageSid=SM1&MessageStatus=delivered&To=%2B12125550101&RawDlrDoneDate=2611271200"],
  ["t0ken", "https://hotel.example/webhooks/twilio", "To=%2B12125550101&MessageStatus=undelivered&ErrorCode=30003&MessageSid=SM1&ErrorMessage="],
  ["t0ken", "https://hotel.example:8443/webhooks/twilio", "MessageSid=SM1&MessageStatus=sent"],
  ["t0ken", "https://hotel.example:443/webhooks/twilio", "MessageSid=SM1&MessageStatus=sent"],
  ["t0ken", "http://hotel.example/webhooks/twilio", "MessageSid=SM1&MessageStatus=failed&a=1&A=2&_=3&%C3%A4=%F0%9F%9B%8E+%26+100%25"],
  ["t0ken", "https://hotel.example/webhooks/twilio", "Body=one+two%2Bthree&Body=four&Body=four&Channel=b&Channel=a"],
  ["", "https://hotel.example/", ""],
  ["\u00e4\u00f6", "https://xn--hl-fka.example/webhooks/twilio", "MessageSid=SM1&MessageStatus=read"],
];
const vectors = signed.map(([token, url, body]) => ({ token, url, body, signature: twilio.getExpectedTwilioSignature(token, url, fields(body)) }));
const text = `${JSON.stringify(vectors, null, 2)}\n`;
if (process.argv.includes("--write")) {
  writeFileSync(SIGNATURES, text);
  process.exit(0);
}
const faults = [];
if (readFileSync(SIGNATURES, "utf8") !== text) faults.push("twilio-signatures.json is not what Twilio's client signs: node end2end/vendors/twilio.mjs --write");

/** Twilio's rows as they are on the wire: dates are text, and some members have no value yet. */
const WIRE = `import type { MessageInstance, MessageStatus as Status } from "${MESSAGE}";
import type { IncomingPhoneNumberInstance } from "twilio/lib/rest/api/v2010/account/incomingPhoneNumber";
import type { ShortCodeInstance } from "twilio/lib/rest/api/v2010/account/shortCode";
import type { ServiceInstance } from "twilio/lib/rest/messaging/v1/service";
export type MessageStatus = Status;
type Row<T extends abstract new (...given: any[]) => unknown> = ConstructorParameters<T>[1];
type Wire<T, Null extends keyof T> = { [K in keyof T]: (T[K] extends Date ? string : T[K]) | (K extends Null ? null : never) };
type Paging = "first_page_uri" | "page" | "page_size" | "uri";
export interface Answers {
  Message: Wire<Row<typeof MessageInstance>, "date_sent" | "error_code" | "error_message" | "from" | "messaging_service_sid" | "price">;
  IncomingPhoneNumber: Wire<Row<typeof IncomingPhoneNumberInstance>, "address_sid" | "bundle_sid" | "emergency_address_sid" | "identity_sid" | "trunk_sid" | "voice_fallback_url" | "voice_url">;
  ShortCode: Wire<Row<typeof ShortCodeInstance>, never>;
  Service: Wire<Row<typeof ServiceInstance>, "fallback_url" | "inbound_request_url" | "status_callback">;
  Page: { [K in Paging]: import("twilio/lib/base/Page").TwilioResponsePayload[K] } & { next_page_uri: string | null; previous_page_uri: string | null; start: number; end: number };
}
`;

/** Unknown, missing and wrong members: a compiler that takes these takes everything. */
const PROBES = `import type { MessageListInstanceCreateOptions, MessageListInstancePageOptions } from "${MESSAGE}";
import type { Answers, MessageStatus } from "./twilio-wire.ts";
declare const row: Answers["Message"];
// @ts-expect-error
export const unknown: MessageListInstanceCreateOptions = { to: "+1", statusCallBack: "https://hotel.example" };
// @ts-expect-error
export const missing: MessageListInstanceCreateOptions = { from: "+1" };
// @ts-expect-error
export const wrong: MessageListInstanceCreateOptions = { to: "+1", validityPeriod: "600" };
// @ts-expect-error
export const removed: MessageListInstancePageOptions = { sentAfter: "2026-03-10" };
// @ts-expect-error
export const member: Answers["Message"] = { ...row, delivered: true };
// @ts-expect-error
export const status: MessageStatus = "bounced";
`;

faults.push(
  ...compile({
    "twilio-wire.ts": WIRE,
    "twilio-requests.ts": generated("twilio-requests.ts"),
    "twilio-answers.ts": generated("twilio-answers.ts"),
    "twilio-probes.ts": PROBES,
  }).faults,
);
const callbacks = JSON.parse(generated("twilio-callbacks.json"));
if (callbacks.length === 0) faults.push("the sandbox has sent no callback");
for (const { token, url, signature, body } of callbacks) {
  if (!twilio.validateRequest(token, signature, url, fields(body))) faults.push(`Twilio's client refuses the signature of ${body}`);
  if (twilio.validateRequest(token, signature, url, { ...fields(body), Changed: "1" })) faults.push("Twilio's client takes any signature");
}
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
