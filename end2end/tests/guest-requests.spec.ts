// Requests with their standing, the story of the stay, the bill and its questions. A guest is sent three codes an hour at most,
// so each of these tests has a guest of its own.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, enter, browserErrors, reflows, signIn, tabTo } from "../actions.js";

test("a template fills a request, and a duplicate joins the first", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "jose.nunez@example.com");
  await page.getByRole("link", { name: "A taxi" }).click();
  await expect(page.getByLabel("What would you like?")).toHaveValue(/A taxi to the airport/);
  await expect(page.getByRole("radio", { name: "Front desk" })).toBeChecked();
  await accessible(page, info);
  await reflows(page);
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your request was sent." })).toBeVisible();
  await expect(page.locator(".requests").first()).toContainText("Received");
  await accessible(page, info);
  await reflows(page);

  await page.goto("/guest/requests?ask=taxi");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("status").filter({ hasText: "We already have that" })).toBeVisible();
  await accessible(page, info);
  const { salesforce } = await hotel.state();
  expect(salesforce.Case.filter((one: any) => one.Description.includes("A taxi to the airport"))).toHaveLength(1);

  await page.getByRole("navigation", { name: "Your stay" }).getByRole("link", { name: "Activity" }).click();
  await expect(page.getByRole("heading", { name: "Your activity" })).toBeVisible();
  await expect(page.locator(".story")).toContainText("You asked for: A taxi to the airport");
  await expect(page.locator(".story")).toContainText("You checked in to room 407.");
  await accessible(page, info);
  await reflows(page);
  expect(errors).toEqual([]);
});

test("a request without text is refused and keeps its other fields", async ({ page }, info) => {
  await signIn(page, "priya.raman@example.com");
  await page.goto("/guest/requests?ask=broken");
  // As a browser would send it that does not check fields itself
  await page.locator("#description").evaluate((field) => field.removeAttribute("required"));
  await page.getByRole("button", { name: "Send request" }).click();
  const problem = page.getByRole("alert");
  await expect(problem).toContainText("Tell us what you would like");
  await expect(page.getByRole("radio", { name: "Something needs fixing" })).toBeChecked();
  await accessible(page, info);
});

test("a guest asks about a line of the bill", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "marcus.reed@example.com");
  await page.getByRole("link", { name: "See your bill" }).click();
  await expect(page.getByRole("row", { name: /Balance/ })).toContainText("$");
  await accessible(page, info);
  await reflows(page);
  await page.getByRole("link", { name: /Something wrong\?\s+With Charge/ }).click();
  await expect(page.getByLabel("What would you like?")).toHaveValue(/About my bill, booking BK-0027: Charge .*\$42\.50/);
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your request was sent." })).toBeVisible();
  expect(errors).toEqual([]);
  const { salesforce } = await hotel.state();
  expect(salesforce.Case.filter((one: any) => one.Description.startsWith("About my bill")).map((one: any) => one.Type)).toEqual(["Concierge"]);
});

test("a check-out by keyboard alone, down to a receipt that stays", async ({ page }, info) => {
  await signIn(page, "beth.gibbs@email.com");
  await enter(page, page.getByRole("link", { name: "Check out" }));
  await expect(page.getByRole("heading", { name: "Check out", exact: true })).toBeVisible();
  await reflows(page);
  await tabTo(page, page.getByRole("radio").first());
  await page.keyboard.press("Space");
  await enter(page, page.getByRole("button", { name: "Pay $250.00 and check out" }));
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  await enter(page, page.getByRole("link", { name: "See your receipt" }));
  await expect(page.locator(".receipt")).toContainText("R-0042-");
  await expect(page.getByRole("row", { name: /Balance/ })).toContainText("$0.00");
  await accessible(page, info);
  await reflows(page);
  const receipt = page.url();
  await page.goto("/guest");
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  await expect(page.getByRole("link", { name: "See your receipt" })).toHaveAttribute("href", new URL(receipt).pathname);
  await accessible(page, info);
  await reflows(page);
  await page.goto("/guest/story");
  await expect(page.locator(".story")).toContainText("You checked out of room 302 and paid $250.00.");
});

test("all guest pages fit the narrowest screen", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "marcus.reed@example.com");
  for (const place of ["/guest", "/guest/bookings", "/guest/requests", "/guest/story", "/guest/account", "/guest/folio", "/guest/check-out", "/guest/check-in"]) {
    await page.goto(place);
    await reflows(page);
    await accessible(page, info);
    await expect(page.locator(".letterhead [aria-current]")).toHaveCount(1);
    await expect(page.getByRole("contentinfo").getByRole("link", { name: "Ask our front desk" })).toBeVisible();
  }
  expect(errors).toEqual([]);
});
