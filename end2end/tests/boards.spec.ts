// The desk's day: today, rooms, the tape chart.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, enter, browserErrors, reflows, signInToday } from "../actions.js";

const booking = async (hotel: any, number: string) =>
  (await hotel.state()).salesforce.Booking__c.find((one: any) => one.Name === number);

// Staff may sign in ten times in a quarter of an hour: this file plays in a hotel of its own
test.use({ own: "boards" });

test("a guest is checked in from Today by keyboard alone", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await accessible(page, info);
  await enter(page, page.getByRole("button", { name: "Check in: Sarah Johnson" }));
  await expect(page.locator(".flash")).toContainText("Sarah Johnson is checked in. The room is 205.");
  await expect(page.getByRole("button", { name: "Check in: Sarah Johnson" })).toHaveCount(0);
  await accessible(page, info);
  expect((await booking(hotel, "BK-0034")).Status__c).toBe("Checked In");
  expect(errors).toEqual([]);
});

test("an obstacle to check-in is named and linked", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  const grace = page.getByRole("row", { name: /Grace Kim/ });
  await expect(grace).toContainText("Room 206 is being cleaned");
  await expect(page.getByRole("row", { name: /Dmitri Volkov/ })).toContainText("Expected yesterday");
  await expect(page.getByRole("row", { name: /Henrik Larsen/ })).toContainText("Was due out yesterday");
  await page.getByRole("link", { name: "See room 206: Grace Kim" }).click();
  await expect(page.getByRole("heading", { name: "Room 206" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("button", { name: "Clean, ready: room 206" }).click();
  await expect(page.locator(".flash")).toContainText("Room 206 is ready.");
  await accessible(page, info);
  await page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Today" }).click();
  await expect(page.getByRole("button", { name: "Check in: Grace Kim" })).toBeVisible();

  await page.getByRole("link", { name: /In house/ }).click();
  await expect(page.getByRole("row", { name: /Wei Chen/ })).toHaveCount(2);
  await accessible(page, info);
  await page.getByText("Night by night").click();
  await expect(page.getByRole("columnheader", { name: "Night of" })).toBeVisible();
  await accessible(page, info);
  expect(errors).toEqual([]);
});

test("rooms are filtered by clicking a count, and a defect takes a room out of service", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  // A board is up to five seconds old: the hotel was put back to its beginning just now
  await expect(async () => {
    await page.goto("/staff/rooms");
    await expect(page.locator(".room-tile[data-condition=dirty]")).toHaveCount(3, { timeout: 1000 });
  }).toPass();
  await expect(page.locator(".room-tile")).toHaveCount(44);
  await accessible(page, info);
  await page.getByRole("navigation", { name: "Show" }).getByRole("link", { name: /Needs cleaning/ }).click();
  await expect(page).toHaveURL(/show=dirty/);
  await expect(page.locator(".room-tile")).toHaveCount(3);
  await page.getByRole("navigation", { name: "Floors" }).getByRole("link", { name: "Floor 3" }).click();
  await expect(page.locator(".room-tile")).toHaveCount(1);
  await accessible(page, info);

  await page.goto("/staff/rooms/400");
  await page.getByLabel("What is wrong").fill("The window does not close");
  await page.getByLabel("The room can’t be occupied until this is fixed").check();
  await page.getByRole("button", { name: "Report it" }).click();
  await expect(page.locator(".flash")).toContainText(/Case \d+ is open for room 400/);
  await expect(page.locator(".standing")).toContainText(/Out of service|Under repair/);
  await accessible(page, info);
  expect(errors).toEqual([]);
});

test("a booking is moved on the tape chart without dragging, after a preview", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await page.goto("/staff/tape");
  await accessible(page, info);
  await expect(page.locator('td[data-booking="BK-0046"]')).toHaveAttribute("colspan", "4");
  await page.goto("/staff/stays/BK-0041/move");
  await expect(page.getByRole("heading", { name: "Move to another room" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: "Room 306" }).click();
  await expect(page.getByRole("heading", { name: "From 303 to 306" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("button", { name: "Move to 306" }).click();
  await expect(page.locator(".flash")).toContainText("BK-0041 has room 306 booked now.");
  await expect(page.locator(".facts")).toContainText("306");

  await page.goto("/staff/tape");
  await expect(page.locator('td[data-booking="BK-0041"]')).toHaveAttribute("data-room", "306");
  await page.getByRole("link", { name: /A week later/ }).click();
  await expect(page).toHaveURL(/from=/);
  await accessible(page, info);
  expect(errors).toEqual([]);
});

test("a booking is dragged to another room or day and written after confirmation", async ({ page, hotel }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "without a script the way is the menu");
  const errors = browserErrors(page, hotel);
  // Wide and tall enough that nothing scrolls while the mouse holds a booking
  await page.setViewportSize({ width: 1280, height: 2600 });
  const grip = { sourcePosition: { x: 12, y: 12 } };
  const bar = (number: string) => page.locator(`.tape td[data-booking="${number}"]`);
  const tape = async () => {
    await page.goto("/staff/tape");
    await expect(page.locator("html[data-drag]")).toBeAttached();
  };
  await signInToday(page, "frontdesk@dewy.example");
  await tape();
  await expect(page.getByText("Drag a booking to another room or day")).toBeVisible();

  // In the hotel: another room, and never another arrival
  await bar("BK-0032").dragTo(page.locator('.tape td[data-room="306"]').first(), grip);
  await expect(page).toHaveURL(/\/staff\/stays\/BK-0032\/move\?room=306$/);
  await expect(page.getByRole("heading", { name: "From 105 to 306" })).toBeVisible();
  await accessible(page, info);
  expect((await booking(hotel, "BK-0032")).Status__c).toBe("Checked In");
  await tape();
  await expect(bar("BK-0032")).toHaveAttribute("data-room", "105");

  // To come: other days of the same room
  const before = await booking(hotel, "BK-0046");
  const room = await bar("BK-0046").getAttribute("data-room");
  const free = page.locator(`.tape tr[data-key="${room}-0"] td:not(.bar)[data-day]`).last();
  const last = (await free.getAttribute("data-day")) ?? "";
  const later = Math.round((Date.parse(last) - Date.parse(before.Check_In_Date__c)) / 86_400_000);
  await bar("BK-0046").dragTo(free, grip);
  await expect(page).toHaveURL(new RegExp(`/staff/stays/BK-0046/move\\?room=${room}&later=${later}$`));
  await expect(page.getByRole("heading", { name: "Move to other dates" })).toBeVisible();
  await expect(page.getByText("The price stays what it was.")).toBeVisible();
  await accessible(page, info);
  expect(await booking(hotel, "BK-0046")).toEqual(before);
  await page.getByRole("button", { name: "Move to these days" }).click();
  await expect(page.locator(".flash")).toContainText(`BK-0046 has room ${room} booked now, `);
  const after = await booking(hotel, "BK-0046");
  expect([after.Room__c, after.Check_In_Date__c]).toEqual([before.Room__c, last]);

  // Where somebody else is, the page says so
  await tape();
  await bar("BK-0032").dragTo(bar("BK-0030"), grip);
  await expect(page.getByText(/Room 310 is .*Nothing was changed\. Choose one of the free rooms below\./)).toBeVisible();
  expect(errors).toEqual([]);
});

test("a board updates when a guest checks in elsewhere", async ({ page, browser, hotel }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "without a script nothing changes by itself");
  await signInToday(page, "manager@dewy.example");
  await expect(page.locator(".connection[data-state=open]")).toBeVisible();
  await expect(page.getByRole("button", { name: "Check in: Liam Walsh" })).toBeVisible();
  const elsewhere = await browser.newContext({ baseURL: hotel.url });
  const other = await elsewhere.newPage();
  await signInToday(other, "frontdesk@dewy.example");
  await other.getByRole("button", { name: "Check in: Liam Walsh" }).click();
  await expect(other.locator(".flash")).toContainText("is checked in");
  await elsewhere.close();
  await expect(page.getByRole("button", { name: "Check in: Liam Walsh" })).toHaveCount(0);
  await accessible(page, info);
});

test("boards reflow at 320 px", async ({ page }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "a script changes no width");
  await signInToday(page, "manager@dewy.example");
  for (const path of [
    "/staff",
    "/staff/rooms",
    "/staff/rooms/206",
    "/staff/tape",
    "/staff/stays/BK-0042",
    "/staff/stays/BK-0042/check-out",
    "/staff/stays/BK-0041/move?room=306",
    "/staff/stays/BK-0041/change",
    "/staff/cases",
    "/staff/cases/new",
    "/staff/guests?query=chen",
    "/staff/guest?email=beth.gibbs@email.com",
    "/staff/book",
  ]) {
    await page.goto(path);
    await reflows(page);
  }
});

test("the wall screen shows live counts without names and marks outdated data", async ({ page, context, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "housekeeping@dewy.example");
  await page.goto("/staff/rooms");
  await page.getByRole("link", { name: "Board for the wall" }).click();
  await expect(page.locator(".wall-floor li")).toHaveCount(44);
  // A board is up to five seconds old: the hotel was put back to its beginning just now
  await expect(async () => {
    await page.reload();
    await expect(page.locator("[data-count=dirty] dd")).toHaveText("3", { timeout: 1000 });
  }).toPass();
  const text = await page.locator("body").innerText();
  for (const name of ["Beth", "Gibbs", "Johnson", "Volkov", "@", "towels"]) expect(text).not.toContain(name);
  await accessible(page, info);
  await page.setViewportSize({ width: 1920, height: 1080 });
  // Four meters from a television of 43 inches (half a millimeter a pixel): numbers are 20 mm high, and nothing scrolls
  const size = await page.locator(".wall-floor strong").first().evaluate((one) => parseFloat(getComputedStyle(one).fontSize));
  expect(size).toBeGreaterThanOrEqual(40);
  const word = await page.locator(".wall-floor .word").first().evaluate((one) => parseFloat(getComputedStyle(one).fontSize));
  expect(word).toBeGreaterThanOrEqual(24);
  const over = await page.evaluate(() => document.querySelector(".wall-cases")!.getBoundingClientRect().bottom - innerHeight);
  expect(over).toBeLessThanOrEqual(0);
  await reflows(page);
  if (!(await page.evaluate(() => document.documentElement.hasAttribute("data-live")).catch(() => false))) return;
  await expect(page.locator(".connection")).toHaveText("Live");
  const dirty = page.locator("[data-count=dirty] dd");
  await expect(dirty).toHaveText("3");
  const other = await context.newPage();
  await other.goto("/staff");
  await other.getByRole("button", { name: "Clean, ready: room 206" }).click();
  await expect(dirty).toHaveText("2");
  await other.close();
  expect(errors).toEqual([]);
  await context.setOffline(true);
  await expect(page.getByRole("alert")).toHaveText("No connection. What you see may be out of date.");
  await accessible(page, info);
  await context.setOffline(false);
  await expect(page.getByRole("alert")).toBeHidden();
});
