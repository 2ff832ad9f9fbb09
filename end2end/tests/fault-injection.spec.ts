// The form that injects faults into the sandbox.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, signInStaff } from "../actions.js";

test("fault injection names an invalid field and keeps the form", async ({ page }, info) => {
  await signInStaff(page, "manager@dewy.example");
  await page.goto("/staff/fault-injection");
  await accessible(page, info);
  await page.getByText("One fault by hand").click();
  await page.getByLabel("Operation").fill("refund_create");
  await page.getByLabel("How many calls").fill("many");
  await page.getByRole("button", { name: "Set it" }).click();
  await expect(page.getByRole("alert")).toContainText("count must be a whole number.");
  await expect(page.getByLabel("How many calls")).toHaveValue("many");
  await page.getByLabel("How many calls").fill("2");
  await page.getByRole("button", { name: "Set it" }).click();
  await expect(page.getByRole("region", { name: "Set now" })).toContainText("Each of the next 2 stripe refund create");
  await page.getByRole("button", { name: "Clear all faults" }).click();
  await expect(page.getByText("Nothing: all systems respond normally.")).toBeVisible();
});
