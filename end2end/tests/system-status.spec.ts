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

test("Today says which outside system does not respond", async ({ page, hotel }, info) => {
  await signInStaff(page, "manager@dewy.example");
  await page.goto("/staff");
  await hotel.fault("salesforce", "query", "status", { status: 503 });
  await hotel.fault("salesforce", "composite", "status", { status: 503 });
  const banner = page.getByText(/Salesforce is not responding/);
  if (info.project.use.javaScriptEnabled === false) {
    await expect(async () => {
      await page.goto("/staff");
      await expect(banner).toBeVisible({ timeout: 1_000 });
    }).toPass();
  } else {
    await expect(banner).toBeVisible();
    await expect(page.locator(".connection[data-state=silent]")).toBeVisible();
  }
  await hotel.heal();
});
