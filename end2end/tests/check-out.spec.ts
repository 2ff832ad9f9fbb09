import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, pay, signIn, signInStaff } from "../actions.js";

test("Beth checks out of room 302 and has a receipt", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await page.goto("/");
  await accessible(page, info);
  await page.goto("/guest/sign-in");
  await accessible(page, info);
  await signIn(page, "beth.gibbs@email.com");
  await expect(page.getByRole("heading", { name: "Room 302" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: "See your bill first" }).click();
  await expect(page.getByRole("row", { name: /Balance/ })).toContainText("$250.00");
  await accessible(page, info);

  await page.getByRole("link", { name: "Check out" }).click();
  await expect(page.getByText("We will charge $250.00")).toBeVisible();
  await accessible(page, info);
  await pay(page, "Visa •••• 4242");
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  await expect(page.getByText("We charged $250.00 to your card.")).toBeVisible();
  await accessible(page, info);

  await page.getByRole("link", { name: "See your receipt" }).click();
  await expect(page.getByRole("heading", { name: "Receipt" })).toBeVisible();
  await expect(page.locator(".receipt")).toContainText("$250.00");
  await accessible(page, info);
  expect(errors).toEqual([]);

  const { stripe, salesforce } = await hotel.state();
  expect(stripe.payment_intents.filter((one: any) => one.status === "succeeded" && one.amount_received === 25000)).toHaveLength(1);
  expect(stripe.refunds).toHaveLength(0);
  expect(salesforce.Booking__c.find((one: any) => one.Name === "BK-0042").Status__c).toBe("Checked Out");
});

test("a declined card is reported, and another card works", async ({ page, hotel }, info) => {
  await signIn(page, "nora.o'brien@example.com");
  await page.getByRole("link", { name: "Check out" }).click();
  await pay(page, /0002/);
  await expect(page.getByRole("heading", { name: "Nothing was charged" })).toBeVisible();
  await expect(page.locator(".outcome").getByText("Your card was declined. You were not charged.")).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: "Try another card" }).click();
  await pay(page, /Mastercard/);
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  const { stripe } = await hotel.state();
  expect(stripe.payment_intents.filter((one: any) => one.status === "succeeded")).toHaveLength(1);
});
