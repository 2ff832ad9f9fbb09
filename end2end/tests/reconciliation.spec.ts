// Payments side by side: a difference is made, shown, and led to what puts it right.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInStaff } from "../actions.js";

// It counts what differs: nothing else may have been paid here
test.use({ own: "reconciliation" });

/** An execution of ours that nobody remembers. */
const LOST = "exe_00000000000070008000000000000001";
const BETH = "beth.gibbs@email.com";

test("an orphaned payment is marked and refunded", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "manager@dewy.example");
  await page.goto("/staff/systems");
  const installation_id = await page.getByText(/^ins_/).innerText();
  const payment = await hotel.paid(BETH, 5000, { installation_id, execution_id: LOST, booking_number: "BK-0042", room_number: "302" });
  const other = await hotel.paid(BETH, 4200, { order: "spa-17" });
  await page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Payments" }).click();
  const row = page.getByRole("row", { name: payment });
  await expect(row).toContainText("Money without a check-out");
  await expect(row).toHaveAttribute("data-drift", "true");
  await expect(page.getByRole("row", { name: other })).toHaveCount(0);
  await expect(page.getByText("1 payment of another program or installation on this Stripe account is not shown.")).toBeVisible();
  await accessible(page, info);

  await page.getByRole("navigation", { name: "Filter by difference" }).getByRole("link", { name: "Differ 1" }).click();
  await expect(page).toHaveURL(/only=different/);
  await expect(page.getByRole("row", { name: other })).toHaveCount(0);
  const file = await page.request.get((await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href")) ?? "");
  const lines = (await file.text()).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(payment);
  expect(lines[1]).toContain("money_without_booking");

  await row.getByRole("link", { name: "Refund…" }).click();
  await expect(page.getByLabel("Stripe payment")).toHaveValue(payment);
  // Nobody has written down whose it was: the desk looks the booking up
  await page.getByLabel("Guest’s email").fill(BETH);
  await accessible(page, info);
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("Our journal has no record of this payment.")).toBeVisible();
  await accessible(page, info);
  await page.getByRole("button", { name: /^Refund/ }).click();
  await expect(page).toHaveURL(/\/staff\/compensations$/);
  await expect(page.locator(".flash")).toContainText(`$50.00 of the payment ${payment} was refunded.`);
  await expect(async () => {
    await page.goto("/staff/payments");
    await expect(row).toContainText("Agree", { timeout: 1000 });
  }).toPass();
  await expect(row).toContainText("$50.00 back");
  await page.getByRole("link", { name: "Differ 0" }).click();
  await expect(page.getByText("Everything matches.")).toBeVisible();
  expect(errors).toEqual([]);
});

test("the payments page reports an invalid date", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  await page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Payments" }).click();
  await expect(page.getByRole("heading", { name: "Payments", exact: true })).toBeVisible();
  await accessible(page, info);
  await page.goto("/staff/payments?from=soon");
  await expect(page.getByRole("alert")).toContainText("Enter a day such as");
  await accessible(page, info);
  expect(errors).toEqual([]);
});
