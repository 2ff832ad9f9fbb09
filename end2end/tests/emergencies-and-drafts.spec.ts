// People are told: danger, what waits, what is silent; and nothing that was written is lost.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, reflows, signIn, signInStaff } from "../actions.js";

test.use({ own: "people" });

test("an emergency alerts staff on any page", async ({ page, browser, hotel }, info) => {
  const scripts = info.project.use.javaScriptEnabled !== false;
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  await page.goto("/staff/account");
  if (scripts) await expect(page.locator(".connection[data-state=open]")).toBeVisible();

  const away = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled: info.project.use.javaScriptEnabled });
  const guest = await away.newPage();
  await signIn(guest, "beth.gibbs@email.com");
  await expect(guest.getByRole("link", { name: /\(555\) 010-9000/ })).toHaveAttribute("href", "tel:+15550109000");
  await guest.goto("/guest/concierge/new");
  await guest.locator("#talk-text").fill("There is a fire in my room");
  await guest.getByRole("button", { name: "Send", exact: true }).click();
  await expect(guest.getByRole("log")).toContainText("Call 911 first. Our staff have been told.");
  await accessible(guest, info);

  if (!scripts) await page.reload();
  const alarm = page.getByRole("alert").getByText(/Emergency: Beth Gibbs, room 302/);
  await expect(alarm).toBeVisible({ timeout: 5_000 });
  await expect(page).toHaveTitle(/^\(\d+\) /);
  if (scripts) await expect(page.locator("audio[data-sound=alarm]")).toHaveAttribute("data-played", "");
  await accessible(page, info);
  await reflows(page);

  await page.getByRole("link", { name: "Answer now" }).click();
  await page.locator("#talk-text").fill("We are coming.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("log")).toContainText("We are coming.");
  await page.goto("/staff");
  await expect(page.getByRole("alert").getByText(/Emergency: Beth Gibbs, room 302/)).toBeVisible();
  await expect(page.getByRole("alert").getByRole("link", { name: /^Call / })).toHaveAttribute("href", /^tel:/);
  await page.getByRole("alert").getByRole("button", { name: "Mark as handled" }).click();
  await page.goto("/staff");
  await expect(page.getByText(/Emergency: /)).toHaveCount(0);
  await away.close();
  expect(errors).toEqual([]);
});

test("stuck executions are on Today with their amounts, and outages are shown", async ({ page, hotel }, info) => {
  await signInStaff(page, "manager@dewy.example");
  await page.goto("/staff");
  await hotel.fault("salesforce", "query", "status", { status: 503 });
  await hotel.fault("salesforce", "composite", "status", { status: 503 });
  const banner = page.getByText(/Salesforce is not responding/);
  if (info.project.use.javaScriptEnabled === false) {
    await expect(async () => {
      await page.goto("/staff");
      await expect(banner).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 40_000 });
  } else {
    await expect(banner).toBeVisible({ timeout: 40_000 });
    await expect(page.locator(".connection[data-state=silent]")).toBeVisible();
  }
  await hotel.heal();
});

test("an emergency in the request form alerts staff", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "sarah@example.com");
  await page.goto("/guest/requests");
  await expect(page.getByText(/In an emergency, call 911/).getByRole("link", { name: "911" })).toHaveAttribute("href", "tel:911");
  await page.getByLabel("What would you like?").fill("My husband is not breathing");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("log")).toContainText("Call 911 first. Our staff have been told.");
  await expect(page.getByRole("link", { name: "Call 911" })).toHaveAttribute("href", "tel:911");
  await accessible(page, info);
  await reflows(page);
  expect(errors).toEqual([]);
});

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
