// What we send to Stripe, what our sandbox answers in its place, and the options of pay.js, judged by the declarations of Stripe's own
// packages: `cargo xtask vendors`. The Rust tests write requests and answers, as object literals, into the folder that is the argument.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { compile } from "./compiler.mjs";

const [folder] = process.argv.slice(2);
const generated = (name) => readFileSync(join(folder, name), "utf8");
const page = readFileSync(fileURLToPath(new URL("../../public/pay.js", import.meta.url)), "utf8");

/** The languages of our pages: Stripe draws its field in the page's own. */
const languages = readdirSync(new URL("../../server/languages/locales", import.meta.url)).map((name) => `"${name.replace(".ftl", "")}"`);

/** The literals that pay.js gives to Stripe.js, word for word; what they name is declared as the page has it. */
function pageOptions() {
  const calls = { elements: [], create: [], createPaymentMethod: [] };
  const appearance = [];
  const source = ts.createSourceFile("pay.js", page, ts.ScriptTarget.ES2022, true);
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
      calls[node.expression.name.text]?.push(node.arguments.map((one) => one.getText()).join(", "));
    if (ts.isVariableDeclaration(node) && node.name.getText() === "appearance") appearance.push(node.initializer.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const [name, found] of Object.entries({ ...calls, appearance }))
    if (found.length !== 1) throw new Error(`pay.js: ${found.length} × ${name}, expected 1`);
  return `import type { Appearance, Stripe, StripeElements } from "@stripe/stripe-js";
export {};
declare const stripe: Stripe, elements: StripeElements, amount: string, currency: string;
declare const font: CSSStyleDeclaration, edge: string, ring: string, dark: boolean, theme: string | undefined;
declare const document: { documentElement: { lang: ${languages.join(" | ")} } };
declare function color(token: string): string;
const appearance: Appearance = ${appearance[0]};
const looks = () => appearance;
stripe.elements(${calls.elements[0]});
elements.create(${calls.create[0]});
stripe.createPaymentMethod(${calls.createPaymentMethod[0]});
`;
}

/** Removed, missing, wrong and unknown members: a compiler that takes these takes everything. */
const PROBES = `import Stripe from "stripe";
import type { Stripe as StripeJs } from "@stripe/stripe-js";
declare const stripe: StripeJs;
const order = { amount: 50, currency: "usd" };
// @ts-expect-error
export const removed: Stripe.PaymentIntentCreateParams = { ...order, payment_method_types: ["card"] };
// @ts-expect-error
export const missing: Stripe.PaymentIntentCreateParams = { amount: 50 };
// @ts-expect-error
export const wrong: Stripe.PaymentIntentCreateParams = { amount: "50", currency: "usd" };
// @ts-expect-error
export const unknown: Stripe.CustomerCreateParams = { emial: "a@example.com" };
// @ts-expect-error
stripe.elements({ mode: "payment", amount: 50, currency: "usd", paymentMethodTypes: ["card"] });
`;

const { faults } = compile({
  "stripe-requests.ts": generated("stripe-requests.ts"),
  "stripe-answers.ts": generated("stripe-answers.ts"),
  "pay-options.ts": pageOptions(),
  "probes.ts": PROBES,
});
const train = page.match(/https:\/\/js\.stripe\.com\/(\w+)\/stripe\.js/)?.[1];
const script = readFileSync(new URL("../node_modules/@stripe/stripe-js/dist/pure.mjs", import.meta.url), "utf8");
if (!script.includes(`RELEASE_TRAIN = '${train}'`)) faults.push(`pay.js: Stripe.js ${train} is not the one that Stripe's package loads`);
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
