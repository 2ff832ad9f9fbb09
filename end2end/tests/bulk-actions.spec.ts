// What the desk takes back, does with several at once, and keeps under a name.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, reflows, signInToday } from "../actions.js";

const row = async (hotel: any, object: string, field: string, value: string) =>
  (await hotel.state()).salesforce[object].find((one: any) => one[field] === value);

// Staff may sign in ten times in a quarter of an hour: this file plays in a hotel of its own
test.use({ own: "several" });

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

test("several rooms are marked clean at once, each with its result", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await page.goto("/staff/rooms?show=dirty");
  const all = page.getByRole("checkbox", { name: /^Choose room/ });
  for (const one of await all.all()) await one.check();
  await accessible(page, info);
  await page.getByRole("button", { name: "Mark the chosen rooms clean…" }).click();
  // The list may be some seconds old, and is read anew for this page
  const title = page.getByRole("heading", { level: 1 });
  await expect(title).toHaveText(/^Mark \d+ rooms clean$/);
  const count = Number((await title.textContent())?.match(/\d+/)?.[0]);
  expect(count).toBeGreaterThan(1);
  await accessible(page, info);
  await reflows(page);
  const first = (await page.locator(".will li a").first().textContent()) ?? "";
  const room = await row(hotel, "Hotel_Room__c", "Room_Number__c", first.replace("Room ", ""));
  await page.getByLabel("Reason").fill("Inspected by Ana");
  // Somebody else is faster with one of them
  await hotel.edit("Hotel_Room__c", room.Id, { Status__c: "Maintenance" });
  await page.getByRole("button", { name: `Mark ${count} rooms clean` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/done=1/);
  await accessible(page, info);
  for (const line of await page.locator(".list tbody tr").all()) await expect(line).toContainText(/Room \d+/);
  await page.reload();
  await expect(page.locator(".list tbody tr")).toHaveCount(count);
  expect(errors).toEqual([]);
});

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

test("the end of a stay is dragged to another night and written after confirmation", async ({ page, hotel }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "without a script the way is the form");
  const errors = browserErrors(page, hotel);
  await page.setViewportSize({ width: 1280, height: 2600 });
  await signInToday(page, "frontdesk@dewy.example");
  await page.goto("/staff/tape");
  await expect(page.locator("html[data-drag]")).toBeAttached();
  const before = await row(hotel, "Booking__c", "Name", "BK-0046");
  const bar = page.locator('.tape td[data-booking="BK-0046"]');
  const free = page.locator(`.tape tr[data-key="${await bar.getAttribute("data-room")}-0"] td:not(.bar)[data-day]`).last();
  const night = (await free.getAttribute("data-day")) ?? "";
  await bar.locator(".grip").dragTo(free);
  await expect(page).toHaveURL(new RegExp(`/staff/stays/BK-0046/change\\?last_night=${night}$`));
  await expect(page.locator(".will")).toContainText(/The guest leaves on|is taken by/);
  await accessible(page, info);
  expect(await row(hotel, "Booking__c", "Name", "BK-0046")).toEqual(before);
  expect(errors).toEqual([]);
});
