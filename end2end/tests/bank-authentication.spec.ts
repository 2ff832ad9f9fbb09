// 3-D Secure: the bank wants to hear from the guest before it pays.
import { expect, type Page } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, pay, signIn } from "../actions.js";

async function untilTheBankAsks(page: Page, email: string): Promise<void> {
  await signIn(page, email);
  await page.getByRole("link", { name: /Check out/ }).click();
  await pay(page, /3184/);
  await expect(page.getByRole("heading", { name: "Your bank needs you to verify this payment" })).toBeVisible();
}

test("a payment confirmed at the bank succeeds", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await untilTheBankAsks(page, "amara.okafor@example.com");
  await expect(page.getByText("Nothing is charged yet.")).toBeVisible();
  await expect(page.getByText(/Time left: \d+ min/)).toBeVisible();
  await accessible(page, info);
  expect((await hotel.state()).stripe.payment_intents.filter((one: any) => one.status === "succeeded")).toHaveLength(0);

  await page.getByRole("link", { name: "Continue to your bank" }).click();
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page).toHaveURL(/\/guest\/execution\/exe_/);
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  await accessible(page, info);
  expect(errors).toEqual([]);
  const { stripe } = await hotel.state();
  expect(stripe.payment_intents.filter((one: any) => one.status === "succeeded")).toHaveLength(1);
});

test("a payment not confirmed at the bank is not charged", async ({ page, hotel }, info) => {
  await untilTheBankAsks(page, "henrik.larsen@example.com");
  await page.getByRole("link", { name: "Continue to your bank" }).click();
  await page.getByRole("button", { name: "Fail" }).click();
  await expect(page).toHaveURL(/\/guest\/execution\/exe_/);
  await expect(page.getByRole("heading", { name: "Nothing was charged" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try another card" })).toBeVisible();
  await accessible(page, info);
  const { stripe, salesforce } = await hotel.state();
  expect(stripe.payment_intents.filter((one: any) => one.status === "succeeded")).toHaveLength(0);
  expect(salesforce.Booking__c.find((one: any) => one.Name === "BK-0028").Status__c).toBe("Checked In");
});
