// Filters that staff keep under a name.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInToday } from "../actions.js";

test("filters are saved as a view", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "manager@dewy.example");
  await page.goto("/staff/executions?state=needs_attention");
  await page.getByText("Save this view").click();
  await page.getByLabel("Name of the view").fill("Waits for me");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.goto("/staff/executions");
  await accessible(page, info);
  await page.getByRole("navigation", { name: "Saved views" }).getByRole("link", { name: "Waits for me" }).click();
  await expect(page).toHaveURL(/state=needs_attention/);
  await page.getByRole("button", { name: "Delete the view Waits for me" }).click();
  await expect(page.getByRole("navigation", { name: "Saved views" })).toHaveCount(0);
  expect(errors).toEqual([]);
});
