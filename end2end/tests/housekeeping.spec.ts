// Housekeeping and maintenance: who works in the rooms.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, enter, browserErrors, reflows, focusStaysVisible, signInToday } from "../actions.js";

test("housekeeping marks a room clean by keyboard alone", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "housekeeping@dewy.example");
  await expect(page.locator(".queue > li").first()).toContainText("Room 206");
  await expect(page.locator(".queue > li").first()).toContainText("A guest arrives today");
  await accessible(page, info);
  for (const name of ["Executions", "Tape chart", "Guests", "Charges"]) {
    await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
  }
  await enter(page, page.getByRole("button", { name: "Clean, ready: room 206" }));
  await expect(page.locator(".flash")).toContainText("Room 206 is ready.");
  await expect(page.getByRole("button", { name: "Clean, ready: room 206" })).toHaveCount(0);
  const { salesforce } = await hotel.state();
  expect(salesforce.Hotel_Room__c.find((one: any) => one.Room_Number__c === "206").Status__c).toBe("Vacant");
  await accessible(page, info);

  await page.getByRole("button", { name: "Start work: Extra towels for 104" }).click();
  await expect(page.locator(".flash")).toContainText("is in progress, and yours");
  await page.getByRole("button", { name: "Done: Extra towels for 104" }).click();
  await expect(page.locator(".flash")).toContainText("is closed");
  await expect(page.getByText("Extra towels for 104")).toHaveCount(0);
  await accessible(page, info);
  await page.goto("/staff");
  await reflows(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await focusStaysVisible(page);
  expect(errors).toEqual([]);
});

test("housekeeping marks rooms clean with one tap each and undoes one", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await page.setViewportSize({ width: 390, height: 844 });
  await signInToday(page, "housekeeping@dewy.example");
  const status = async (room: string) =>
    (await hotel.state()).salesforce.Hotel_Room__c.find((one: any) => one.Room_Number__c === room).Status__c;
  // A board is up to five seconds old: the hotel was put back to its beginning just now
  await expect(async () => {
    await page.goto("/staff");
    await expect(page.locator(".queue > li")).toHaveCount(3, { timeout: 1000 });
  }).toPass();
  let taps = 0;
  /** Without scrolling: it is in the lower half of the screen, and large enough for a thumb. */
  const tap = async (name: string) => {
    const button = page.getByRole("button", { name, exact: true });
    await expect(button).toBeVisible();
    const { x, y, width, height } = (await button.boundingBox())!;
    expect(y, name).toBeGreaterThan(844 / 2);
    expect(y + height, name).toBeLessThanOrEqual(844);
    expect(height, name).toBeGreaterThanOrEqual(44);
    await page.mouse.click(x + width / 2, y + height / 2);
    taps += 1;
  };
  // The room of the guest who arrives comes first, then floor by floor; each comes up by itself
  for (const room of ["206", "201", "309"]) {
    await tap(`Clean, ready: room ${room}`);
    await expect(page.locator(".taken-back")).toContainText(`Room ${room} is ready`);
    expect(await status(room)).toBe("Vacant");
  }
  expect(taps).toBe(3);
  await expect(page.getByText("Every room is clean.")).toBeVisible();
  await accessible(page, info);
  await tap("Undo: room 309");
  await expect(page.getByRole("button", { name: "Clean, ready: room 309" })).toBeVisible();
  expect(await status("309")).toBe("Cleaning");
  expect(errors).toEqual([]);
});

test("a room is cleaned out of order", async ({ page, hotel }) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "housekeeping@dewy.example");
  await page.locator(".queue").getByRole("link", { name: "Room 309" }).click();
  await expect(page.getByRole("button", { name: "Clean, ready: room 206" })).toHaveCount(0);
  await page.getByRole("button", { name: "Clean, ready: room 309" }).click();
  await expect(page.getByRole("button", { name: "Clean, ready: room 206" })).toBeVisible();
  await page.getByRole("link", { name: "Something is broken" }).click();
  await expect(page.getByRole("heading", { name: "Something is broken" })).toBeInViewport();
  expect(errors).toEqual([]);
});

test("maintenance returns a room to service", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "maintenance@dewy.example");
  await accessible(page, info);
  await page.locator(".queue").getByRole("link", { name: "Room 210" }).click();
  await accessible(page, info);
  await page.getByRole("button", { name: "Repaired, ready: room 210" }).click();
  await expect(page.locator(".flash")).toContainText("Room 210 is ready.");
  await page.goto("/staff/cases");
  await expect(page.getByRole("link", { name: "Air conditioning of 210 does not cool" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Extra towels for 104" })).toHaveCount(0);
  await accessible(page, info);
  expect(errors).toEqual([]);
});
