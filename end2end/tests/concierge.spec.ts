// The concierge, over the sandbox's model: as a guest, as the desk, as a manager; with and without a script.
import { type Page, expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, pay, reflows, signIn, signInStaff } from "../actions.js";

test.use({ own: "concierge" });

let scripts: boolean | undefined;
test.beforeEach(({}, info) => {
  scripts = info.project.use.javaScriptEnabled;
});

// How a message is sent and a card is clicked without a script, the other tests show
const ONE_WAY = "the way without a script is that of the other tests";

const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
const card = (page: Page, question: RegExp) => page.getByRole("group", { name: question });

/** Writes into the panel, sends it, and waits until the model is silent. */
async function say(page: Page, words: string): Promise<void> {
  await page.locator("#talk-text").fill(words);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(log(page)).toContainText(words);
  await silent(page);
}

async function silent(page: Page): Promise<void> {
  // Without a script a page that was read too early is read again
  await expect(async () => {
    const busy = page.locator('[data-panel][data-busy="true"]');
    if (scripts === false && (await busy.count()) > 0) await page.reload();
    await expect(busy).toHaveCount(0, { timeout: 2_000 });
  }).toPass();
  await expect(page.locator('[data-panel][data-busy="false"]')).toBeVisible();
  await expect(page.locator(".call[data-state=running]")).toHaveCount(0);
}

test("Beth asks what she owes, checks out by a card, and reloads", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "beth.gibbs@email.com");
  await page.goto("/guest/concierge");
  await expect(page.getByRole("list", { name: "Suggestions" }).getByRole("button").first()).toBeVisible();
  await accessible(page, info);

  await say(page, "What do I owe?");
  await expect(log(page)).toContainText("$250.00");
  await page.locator(".call summary").first().click();
  await expect(page.locator(".call pre").first()).toBeVisible();
  await accessible(page, info);

  await say(page, "I'd like to check out");
  const ask = card(page, /Check out of room 302 .* pay \$250\.00/);
  await expect(ask).toContainText("Waits for you");
  expect((await hotel.state()).stripe.payment_intents.filter((one: any) => one.status === "succeeded")).toHaveLength(0);
  await accessible(page, info);
  await ask.getByLabel(/4242, which pays/).check();
  await ask.getByRole("button", { name: "Pay $250.00" }).click();
  await expect(ask).toContainText("Done");
  await silent(page);
  await expect(ask.getByRole("button")).toHaveCount(0);
  await accessible(page, info);
  await page.reload();
  await expect(ask).toContainText("Done");
  await ask.getByRole("link", { name: "See every step" }).click();
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  expect((await hotel.state()).stripe.payment_intents.filter((one: any) => one.status === "succeeded")).toHaveLength(1);
  expect(errors).toEqual([]);
});

test("a message is shown at once, and its words are not lost if it fails", async ({ page, hotel }) => {
  test.skip(scripts === false, "without a script the browser shows that it is loading");
  const errors = browserErrors(page, hotel);
  await signIn(page, "beth.gibbs@email.com");
  await page.goto("/guest/concierge/new");
  const [box, send] = [page.locator("#talk-text"), page.getByRole("button", { name: "Send", exact: true })];
  let release = () => {};
  await page.route("**/form/concierge_say*", async (route) => {
    await new Promise<void>((resolve) => (release = resolve));
    await route.continue();
  });
  await box.fill("What do I owe?");
  // Measured in the page, for a busy machine delays whoever asks from outside
  const shown = await page.evaluate(async () => {
    const begun = performance.now();
    document.querySelector<HTMLButtonElement>(".talk-say button")!.click();
    for (;;) {
      const words = document.querySelector(".said[data-pending] .words")?.textContent;
      const busy = document.querySelector('.talk-say button[aria-busy="true"]');
      if (words && busy) return { words, took: performance.now() - begun };
      if (performance.now() - begun > 5_000) throw new Error("nothing was shown");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  expect(shown.words).toBe("What do I owe?");
  // The answer of the server is still held back
  test.info().annotations.push({ type: "milliseconds until shown", description: `${shown.took}` });
  await expect(page.locator('[data-panel][data-busy="true"]')).toBeVisible();
  await expect(box).toHaveValue("What do I owe?");
  // What is written meanwhile stays
  await box.press("End");
  await box.pressSequentially(" And towels");
  release();
  await expect(box).toHaveValue(" And towels");
  await silent(page);
  await expect(log(page)).toContainText("$250.00");
  await expect(page.locator('.said[data-by="person"]')).toHaveCount(1);

  await page.unroute("**/form/concierge_say*");
  await page.route("**/form/concierge_say*", (route) => route.fulfill({ status: 503, contentType: "text/html", body: "<p>busy</p>" }));
  await box.fill("Two towels, please");
  await send.click();
  await expect(page.getByText(/Not sent, as far as we know/)).toBeVisible();
  await expect(box).toHaveValue("Two towels, please");
  await expect(page.locator("[data-pending]")).toHaveCount(0);
  await expect(page.locator('[data-panel][data-busy="false"]')).toBeVisible();
  await page.unroute("**/form/concierge_say*");
  await send.click();
  await expect(log(page)).toContainText("Two towels, please");
  await expect(box).toHaveValue("");
  await silent(page);
  expect(errors.filter((error) => !error.includes("503"))).toEqual([]);
});

test("a refusal is final, and a question leaves a proposal open", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "nora.o'brien@example.com");
  await page.goto("/guest/concierge/new");
  await say(page, "I'd like to check out");
  const ask = card(page, /Check out of room 104/);
  await ask.getByRole("button", { name: "Not now" }).click();
  await expect(ask).toContainText("Declined. Nothing was done.");
  await page.reload();
  await expect(ask).toContainText("Declined");
  await say(page, "I'd like to check out");
  await expect(ask).toHaveCount(2);
  await say(page, "What do I owe?");
  await expect(ask.last()).toContainText("Waits for you");
  expect((await hotel.state()).stripe.payment_intents.filter((one: any) => one.status === "succeeded")).toHaveLength(0);
  await accessible(page, info);
  expect(errors).toEqual([]);
});

test("one sentence from staff gives two proposals", async ({ page, hotel }, info) => {
  test.skip(scripts === false, ONE_WAY);
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  await page.goto("/staff/concierge/new");
  await say(page, "The guest of room 302 is checking out and the toilet in the room is broken");
  const toilet = card(page, /maintenance case for room 302/);
  const out = card(page, /Check the guest out of room 302/);
  await expect(toilet).toContainText("Waits for you");
  await accessible(page, info);
  await out.getByLabel(/4242, which pays/).check();
  await out.getByRole("button", { name: /^Pay/ }).click();
  await expect(out).toContainText("Done");
  await silent(page);
  await toilet.getByRole("button", { name: "Open the case" }).click();
  await expect(toilet).toContainText("Done");
  const state = await hotel.state();
  expect(state.stripe.payment_intents.filter((one: any) => one.status === "succeeded")).toHaveLength(1);
  expect(state.salesforce.Case.filter((one: any) => /toilet/i.test(one.Description ?? one.Subject ?? ""))).toHaveLength(1);
  expect(errors).toEqual([]);
});

test("a guest asks for a person, who answers in the thread and hands it back", async ({ page, browser, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "marcus.reed@example.com");
  await page.goto("/guest/concierge/new");
  await say(page, "I want to speak to a person");
  await expect(log(page)).toContainText("Our front desk has been called");
  await accessible(page, info);

  const desk = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled: info.project.use.javaScriptEnabled });
  const staff = await desk.newPage();
  await signInStaff(staff, "frontdesk@dewy.example");
  await staff.goto("/staff/conversations");
  await staff.getByRole("link", { name: "Marcus Reed, room 308" }).click();
  await expect(log(staff)).toContainText("I want to speak to a person");
  await staff.locator("#talk-text").fill("This is Frank. What can I do?");
  await staff.getByRole("button", { name: "Send", exact: true }).click();
  await expect(log(staff)).toContainText("This is Frank");
  await accessible(staff, info);

  if (info.project.use.javaScriptEnabled === false) await page.reload();
  await expect(log(page)).toContainText("This is Frank. What can I do?");
  await staff.getByRole("button", { name: "Hand back to the concierge" }).click();
  await expect(staff).toHaveURL(/conversations$/);
  await expect(staff.locator(".flash")).toContainText("Marcus Reed is back with the concierge.");
  await desk.close();
  await page.reload();
  await say(page, "What do I owe?");
  await expect(page.locator('.said[data-by="model"]').last()).toContainText("$");
  expect(errors).toEqual([]);
});

test("a manager switches the concierge off and sees its usage", async ({ page, hotel }, info) => {
  test.skip(scripts === false, ONE_WAY);
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "manager@dewy.example");
  await page.goto("/staff/concierge/new");
  await say(page, "Any urgent maintenance?");
  await page.goto("/staff/conversations");
  await expect(page.getByRole("rowheader", { name: "manager@dewy.example" }).first()).toBeVisible();
  await accessible(page, info);
  await page.getByRole("button", { name: "Switch the concierge off everywhere" }).click();
  await expect(page.getByText("Last switched by manager@dewy.example")).toBeVisible();
  await page.goto("/staff/concierge");
  await expect(page.getByText("The concierge is off right now.")).toBeVisible();
  await accessible(page, info);
  await page.goto("/staff/conversations");
  await page.getByRole("button", { name: "Switch the concierge on" }).click();
  await expect(page.getByRole("button", { name: "Switch the concierge off everywhere" })).toBeVisible();
  expect(errors).toEqual([]);
});

test("conversations are named, listed, opened again and deleted", async ({ page, hotel }, info) => {
  test.skip(scripts === false, ONE_WAY);
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  await page.goto("/staff/concierge/new");
  await say(page, "Which rooms are dirty?");
  await page.getByText("Conversations", { exact: true }).last().click();
  await page.getByLabel("Name of this conversation").fill("Morning round");
  await accessible(page, info);
  await page.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("heading", { name: "Morning round" })).toBeVisible();
  await page.goto("/staff/concierge/new");
  await page.getByText("Conversations", { exact: true }).last().click();
  await page.getByRole("link", { name: "Morning round" }).click();
  await expect(log(page)).toContainText("Which rooms are dirty?");
  await page.getByText("Conversations", { exact: true }).last().click();
  await page.getByRole("button", { name: "Delete this conversation" }).click();
  await expect(log(page)).not.toContainText("Which rooms are dirty?");
  await page.goto("/staff/concierge/new");
  await page.getByText("Conversations", { exact: true }).last().click();
  await expect(page.getByRole("link", { name: "Morning round" })).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("a check-out in chat by keyboard alone", async ({ page, hotel }) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "beth.gibbs@email.com");
  await page.goto("/guest/concierge/new");
  await page.locator("#talk-text").focus();
  await page.keyboard.type("I'd like to check out");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await silent(page);
  const ask = card(page, /Check out of room 302/);
  await expect(ask).toBeVisible();
  await ask.getByRole("radio").first().focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await expect(ask.getByRole("button", { name: "Pay $250.00" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(ask).toContainText("Done");
  expect(errors).toEqual([]);
});

test("the docked panel keeps its draft and stays open across pages", async ({ page, hotel }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "without a script the link leads to the panel's own page");
  const errors = browserErrors(page, hotel);
  await signIn(page, "nora.o'brien@example.com");
  // Before the page's script runs, the link leads to a page of its own
  await page.waitForLoadState("networkidle");
  await page.getByRole("link", { name: "Concierge" }).click();
  const panel = page.getByRole("complementary", { name: "Concierge" });
  await expect(panel.getByLabel("What can we do for you?")).toBeFocused();
  await accessible(page, info);
  await page.keyboard.type("What do I owe?");
  await page.keyboard.press("Enter");
  await expect(log(page)).toContainText("$");
  await expect(panel.getByLabel("What can we do for you?")).toHaveValue("");
  await page.goto("/guest/bookings");
  await expect(log(page)).toContainText("$");
  await page.getByRole("button", { name: "Close" }).click();
  await expect(panel).toBeHidden();
  await expect(page.getByRole("link", { name: "Concierge" })).toBeFocused();
  expect(errors).toEqual([]);
});

test("the panel fits the narrowest screen", async ({ page }) => {
  test.skip(scripts === false, ONE_WAY);
  await signIn(page, "nora.o'brien@example.com");
  await page.goto("/guest/concierge/new");
  await say(page, "I'd like to check out");
  await expect(card(page, /Check out of room 104/)).toBeVisible();
  await reflows(page);
});

test("staff refund a charged guest who was not checked out", async ({ page, hotel }, info) => {
  test.skip(scripts === false, ONE_WAY);
  await hotel.fault("salesforce", "composite", "timeout_before_effect");
  await hotel.fault("stripe", "refund_create", "status", { status: 400 });
  await signIn(page, "zoe.mueller@example.com");
  await page.getByRole("link", { name: "Check out" }).click();
  await pay(page, /4242, which pays/);
  await expect(page.getByRole("heading", { name: "Our front desk is looking into it" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();

  await signInStaff(page, "frontdesk@dewy.example");
  await page.goto("/staff/concierge/new");
  await say(page, "zoe.mueller@example.com got charged but the checkout failed, please refund her");
  // The amount is the backend's own
  const ask = page.locator(".ask").last();
  await expect(ask).toContainText(/Refund \$\d+\.\d\d/);
  await accessible(page, info);
  await hotel.heal();
  await ask.locator("button").first().click();
  await expect(ask).toContainText("Done");
  await silent(page);
  await expect(page.locator('.said[data-by="model"]').last()).toContainText(/refund|given back|Undone|undone/i);
  const refunded = async () => (await hotel.state()).stripe.refunds.filter((one: any) => one.status === "succeeded").length;
  await expect.poll(refunded).toBe(1);
});
