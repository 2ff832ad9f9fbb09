// What staff find.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInStaff } from "../actions.js";

test("search finds guests, rooms and bookings, and reports no results", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  const find = async (text: string) => {
    await page.getByRole("combobox", { name: /^Search guests/ }).fill(text);
    await page.getByRole("combobox", { name: /^Search guests/ }).press("Enter");
    await expect(page.getByRole("heading", { name: "Search", exact: true })).toBeVisible();
  };
  await find("o'brien");
  await expect(page.getByRole("region", { name: "Guests" })).toContainText("nora.o'brien@example.com");
  await accessible(page, info);
  await page.getByRole("region", { name: "Guests" }).getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Nora O'Brien" })).toBeVisible();
  await find("302");
  await expect(page.getByRole("region", { name: "Rooms" }).getByRole("link", { name: "Room 302" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Bookings around today" })).toContainText("Beth Gibbs");
  await find("bk 42");
  await expect(page.getByRole("link", { name: "BK-0042" }).first()).toHaveAttribute("href", "/staff/stays/BK-0042");
  await find("nobody of that name");
  await expect(page.getByRole("status").filter({ hasText: "Nothing matches" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: /^Search guests/ })).toHaveValue("nobody of that name");
  await accessible(page, info);
  expect(errors).toEqual([]);
});
