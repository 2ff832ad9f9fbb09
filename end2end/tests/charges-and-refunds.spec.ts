// What the desk does by hand: charges, refunds, finding things.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, pay, signIn, signInStaff } from "../actions.js";

// Staff may sign in ten times in a quarter of an hour: this file plays in a hotel of its own
test.use({ own: "desk" });

test("a charge is confirmed, posted once, shown on the folio and voided", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  await page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Charges" }).click();
  await accessible(page, info);
  await page.getByLabel("Room", { exact: true }).fill("308");
  await page.getByLabel("Amount").fill("1,2,5");
  await page.getByLabel("Description").fill("Minibar");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter an amount such as 12.50");
  await accessible(page, info);
  await page.getByLabel("Amount").fill("12.50");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("heading", { name: "Post this charge?" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("button", { name: "Post $12.50 to Marcus Reed" }).click();
  await expect(page.getByRole("status").filter({ hasText: "$12.50 for “Minibar” was posted to Marcus Reed (room 308)." })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Marcus Reed", level: 1 })).toBeVisible();
  await accessible(page, info);

  await page.goto("/staff/charges?guest_email=marcus.reed%40example.com");
  const charge = page.getByRole("row", { name: /Minibar .*Void/ }).filter({ hasText: "$12.50" });
  await expect(charge).toHaveCount(1);
  await accessible(page, info);
  await charge.getByRole("button").click();
  await page.getByRole("button", { name: /^Void PT-/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "of $12.50 to Marcus Reed (room 308) was voided." })).toBeVisible();
  await page.goto("/staff/charges?guest_email=marcus.reed%40example.com");
  await expect(page.getByRole("row").filter({ hasText: "$12.50" })).toContainText("cancelled");
  expect(errors).toEqual([]);
});

test("the payment of a completed check-out cannot be refunded", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "nora.o'brien@example.com");
  await page.getByRole("link", { name: /Check out/ }).click();
  await pay(page, /4242, which pays/);
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  const payment = (await hotel.state()).stripe.payment_intents.find((one: any) => one.status === "succeeded").id;
  await page.getByRole("link", { name: "Go to your stay" }).or(page.locator(".house")).first().click();
  await page.getByRole("button", { name: "Sign out" }).click();

  await signInStaff(page, "frontdesk@dewy.example");
  await page.goto("/staff/executions?payment_intent_id=" + payment);
  await expect(page.locator(".list tbody tr")).toHaveCount(1);
  await expect(page.getByLabel("Stripe payment")).toHaveValue(payment);
  await accessible(page, info);
  await page.goto("/staff/compensations");
  await page.getByRole("link", { name: "Refund a payment" }).click();
  await accessible(page, info);
  await page.getByLabel("Stripe payment").fill(payment);
  await page.getByLabel("Guest’s email").fill("nora.o'brien@example.com");
  await page.getByLabel("Reason").fill("She asked for it");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("alert")).toContainText("Nothing was refunded");
  await expect(page.locator("main")).toContainText("The check-out of this payment was completed");
  await expect(page.getByLabel("Stripe payment")).toHaveValue(payment);
  await accessible(page, info);
  expect((await hotel.state()).stripe.refunds).toHaveLength(0);
  expect(errors).toEqual([]);
});

test("a list updates, but not under the cursor", async ({ page, browser, hotel }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "without a script nothing changes by itself");
  await signInStaff(page, "manager@dewy.example");
  await expect(page.locator(".connection[data-state=open]")).toBeVisible();
  const rows = page.locator(".list tbody tr");
  const before = await rows.count();
  // Other tests may have checked him in before: their executions stay, whatever the sandbox forgets
  const his = rows.filter({ hasText: "liam.walsh@example.com" }).filter({ hasText: "Check in" });
  const had = await his.count();
  await page.locator('[data-region="list"]').hover();

  const guests = await browser.newContext({ baseURL: hotel.url });
  const guest = await guests.newPage();
  await signIn(guest, "liam.walsh@example.com");
  await guest.getByRole("link", { name: "Check in" }).click();
  await guest.getByRole("button", { name: "Continue" }).click();
  await guest.getByRole("button", { name: "Check in now" }).click();
  await expect(guest.getByRole("heading", { name: "You are checked in. Welcome!" })).toBeVisible();
  await guests.close();

  const held = page.getByRole("button", { name: /changes? – show/ });
  await expect(held).toBeVisible();
  expect(await rows.count()).toBe(before);
  await held.click();
  await expect(his).toHaveCount(had + 1);
  await expect(held).toBeHidden();
  await accessible(page, info);
});
