// What screen readers are told of every page, against stored files: a change that nobody meant is seen, wherever it is.
// `ARIA=write cargo xtask e2e tests/aria.spec.ts` writes them anew, for the eye of whoever commits them, and with them the pictures of
// README and TOUR: what a picture shows can't change without its file here.
import { expect, type Page, type TestInfo } from "@playwright/test";
import { expectAriaSnapshot, template } from "../aria.js";
import { test } from "../test-hotel.js";
import { arriving, checkedIn, crew, frontDesk, signedOut, type Pages } from "../page-list.js";
import { pay, signIn, signInToday } from "../actions.js";

test.use({ own: "aria" });
test.skip(({ javaScriptEnabled, colorScheme }) => !javaScriptEnabled || colorScheme !== "light", "the accessibility tree is the same in all looks");

const WHOLE = ["welcome", "guest-home", "today", "housekeeping-today", "maintenance-today"];

/** Parts that tell what happened just now, and the rest of what is long and all alike. */
const LEFT_OUT: Record<string, string> = {
  audit: "main tbody",
  compensations: ".sweep p, main svg text",
  // How often a request is sent, and how a system does, depends on the machine
  "record-compensated": ".tries, details.raw",
  systems: "main .systems :is(.pill, p, dl)",
  today: "main svg text",
  tape: ".tape thead th[data-day] > *, .tape tbody tr:nth-child(n + 9)",
};

const PICTURES = ["today", "record-compensated", "concierge-proposals"];

async function picture(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.ARIA === "write") await page.screenshot({ path: `pictures/${name}.png`, fullPage });
}

async function walk(page: Page, info: TestInfo, pages: Pages): Promise<void> {
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path);
    await look(page, info, name);
  }
}

/** A page that listens says so before it is looked at. */
async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  if (await page.locator("main[data-events]").count()) {
    await expect(page.locator(".connection[data-state=open]")).toBeVisible();
  }
  if (PICTURES.includes(name)) await picture(page, name);
  const out = LEFT_OUT[name];
  if (out) await page.locator(out).evaluateAll((parts) => parts.forEach((part) => part.remove()));
  // What is around every page is looked at once for each who sees it
  await expectAriaSnapshot(page.locator(WHOLE.includes(name) ? "body" : "main"), info, name);
}

test("what differs in each run is written as a pattern", () => {
  const key = "- code: ins_0194a8c0e4b07c3d9f1e2a3b4c5d6e7f:exe_0194a8c0e4b07c3d:pay";
  expect(template(key)).toBe("- code: '/^[a-z]+_\\w+:[a-z]+_\\w+:pay$/'");
  expect(template("- time: Wed, Nov 25, 9:41 PM")).toBe("- time: '/^\\w{3}, \\w{3} \\d+(, \\d{4})?, [:\\d]+( [AP]M)?$/'");
});

test("signed-out pages", async ({ page }, info) => {
  await walk(page, info, signedOut);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    await picture(page, `welcome-${colorScheme}`, false);
  }
});

test("a guest who arrives", async ({ page }, info) => {
  await signIn(page, "sarah@example.com");
  await walk(page, info, arriving);
});

test("the front desk", async ({ page }, info) => {
  await signInToday(page, "manager@dewy.example");
  await walk(page, info, frontDesk);
});

for (const role of ["housekeeping", "maintenance"]) {
  test(`who works in ${role}`, async ({ page }, info) => {
    await signInToday(page, `${role}@dewy.example`);
    await walk(page, info, crew(role));
  });
}

// The last one: what it leaves behind would be on the pages of the others
test("a guest in the hotel, up to the receipt and what the front desk sees of it", async ({ page }, info) => {
  await signIn(page, "beth.gibbs@email.com");
  await walk(page, info, checkedIn);
  await pay(page, "Visa •••• 4242");
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  await look(page, info, "guest-receipt");
  const record = new URL(page.url()).pathname.replace("/guest/execution/", "/staff/executions/");
  await page.getByRole("button", { name: "Sign out" }).click();
  await signInToday(page, "manager@dewy.example");
  await walk(page, info, { "executions-one": "/staff/executions", "payments-one": "/staff/payments" });
  await page.goto(record);
  await expect(page.getByText("Stripe says the same")).toBeVisible();
  await look(page, info, "record");
});

test("a check-out that was compensated, and two proposals of the concierge", async ({ page, hotel }, info) => {
  await hotel.fault("salesforce", "composite", "timeout_before_effect");
  await signIn(page, "zoe.mueller@example.com");
  await page.goto("/guest/check-out");
  await pay(page, "Visa •••• 4242");
  await expect(page.getByRole("heading", { name: "Your payment was refunded in full" })).toBeVisible();
  await hotel.heal();
  const record = new URL(page.url()).pathname.replace("/guest/execution/", "/staff/executions/");
  await page.getByRole("button", { name: "Sign out" }).click();
  await signInToday(page, "manager@dewy.example");
  await page.goto(record);
  await expect(page.getByText("Stripe says the same")).toBeVisible();
  await look(page, info, "record-compensated");
  await page.goto("/staff/concierge/new");
  await page.locator("#talk-text").fill("Room 407 says the toilet is broken, and please set room 206 to vacant");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("Waits for you")).toHaveCount(2);
  await page.locator('[data-panel][data-busy="false"]').waitFor();
  await look(page, info, "concierge-proposals");
});
