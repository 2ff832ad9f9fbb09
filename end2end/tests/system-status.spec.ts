// Status of the outside systems.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInStaff } from "../actions.js";

test("outside systems show their status and its meaning", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  await page.goto("/staff/rooms");
  await page.getByRole("link", { name: "Outside systems" }).click();
  const salesforce = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Salesforce" }) });
  await expect(salesforce).toContainText("Responding");
  await expect(salesforce).toContainText("Sandbox");
  await accessible(page, info);
  expect(errors).toEqual([]);
  // Fault injection is a manager's
  await expect(page.getByRole("link", { name: "Fault injection" })).toHaveCount(0);
  expect((await page.goto("/staff/fault-injection"))?.status()).toBe(404);
});
