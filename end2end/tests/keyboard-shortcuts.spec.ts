// Single keys, and how they are switched off.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInStaff } from "../actions.js";

test("keyboard shortcuts work and can be disabled", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "manager@dewy.example");
  await page.goto("/staff/keys");
  await expect(page.getByRole("row", { name: "g n Needs attention" })).toBeVisible();
  await accessible(page, info);
  if (info.project.use.javaScriptEnabled === false) return;
  await page.waitForLoadState("networkidle");
  // Pressed again until the page answers to keys at all, and never while the next page is on its way
  const pressed = async (keys: string[], url: RegExp) => {
    await expect(async () => {
      expect(errors).toEqual([]);
      const left = page.waitForRequest(url, { timeout: 1500 });
      for (const key of keys) await page.keyboard.press(key);
      await left;
    }).toPass();
    await expect(page).toHaveURL(url);
    await page.waitForLoadState("networkidle");
  };
  await pressed(["g", "n"], /\/staff\/attention$/);
  await pressed(["?"], /\/staff\/keys$/);
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(page.getByRole("combobox", { name: /^Search guests/ })).toBeFocused({ timeout: 1000 });
  }).toPass();
  await page.getByRole("heading", { name: "Keyboard shortcuts", exact: true }).click();
  await page.getByRole("group", { name: "Single keys" }).getByRole("button", { name: "Off" }).click();
  await expect(page.getByText("Single keys are switched off.")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/\/staff\/keys$/);
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: /^Search guests/ })).toBeFocused({ timeout: 1000 });
  }).toPass();
});
