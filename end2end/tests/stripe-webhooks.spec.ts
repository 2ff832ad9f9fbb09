// What Stripe tells the hotel by itself: money that goes back behind a check-out's back becomes a record that a person sees.
import { expect, type Page } from "@playwright/test";
import { type TestHotel, test } from "../test-hotel.js";
import { accessible, browserErrors, pay, signIn, signInStaff } from "../actions.js";

// Events of another file's payments would be counted
test.use({ own: "webhooks" });

/** Beth has checked out and paid $250.00; the payment. */
async function checkedOut(page: Page, hotel: TestHotel): Promise<string> {
  await signIn(page, "beth.gibbs@email.com");
  await page.goto("/guest/check-out");
  await pay(page, /Visa/);
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  const { payment_intents } = (await hotel.state()).stripe;
  return payment_intents.find((payment: any) => payment.metadata.booking_number === "BK-0042").id;
}

/** The record about it, from the payment's row; events take a moment. */
async function decide(page: Page, payment: string): Promise<void> {
  const row = page.getByRole("row", { name: payment });
  await expect(async () => {
    await page.goto("/staff/payments");
    await expect(row.getByRole("link", { name: "Decide" })).toBeVisible({ timeout: 500 });
  }).toPass();
}

test("a refund in Stripe’s dashboard goes to staff with the evidence", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  const payment = await checkedOut(page, hotel);
  await hotel.paid("beth.gibbs@email.com", 4200, { order: "spa-17" });
  await signInStaff(page, "manager@dewy.example");
  await page.goto("/staff/payments");
  const row = page.getByRole("row", { name: payment });
  await expect(row).toContainText("Agree");
  // Another program's payment is counted, and no record is made of it
  await expect(page.getByText("1 payment of another program or installation on this Stripe account is not shown.")).toBeVisible();

  const refund = await hotel.refunded(payment, 5000);
  await decide(page, payment);
  // It is under way until its record is written
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText("Amounts differ", { timeout: 1000 });
  }).toPass();
  await expect(row).toContainText("$50.00 back");
  await accessible(page, info);
  await row.getByRole("link", { name: "Decide" }).click();
  await expect(page).toHaveURL(/\/staff\/executions\/exe_/);
  await expect(page.getByText(/^\$50\.00 of \$250\.00 was refunded outside this program on .* and the stay it paid for is checked out\./)).toBeVisible();
  for (const evidence of [payment, refund]) await expect(page.getByText(evidence).filter({ visible: true }).first()).toBeVisible();
  await accessible(page, info);

  await page.goto("/staff/attention");
  const waiting = page.getByRole("main");
  await expect(waiting.getByRole("heading", { name: "The payment of a completed check-out was refunded outside this program" })).toHaveCount(1);
  await expect(waiting).not.toContainText("spa-17");
  expect(errors).toEqual([]);
});

test("a dispute goes to staff with its deadline", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  const payment = await checkedOut(page, hotel);
  const dispute = await hotel.disputed(payment);
  await signInStaff(page, "manager@dewy.example");
  await decide(page, payment);
  await page.getByRole("row", { name: payment }).getByRole("link", { name: "Decide" }).click();
  await expect(page.getByText(/Answer it in Stripe.s dashboard by /)).toBeVisible();
  for (const evidence of [payment, dispute]) await expect(page.getByText(evidence).filter({ visible: true }).first()).toBeVisible();
  await accessible(page, info);
  expect(errors).toEqual([]);
});
