// A check-out that cannot be finished, as the guest and as the desk see it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, pay, signIn, signInStaff } from "../actions.js";

test.use({ own: "compensation" });

const idOf = (url: string): string => new URL(url).pathname.split("/").pop() ?? "";

test("during an outage the payment is refunded and staff see why", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await hotel.fault("salesforce", "composite", "timeout_before_effect");
  await signIn(page, "beth.gibbs@email.com");
  await page.getByRole("link", { name: "Check out" }).click();
  await pay(page, "Visa •••• 4242");
  await expect(page.getByRole("heading", { name: "Your payment was refunded in full" })).toBeVisible();
  await expect(page.locator(".outcome")).toContainText("You are still checked in.");
  await expect(page.locator(".outcome")).toContainText("within 5 to 10 business days");
  // The result says what matters; how it came about is one click away
  await page.getByText("What happened, step by step").click();
  const story = page.locator(".progress li");
  await expect(story.filter({ hasText: "We charged $250.00 to your card." })).toBeVisible();
  await expect(story.filter({ hasText: "We refunded $250.00 to your card." })).toBeVisible();
  await expect(page.locator(".money-line")).toContainText("$0.00");
  await accessible(page, info);
  const execution = idOf(page.url());

  const { stripe, salesforce } = await hotel.state();
  expect(stripe.refunds.map((one: any) => one.amount)).toEqual([25000]);
  expect(salesforce.Booking__c.find((one: any) => one.Name === "BK-0042").Status__c).toBe("Checked In");

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto("/staff/sign-in");
  await accessible(page, info);
  await signInStaff(page, "manager@dewy.example");
  await accessible(page, info);
  await page.getByRole("navigation", { name: "Filter by state" }).getByRole("link", { name: "Undone" }).click();
  await page.locator(`a[href="/staff/executions/${execution}"]`).click();
  await expect(page.locator(".standing .pill")).toHaveText("Undone");
  await expect(page.locator(".facts")).toContainText("beth.gibbs@email.com");
  await expect(page.locator(".step[data-way=back]").first()).toContainText("Done");
  await expect(page.getByText("Stripe says the same")).toBeVisible();
  // Open, because something went wrong: each request with its time, its error, and what was sent
  const timeline = page.getByRole("table", { name: "Timeline" });
  const moved = timeline.getByRole("row").filter({ hasText: "Check out of the room: request 1" });
  await expect(moved).toContainText(/outcome unknown: timeout: no answer .*looked up: /);
  await expect(moved).toContainText(/[\d.]+ s/);
  await moved.getByText("request 1").click();
  await expect(moved).toContainText("salesforce POST /services/data/");
  await expect(timeline).toContainText("Lease: ");
  await accessible(page, info);

  await page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Compensations" }).click();
  const payment = stripe.payment_intents.find((one: any) => one.status === "succeeded").id;
  const row = page.getByRole("row", { name: payment });
  await expect(row).toContainText("Undone");
  await expect(row).toContainText("the check-out");
  await expect(row.getByRole("rowheader")).toContainText("Beth Gibbs");
  await expect(row.getByRole("rowheader")).toContainText("room 302");
  await expect(row).toContainText("$250.00 was refunded.");
  const moments = row.locator(".moments li");
  await expect(moments).toContainText([/^charged /, /^failed after [\d.]+ s/, /^refunded after .*[\d.]+ s/]);
  const money = page.getByRole("region", { name: "Money" }).locator("dl > div");
  await expect(money.filter({ hasText: "At stake now" })).toContainText("$0.00");
  await expect(money.filter({ hasText: "Refunded today" })).toContainText("$250.00");
  await accessible(page, info);
  await row.getByRole("rowheader").getByRole("link").click();
  const copy = page.getByRole("button", { name: `Copy ${payment}` }).first();
  await expect(copy).toBeVisible({ visible: info.project.use.javaScriptEnabled !== false });
  expect(errors).toEqual([]);
});

test("evidence is whole, and a change to it is found", async ({ page, hotel }, info) => {
  await hotel.fault("salesforce", "composite", "timeout_before_effect");
  await signIn(page, "priya.raman@example.com");
  await page.getByRole("link", { name: "Check out" }).click();
  await pay(page, /4242/);
  await expect(page.getByRole("heading", { name: "Your payment was refunded in full" })).toBeVisible();
  const execution = idOf(page.url());
  await page.getByRole("button", { name: "Sign out" }).click();
  await signInStaff(page, "manager@dewy.example");
  await page.goto(`/staff/executions/${execution}`);
  await page.getByRole("button", { name: "Take it on" }).click();
  await expect(page.getByRole("region", { name: "Who looks after it" })).toContainText("Acknowledged by manager@dewy.example");
  await page.getByLabel("Add a note").fill("Called the guest: the money is back on Monday.");
  await page.getByRole("button", { name: "Add the note" }).click();
  await expect(page).toHaveURL(new RegExp(`${execution}#notes`));
  await expect(page.locator(".notes")).toContainText("Called the guest");
  await accessible(page, info);

  const folder = mkdtempSync(join(tmpdir(), "dewy-evidence-"));
  const saved = async (name: string): Promise<string> => {
    const link = page.locator(`a[href="/staff/executions/${execution}/${name}"]`);
    const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
    await file.saveAs(join(folder, name));
    return join(folder, name);
  };
  const checked = (file: string) => spawnSync(process.execPath, ["check-evidence.mjs", file], { encoding: "utf8" });
  const files = [await saved("evidence.json"), await saved("evidence.html")];
  for (const file of files) expect(checked(file)).toMatchObject({ status: 0, stderr: "" });

  // What somebody might want to have been otherwise
  const changes: [string, (evidence: any) => void][] = [
    ["charged: 1 is told", (evidence) => (evidence.sums.charged = 1)],
    ["given back: 1 is told", (evidence) => (evidence.sums.refunded = 1)],
    ["journal row 2 was changed", (evidence) => (evidence.journal[1].event = evidence.journal[1].event.replace("usd", "eur"))],
    ["journal row 3 is missing", (evidence) => evidence.journal.splice(2, 1)],
    ["journal row 2: its time", (evidence) => (evidence.journal[1].at = "2020-01-01T00:00:00Z")],
    ["was changed", (evidence) => (evidence.audit[1].actor = "somebody else")],
    ["its body is another one", (evidence) => (evidence.requests[0].body += "&x=1")],
    ["its key is another one", (evidence) => (evidence.requests.find((one: any) => one.key).key = "other")],
    ["requests are missing", (evidence) => evidence.requests.pop()],
    ["re_other is not in the journal", (evidence) => (evidence.answered.details.refund_id = "re_other")],
    ["the execution's id is not one", (evidence) => (evidence.execution_id += "00")],
    ["is another one", (evidence) => (evidence.requests[0].answers[0].outcome.outcome = "refused")],
  ];
  for (const [words, change] of changes) {
    const evidence = JSON.parse(readFileSync(files[0], "utf8"));
    change(evidence);
    const file = join(folder, "changed.json");
    writeFileSync(file, JSON.stringify(evidence));
    const { status, stderr } = checked(file);
    expect(stderr).toContain(words);
    expect(status).toBe(1);
  }
  rmSync(folder, { recursive: true });
});

test("a refused refund goes to staff, who retry it", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await hotel.fault("salesforce", "composite", "timeout_before_effect");
  await hotel.fault("stripe", "refund_create", "status", { status: 400 });
  await signIn(page, "zoe.mueller@example.com");
  await page.getByRole("link", { name: "Check out" }).click();
  await pay(page, /4242, which pays/);
  await expect(page.getByRole("heading", { name: "Our front desk is looking into it" })).toBeVisible();
  await expect(page.locator(".outcome")).toContainText("is charged to your card until this is settled");
  await expect(page.locator(".outcome")).toContainText("please don’t pay a second time");
  await accessible(page, info);
  const execution = idOf(page.url());
  expect((await hotel.state()).stripe.refunds).toHaveLength(0);

  await page.getByRole("button", { name: "Sign out" }).click();
  await signInStaff(page, "manager@dewy.example");
  await page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Needs attention" }).click();
  const entry = page.locator(`.attention > li[data-key="${execution}"]`);
  await expect(entry).toContainText("Stripe refused the refund");
  await expect(entry).toContainText("at stake");
  await accessible(page, info);
  await entry.locator("h2 a").click();
  await expect(page.locator(".standing .pill")).toHaveText("Needs attention");
  await expect(page.getByText("Stripe says the same")).toBeVisible();
  await accessible(page, info);

  await page.getByRole("link", { name: "Try again now" }).click();
  await expect(page.getByRole("heading", { name: "What this does" })).toBeVisible();
  await expect(page.locator(".will")).toContainText("refund");
  await accessible(page, info);
  await page.getByLabel("Reason").fill("Stripe said it was their mistake");
  await hotel.heal();
  await page.getByRole("button", { name: "Try again now" }).click();
  // Back where the work is, with what became of it
  const flash = page.locator(".flash");
  await expect(flash).toContainText(/: \$[\d,.]+ refunded\./);
  await expect(page).toHaveURL(/\/staff\/attention$/);
  await flash.getByRole("link", { name: "Details" }).click();
  await expect(page).toHaveURL(new RegExp(execution));
  await expect(page.locator(".standing .pill")).toHaveText("Undone");
  await expect(page.locator(".money-line .net")).toContainText("$0.00");
  await accessible(page, info);
  expect((await hotel.state()).stripe.refunds).toHaveLength(1);

  await page.goto("/staff/attention");
  await expect(page.locator(`.attention > li[data-key="${execution}"]`)).toHaveCount(0);
  expect(errors).toEqual([]);
});
