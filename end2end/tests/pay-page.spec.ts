// A hotel whose Stripe is live: a card that is not on file is typed into Stripe's own field.
import { expect, type Page } from "@playwright/test";
import { test } from "../test-hotel.js";
import { answerAsStripe, called } from "../stripe-js.js";
import { accessible, enter, browserErrors, reflows, signInByText, tabTo } from "../actions.js";

test.use({ own: "pay", live: true });

const BETH = "beth.gibbs@email.com";
/** Has no card on file. */
const NORA = "nora.o'brien@example.com";

let scripts = true;
test.beforeEach(({}, info) => {
  scripts = info.project.use.javaScriptEnabled !== false;
});

const field = (page: Page) => page.frameLocator('iframe[title="Secure card field"]').getByLabel("Card number");
/** Words by text are not looked for in a noscript. */
const unscripted = (page: Page) => page.locator("noscript p.notice");
const alert = (page: Page) => page.locator(".new-card").getByRole("alert");
const taken = (state: any) =>
  state.stripe.charges.filter((one: any) => one.status === "succeeded").map((one: any) => [one.amount, one.payment_method_details.card.last4]);

async function say(page: Page, words: string): Promise<void> {
  await page.locator("#talk-text").fill(words);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(async () => {
    if (!scripts && (await page.locator('[data-panel][data-busy="true"]').count()) > 0) await page.reload();
    await expect(page.locator('[data-panel][data-busy="false"]')).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

test("a guest enters another card, corrects it, and checks out", async ({ page, hotel }, info) => {
  test.skip(!scripts, "a card is typed with a script");
  const errors = browserErrors(page, hotel);
  await answerAsStripe(page, "pm_card_mastercard");
  await signInByText(page, hotel, BETH);
  await page.goto("/guest/check-out");
  await expect(page.getByRole("radio", { name: "Visa •••• 4242" })).toBeChecked();
  await expect(page.getByText("Test card")).toHaveCount(0);
  expect(await called(page), "nobody asks Stripe for anything yet").toEqual([]);
  await accessible(page, info);

  await page.getByRole("radio", { name: "Another card" }).check();
  await field(page).fill("5555 5555 5555 4444");
  await accessible(page, info);
  await reflows(page);
  const [key, elements, element] = await called(page);
  expect(key).toEqual({ what: "Stripe", with: "pk_test_dewy" });
  expect(elements.with).toMatchObject({
    mode: "payment",
    amount: 25000,
    currency: "usd",
    paymentMethodCreation: "manual",
    allowedPaymentMethodTypes: ["card"],
    locale: "en",
  });
  const dark = info.project.use.colorScheme === "dark";
  expect(elements.with.appearance.theme).toBe(dark ? "night" : "stripe");
  expect(elements.with.appearance.variables.colorBackground).toBe(dark ? "rgb(31, 36, 33)" : "rgb(255, 253, 248)");
  expect(element.with).toMatchObject({ kind: "payment", more: { wallets: { applePay: "never", googlePay: "never" } } });

  // Wrong in the field, then at Stripe: each is said beside it, and nothing is lost
  const pay = page.getByRole("button", { name: "Pay $250.00 and check out" });
  await pay.click();
  await expect(alert(page)).toHaveText("Your card number is incomplete.");
  await expect(alert(page)).toBeFocused();
  await accessible(page, info);
  await pay.click();
  await expect(page.getByRole("button", { name: "Checking your card …" })).toBeDisabled();
  await expect(alert(page)).toHaveText("Your card has expired.");
  await expect(alert(page)).toBeFocused();
  await expect(field(page)).toHaveValue("5555 5555 5555 4444");
  expect(taken(await hotel.state())).toEqual([]);

  await pay.dblclick();
  await expect(page).toHaveURL(/\/guest\/execution\/exe_/);
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  expect(taken(await hotel.state())).toEqual([[25000, "4444"]]);
  expect(errors).toEqual([]);
});

test("a guest without a saved card enters one by keyboard", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await answerAsStripe(page, "pm_card_mastercard");
  await signInByText(page, hotel, NORA);
  await page.goto("/guest/check-out");
  const pay = page.getByRole("button", { name: /^Pay .* and check out$/ });
  await expect(page.getByRole("radio")).toHaveCount(0);
  await accessible(page, info);
  await reflows(page);
  if (!scripts) {
    await expect(unscripted(page)).toContainText("You have no card on file. Typing a card here needs JavaScript");
    await expect(pay).toBeHidden();
    return expect(errors).toEqual([]);
  }
  await tabTo(page, field(page));
  await page.keyboard.type("5555555555554444");
  for (const problem of ["Your card number is incomplete.", "Your card has expired."]) {
    await enter(page, pay);
    await expect(alert(page)).toHaveText(problem);
    await expect(alert(page)).toBeFocused();
  }
  await page.getByRole("checkbox", { name: "Keep this card for my later stays" }).check();
  await enter(page, pay);
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  expect(taken(await hotel.state())).toHaveLength(1);

  // It is on file now, until its owner removes it
  await page.goto("/guest/account");
  await accessible(page, info);
  await page.getByRole("button", { name: "Remove Mastercard •••• 4444" }).click();
  await expect(page.getByText("No card is saved.")).toBeVisible();
  expect(errors).toEqual([]);
});

test("without Stripe's script saved cards still pay", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await page.route("https://js.stripe.com/**", (route) => route.abort());
  await signInByText(page, hotel, BETH);
  await page.goto("/guest/check-out");
  if (scripts) {
    await page.getByRole("radio", { name: "Another card" }).check();
    await expect(alert(page)).toHaveText(/could not be loaded\. Nothing was charged\. You can try again, or pay with a saved card/);
    await accessible(page, info);
    await reflows(page);
    await page.unroute("https://js.stripe.com/**");
    await answerAsStripe(page, "pm_card_visa");
    await page.getByRole("button", { name: "Load the card form again" }).click();
    await expect(field(page)).toBeVisible();
    await expect(alert(page)).toBeEmpty();
  } else {
    await expect(unscripted(page)).toContainText("Another card? Typing a card here needs JavaScript");
    await expect(page.getByRole("radio", { name: "Another card" })).toHaveCount(0);
    await accessible(page, info);
  }
  await page.getByRole("radio", { name: "Visa •••• 4242" }).check();
  await page.getByRole("button", { name: "Pay $250.00 and check out" }).click();
  await expect(page).toHaveURL(/\/guest\/execution\/exe_/);
  await expect(async () => {
    if (!scripts) await page.reload();
    await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  expect(taken(await hotel.state())).toEqual([[25000, "4242"]]);
  expect(errors).toEqual([]);
});

test("a proposal in chat is paid on its pay page, and the conversation continues", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await answerAsStripe(page, "pm_card_mastercard");
  await signInByText(page, hotel, BETH);
  await page.goto("/guest/concierge/new");
  await say(page, "I'd like to check out");
  const ask = page.getByRole("group", { name: /Check out of room 302 .* pay \$250\.00/ });
  await expect(ask.getByRole("radio")).toHaveCount(1);
  await accessible(page, info);
  const conversation = page.url();
  await ask.getByRole("link", { name: "Pay with another card" }).click();
  await expect(page.getByRole("heading", { name: "Pay with another card", level: 1 })).toBeVisible();
  await expect(page.getByText(/Check out of room 302 .* pay \$250\.00, the whole balance\?/)).toBeVisible();
  await accessible(page, info);
  await reflows(page);
  const pay = page.getByRole("button", { name: "Pay $250.00" });
  if (scripts) {
    await expect(page.getByRole("radio", { name: "Another card" })).toBeChecked();
    await field(page).fill("5555 5555 5555 4444");
    for (const problem of ["Your card number is incomplete.", "Your card has expired."]) {
      await pay.click();
      await expect(alert(page)).toHaveText(problem);
    }
  } else {
    await expect(unscripted(page)).toContainText("Typing a card here needs JavaScript");
    await expect(page.getByRole("radio", { name: /4242/ })).not.toBeChecked();
    await page.getByRole("radio", { name: /4242/ }).check();
  }
  await pay.click();
  await expect(page).toHaveURL(conversation);
  await expect(async () => {
    if (!scripts) await page.reload();
    await expect(ask).toContainText("Done", { timeout: 2_000 });
  }).toPass();
  expect(taken(await hotel.state())).toEqual([[25000, scripts ? "4444" : "4242"]]);
  expect(errors).toEqual([]);
});

test("in chat, a guest without a saved card is sent to the pay page", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInByText(page, hotel, NORA);
  await page.goto("/guest/concierge/new");
  await say(page, "I'd like to check out");
  const ask = page.getByRole("group", { name: /Check out of room 104/ });
  await expect(ask.getByRole("button", { name: /^Pay/ })).toHaveCount(0);
  await accessible(page, info);
  await ask.getByRole("link", { name: /^Pay \$.* with your card$/ }).click();
  await expect(page).toHaveURL(/\/guest\/pay\?card=crd_/);
  await page.getByRole("link", { name: "Back to the conversation" }).click();
  await ask.getByRole("button", { name: "Not now" }).click();
  await expect(ask).toContainText("Declined. Nothing was done.");
  expect(taken(await hotel.state())).toEqual([]);
  expect(errors).toEqual([]);
});
