import { expect } from "@playwright/test";
import { test } from "../house.js";
import { accessible, listen, signIn } from "../verbs.js";

test("Sarah checks in and reads her room", async ({ page, house }, info) => {
  const errors = listen(page, house);
  await signIn(page, "sarah@example.com");
  await expect(page.getByRole("heading", { name: "Are you arriving today?" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: "Check in" }).click();
  await expect(page.getByText("sarah@example.com")).toBeVisible();
  await accessible(page, info);
  await page.getByRole("button", { name: "Check in now" }).click();
  await expect(page).toHaveURL(/\/guest\/execution\/exe_/);
  await expect(page.getByRole("heading", { name: "You are checked in. Welcome!" })).toBeVisible();
  await expect(page.locator(".big")).toContainText("205");
  await accessible(page, info);

  await page.getByRole("link", { name: "Go to your stay" }).click();
  await expect(page.getByRole("heading", { name: "Room 205" })).toBeVisible();
  await expect(page.getByRole("link", { name: "See your bill" })).toBeVisible();
  await accessible(page, info);
  expect(errors).toEqual([]);

  const { salesforce } = await house.state();
  expect(salesforce.Booking__c.find((one: any) => one.Name === "BK-0034").Status__c).toBe("Checked In");
  expect(salesforce.Hotel_Room__c.find((one: any) => one.Room_Number__c === "205").Status__c).toBe("Occupied");
});

test("a room that is still being cleaned says so and changes nothing", async ({ page, house }, info) => {
  await signIn(page, "grace.kim@example.com");
  await page.getByRole("link", { name: "Check in" }).click();
  await page.getByRole("button", { name: "Check in now" }).click();
  await expect(page.getByRole("heading", { name: "Your room is not ready yet" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try again" })).toBeVisible();
  await accessible(page, info);
  const { salesforce } = await house.state();
  expect(salesforce.Booking__c.find((one: any) => one.Name === "BK-0035").Status__c).toBe("Reserved");
});

test("a day too early is told with the days of the stay", async ({ page }, info) => {
  await signIn(page, "chloe.dubois@example.com");
  await page.getByRole("link", { name: "Check in" }).click();
  await page.getByRole("button", { name: "Check in now" }).click();
  await expect(page.getByRole("heading", { name: "It is not the day yet" })).toBeVisible();
  await expect(page.locator(".outcome")).toContainText("Your stay is from");
  await accessible(page, info);
});
