// The chosen theme.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible } from "../actions.js";

test("a chosen theme is remembered and applied in the first paint", async ({ page }, info) => {
  await page.goto("/guest/sign-in");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor).catch(() => "");
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
  await accessible(page, info);
  const dark = await ground();
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Light" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  expect(await ground()).not.toBe(dark);
  await accessible(page, info);
});
