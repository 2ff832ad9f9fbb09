// What the front desk does with several records at once.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, reflows, signInToday } from "../actions.js";

const row = async (hotel: any, object: string, field: string, value: string) =>
  (await hotel.state()).salesforce[object].find((one: any) => one[field] === value);

// Staff may sign in ten times in a quarter of an hour: this file plays in a hotel of its own
test.use({ own: "several" });

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
