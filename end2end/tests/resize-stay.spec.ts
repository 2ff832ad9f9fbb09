// A stay is made longer or shorter on the tape chart.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInToday } from "../actions.js";

const row = async (hotel: any, object: string, field: string, value: string) =>
  (await hotel.state()).salesforce[object].find((one: any) => one[field] === value);

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
