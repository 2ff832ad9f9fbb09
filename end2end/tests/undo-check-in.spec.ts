// A check-in is undone from its message and from the stay, and not after a foreign edit.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInToday } from "../actions.js";

const row = async (hotel: any, object: string, field: string, value: string) =>
  (await hotel.state()).salesforce[object].find((one: any) => one[field] === value);

// Staff may sign in ten times in a quarter of an hour: this file plays in a hotel of its own
test.use({ own: "undone" });

test("a check-in is undone from its message", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await page.getByRole("button", { name: "Check in: Sarah Johnson" }).click();
  await expect(page.locator(".flash")).toContainText("Sarah Johnson is checked in. The room is 205.");
  await accessible(page, info);
  await page.getByRole("button", { name: "Undo the check-in of Sarah Johnson" }).click();
  await expect(page.locator(".flash")).toContainText("The check-in of Sarah Johnson is undone. Room 205 is Vacant again.");
  expect((await row(hotel, "Booking__c", "Name", "BK-0034")).Status__c).toBe("Reserved");

  await page.getByRole("button", { name: "Check in: Sarah Johnson" }).click();
  await page.goto("/staff/stays/BK-0034");
  await page.getByRole("link", { name: "Undo the check-in" }).click();
  await expect(page.getByText("The booking becomes Reserved again, and room 205 Vacant.")).toBeVisible();
  await accessible(page, info);
  const room = await row(hotel, "Hotel_Room__c", "Room_Number__c", "205");
  await hotel.edit("Hotel_Room__c", room.Id, { Status__c: "Cleaning" });
  await page.getByRole("button", { name: "Undo the check-in" }).click();
  await expect(page.getByRole("alert")).toContainText("Somebody has changed the room since the check-in.");
  await hotel.edit("Hotel_Room__c", room.Id, { Status__c: "Vacant", Current_Guest__c: null });
  await hotel.edit("Booking__c", (await row(hotel, "Booking__c", "Name", "BK-0034")).Id, { Status__c: "Reserved" });
  expect(errors).toEqual([]);
});
