// What staff find, and what is behind the scenes.
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
    }).toPass({ timeout: 40_000 });
    await expect(page).toHaveURL(url);
    await page.waitForLoadState("networkidle");
  };
  await pressed(["g", "n"], /\/staff\/attention$/);
  await pressed(["?"], /\/staff\/keys$/);
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(page.getByRole("combobox", { name: /^Search guests/ })).toBeFocused({ timeout: 1000 });
  }).toPass();
  await page.getByRole("heading", { name: "Keys", exact: true }).click();
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

test("outside systems show their status and its meaning", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  await page.goto("/staff/rooms");
  await page.getByRole("link", { name: "Outside systems" }).click();
  const salesforce = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Salesforce" }) });
  await expect(salesforce).toContainText("Answers");
  await expect(salesforce).toContainText("Sandbox");
  await accessible(page, info);
  expect(errors).toEqual([]);
  // Fault injection is a manager's
  await expect(page.getByRole("link", { name: "Fault injection" })).toHaveCount(0);
  expect((await page.goto("/staff/fault-injection"))?.status()).toBe(404);
});

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
