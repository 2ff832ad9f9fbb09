import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, enter, browserErrors, reflows, signIn, tabTo } from "../actions.js";

test("Sarah checks in step by step with her requests", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "sarah@example.com");
  await expect(page.getByRole("heading", { name: "You arrive today" })).toBeVisible();
  await expect(page.getByText("Your room is ready")).toBeVisible();
  await accessible(page, info);
  await reflows(page);
  await page.getByRole("link", { name: "Check in" }).click();
  await expect(page.getByText("Step 1 of 2")).toBeVisible();
  await accessible(page, info);
  await reflows(page);
  await page.getByLabel("This evening").check();
  await page.getByLabel(/Any special requests/).fill("A cot, please");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Review your check-in" })).toBeVisible();
  await expect(page.locator(".answers")).toContainText("A cot, please");
  await accessible(page, info);
  await reflows(page);
  // What was answered is still there when it is changed
  await page.getByRole("link", { name: /^Change\s+your special requests/ }).click();
  await expect(page.getByLabel("This evening")).toBeChecked();
  await page.getByLabel(/Any special requests/).fill("A cot and a quiet room, please");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Check in now" }).click();
  await expect(page).toHaveURL(/\/guest\/execution\/exe_/);
  await expect(page.getByRole("heading", { name: "You are checked in. Welcome!" })).toBeVisible();
  await expect(page.locator(".big")).toContainText("205");
  await accessible(page, info);
  await reflows(page);

  await page.getByRole("link", { name: "Go to your stay" }).click();
  await expect(page.getByRole("heading", { name: "Room 205" })).toBeVisible();
  await expect(page.getByRole("link", { name: "See your bill" })).toBeVisible();
  await expect(page.locator(".requests")).toContainText("A cot and a quiet room, please");
  await accessible(page, info);
  expect(errors).toEqual([]);

  const { salesforce } = await hotel.state();
  expect(salesforce.Booking__c.find((one: any) => one.Name === "BK-0034").Status__c).toBe("Checked In");
  expect(salesforce.Hotel_Room__c.find((one: any) => one.Room_Number__c === "205").Status__c).toBe("Occupied");
  const wishes = salesforce.Case.filter((one: any) => one.Description.startsWith("A cot and a quiet room"));
  expect(wishes).toHaveLength(1);
  expect(wishes[0].Description).toContain("Arriving: this evening.");
});

test("a check-in by keyboard alone", async ({ page }) => {
  await signIn(page, "sarah@example.com");
  await enter(page, page.getByRole("link", { name: "Check in" }));
  await expect(page.getByText("Step 1 of 2")).toBeVisible();
  await tabTo(page, page.getByLabel("I am here"));
  await page.keyboard.press("ArrowDown");
  await expect(page.getByLabel("Within two hours")).toBeChecked();
  await enter(page, page.getByRole("button", { name: "Continue" }));
  await expect(page.locator(".answers")).toContainText("Within two hours");
  await enter(page, page.getByRole("button", { name: "Check in now" }));
  await expect(page.getByRole("heading", { name: "You are checked in. Welcome!" })).toBeVisible();
});

test("a room that is still being cleaned says so and changes nothing", async ({ page, hotel }, info) => {
  await signIn(page, "grace.kim@example.com");
  await expect(page.getByText("We are preparing your room")).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: "Check in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Check in now" }).click();
  await expect(page.getByRole("heading", { name: "Your room is not ready yet" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try again" })).toBeVisible();
  await accessible(page, info);
  const { salesforce } = await hotel.state();
  expect(salesforce.Booking__c.find((one: any) => one.Name === "BK-0035").Status__c).toBe("Reserved");
});

test("an early check-in is refused with the dates of the stay", async ({ page }, info) => {
  await signIn(page, "chloe.dubois@example.com");
  await expect(page.getByRole("heading", { name: "You arrive tomorrow" })).toBeVisible();
  await accessible(page, info);
  await page.goto("/guest/check-in");
  await expect(page.getByRole("heading", { name: "It’s too early to check in" })).toBeVisible();
  await expect(page.getByText("Your stay is from")).toBeVisible();
  await accessible(page, info);
});
