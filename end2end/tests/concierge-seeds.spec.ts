// The sentences that the tools' descriptions are tried with, typed into the page as people would.
import { type Page, expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { browserErrors, signIn, signInStaff } from "../actions.js";

test.use({ own: "concierge" });

const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
const card = (page: Page, question: RegExp) => page.getByRole("group", { name: question });

/** Begins a conversation with these words and waits until the model is silent. */
async function begin(page: Page, persona: "guest" | "staff", words: string): Promise<void> {
  const scripts = test.info().project.use.javaScriptEnabled !== false;
  await page.goto(`/${persona}/concierge/new`);
  await page.locator("#talk-text").fill(words);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(log(page)).toContainText(words);
  await expect(async () => {
    const busy = page.locator('[data-panel][data-busy="true"]');
    // Without a script the page of a running turn is loaded again
    if ((await busy.count()) > 0 && !scripts) await page.reload();
    await expect(page.locator('[data-panel][data-busy="false"]')).toBeVisible({ timeout: 3_000 });
    await expect(page.locator(".call[data-state=running]")).toHaveCount(0);
  }).toPass();
}

const money = (page: Page) => card(page, /pay \$|Cancel booking/);

test("a guest's words lead to the right card or answer", async ({ page, hotel }) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "beth.gibbs@email.com");
  await begin(page, "guest", "What do I owe?");
  await expect(log(page)).toContainText("$250.00");
  await expect(money(page)).toHaveCount(0);
  for (const complaint of ["I got charged but checkout failed", "you charged me twice", "How much would it be if I left today?"]) {
    await begin(page, "guest", complaint);
    await expect(money(page)).toHaveCount(0);
  }
  await begin(page, "guest", "Book me a room for tomorrow, two nights");
  await expect(log(page)).toContainText("These rooms are free");
  await begin(page, "guest", "I'd like to check out");
  await expect(card(page, /Check out of room 302 .* pay \$250\.00/)).toContainText("Waits for you");
  expect((await hotel.state()).stripe.payment_intents).toHaveLength(0);
  expect(errors).toEqual([]);
});

test("an arriving guest cancels with these words, and not with others", async ({ page }) => {
  await signIn(page, "sarah@example.com");
  await begin(page, "guest", "please don't cancel my booking");
  await expect(money(page)).toHaveCount(0);
  await begin(page, "guest", "Cancel my booking");
  await expect(card(page, /Cancel booking BK-0034: room 205/)).toContainText("Waits for you");
});

test("a clerk's words lead to the right cards", async ({ page, hotel }) => {
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  await begin(page, "staff", "Beth Gibbs is checking out, and she says the toilet in her room is broken.");
  await expect(card(page, /Check the guest out of room 302/)).toContainText("Waits for you");
  await expect(card(page, /maintenance case for room 302/)).toContainText("Waits for you");
  await begin(page, "staff", "Room 302's toilet is broken");
  await expect(card(page, /maintenance case for room 302/)).toContainText("Waits for you");
  await begin(page, "staff", "Which rooms on floor 2 are dirty?");
  await expect(log(page)).toContainText(/206/);
  await begin(page, "staff", "Any urgent maintenance?");
  await expect(log(page)).toContainText("Ceiling leaks in the bathroom of 108");
  await begin(page, "staff", "ac in 310 fixed");
  await expect(page.getByRole("group", { name: /Change case/ })).toHaveCount(0);
  await expect(log(page)).not.toContainText("breaks the tool's rules");
  await begin(page, "staff", "Check in Beth Gibbs");
  await expect(log(page)).toContainText(/checked in|Checked In/);
  await begin(page, "staff", "Move BK-0034 to room 402");
  await expect(log(page)).toContainText(/402|taken|free/);
  expect(errors).toEqual([]);
});
