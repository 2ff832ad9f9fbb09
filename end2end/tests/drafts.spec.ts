// Drafts: nothing a guest has written is lost.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { signIn } from "../actions.js";

test.use({ own: "drafts" });

test("without scripts an expired session keeps the draft", async ({ page, context }, info) => {
  test.skip(info.project.use.javaScriptEnabled !== false, "with a script the browser keeps them, see below");
  await signIn(page, "nora.o'brien@example.com");
  await page.goto("/guest/concierge/new");
  await page.locator("#talk-text").fill("And a pillow");
  await context.clearCookies();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(/sign-in/);
  await page.getByLabel("Email address").fill("nora.o'brien@example.com");
  await page.getByRole("button", { name: "Send me a code" }).click();
  const code = /\b\d{6}\b/.exec(await page.getByRole("complementary", { name: "Demo" }).innerText())?.[0] ?? "";
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.locator("#talk-text")).toHaveValue("And a pillow");
  await expect(page.getByRole("alert")).toContainText("You were signed out before this was sent");
});

test("a draft survives a lost connection, a reload and an expired session, and is sent once", async ({ page, context, browser, hotel }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "without a script the browser itself keeps the form");
  await signIn(page, "nora.o'brien@example.com");
  await page.goto("/guest/concierge/new");
  const words = "Please bring two towels to my room";
  const box = page.locator("#talk-text");
  const send = page.getByRole("button", { name: "Send", exact: true });
  await context.setOffline(true);
  await box.fill(words);
  await send.click();
  await expect(page.getByText(/Not sent, as far as we know/)).toBeVisible();
  await expect(box).toHaveValue(words);
  await context.setOffline(false);
  await page.reload();
  await expect(box).toHaveValue(words);

  // The answer is lost, the words are not: sent again they are said once
  let lost = true;
  await page.route("**/form/concierge_say*", async (route) => {
    if (!lost) return route.continue();
    lost = false;
    await route.fetch();
    await route.abort();
  });
  await send.click();
  await expect(page.getByText(/Not sent, as far as we know/)).toBeVisible();
  await send.click();
  await expect(page.getByRole("log")).toContainText(words);
  await expect(page.locator('.said[data-by="person"]')).toHaveCount(1);
  await expect(box).toHaveValue("");

  // The session is over, and stays so whatever is still under way in this browser
  await box.fill("And a pillow");
  const elsewhere = await browser.newContext({ baseURL: hotel.url });
  const other = await elsewhere.newPage();
  await signIn(other, "nora.o'brien@example.com");
  await other.goto("/guest/account");
  await other.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(other.locator(".sessions > li")).toHaveCount(1);
  await elsewhere.close();
  await send.click();
  await expect(page).toHaveURL(/sign-in/);
  await signIn(page, "nora.o'brien@example.com");
  await page.goto("/guest/concierge");
  await expect(page.locator("#talk-text")).toHaveValue("And a pillow");
});
