// Bookings: found, made, changed, cancelled; each with its price before it is asked for.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, enter, browserErrors, reflows, signIn, tabTo } from "../actions.js";

const booking = (salesforce: any, number: string) => salesforce.Booking__c.find((one: any) => one.Name === number);

test("a guest finds a room and books it", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "hannah.weiss@example.com");
  await expect(page.getByRole("heading", { name: "Nothing is booked" })).toBeVisible();
  await accessible(page, info);
  await reflows(page);
  await page.getByRole("link", { name: "Find a room" }).click();
  await page.getByLabel("Guests").fill("3");
  await page.getByRole("button", { name: "Check availability" }).click();
  await expect(page.getByRole("heading", { name: "Available rooms" })).toBeVisible();
  await accessible(page, info);
  await reflows(page);
  // The search is in the address: whoever reloads it sees it again
  await page.reload();
  await expect(page.getByLabel("Guests")).toHaveValue("3");

  // The same cards as in everyone's search: each type with its picture, each offer with its price
  await expect(page.locator(".free-kind .room-picture").first()).toBeVisible();
  const offer = page.locator(".rate").first();
  const total = await offer.locator(".rate-price strong").innerText();
  await offer.getByRole("link", { name: /^Book/ }).click();
  await expect(page.getByRole("heading", { name: "Check your booking" })).toBeVisible();
  await accessible(page, info);
  await reflows(page);
  await expect(page.getByText("Hannah Weiss")).toBeVisible();
  await page.getByLabel(/Special requests/).fill("A quiet room");
  await page.getByRole("button", { name: `Book for ${total}` }).click();
  await expect(page.getByRole("heading", { name: "Your room is booked" })).toBeVisible();
  const number = await page.locator(".big strong").innerText();
  await expect(page.locator(".outcome")).toContainText(`The price is ${total}`);
  await accessible(page, info);
  await reflows(page);
  await page.getByRole("link", { name: "See your bookings" }).click();
  await expect(page.locator(".bookings").first()).toContainText(number);
  await accessible(page, info);
  await reflows(page);
  expect(errors).toEqual([]);
  const { salesforce } = await hotel.state();
  expect(booking(salesforce, number).Status__c).toBe("Reserved");
  expect(booking(salesforce, number).Special_Requests__c).toBe("A quiet room");
});

test("a booking by keyboard alone", async ({ page }) => {
  await signIn(page, "hannah.weiss@example.com");
  await enter(page, page.getByRole("link", { name: "Find a room" }));
  await enter(page, page.getByRole("button", { name: "Check availability" }));
  await expect(page.getByRole("heading", { name: "Available rooms" })).toBeVisible();
  await enter(page, page.locator(".rate").getByRole("link", { name: /^Book/ }).first());
  await expect(page.getByRole("heading", { name: "Check your booking" })).toBeVisible();
  await enter(page, page.getByRole("button", { name: /^Book for/ }));
  await expect(page.getByRole("heading", { name: "Your room is booked" })).toBeVisible();
});

test("impossible dates are reported at their fields", async ({ page }, info) => {
  await signIn(page, "hannah.weiss@example.com");
  await page.goto("/guest/book?check_in_date=2020-01-01&check_out_date=2020-01-01&number_of_guests=0");
  const problem = page.getByRole("alert");
  await expect(problem).toContainText("The day you arrive is in the past");
  await expect(problem.getByRole("link").first()).toHaveAttribute("href", "#check_in_date");
  await accessible(page, info);
  await reflows(page);
});

test("a change shows its price first and is applied", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "sarah@example.com");
  await page.goto("/guest/bookings");
  await page.getByRole("link", { name: /^Change/ }).click();
  await expect(page.getByRole("heading", { name: "Change your booking" })).toBeVisible();
  await accessible(page, info);
  await reflows(page);
  const leave = page.getByLabel("Check-out");
  const day = new Date(`${await leave.inputValue()}T12:00:00Z`);
  const later = new Date(day.getTime() + 86_400_000).toISOString().slice(0, 10);
  await leave.fill(later);
  await page.getByRole("button", { name: "See the price" }).click();
  await expect(page.getByRole("heading", { name: "Check the change" })).toBeVisible();
  await expect(page.locator(".difference")).toContainText("That is $175.00 more.");
  await accessible(page, info);
  await reflows(page);
  const before = (await hotel.state()).salesforce;
  expect(booking(before, "BK-0034").Check_Out_Date__c).not.toBe(later);
  await page.getByRole("button", { name: "Change to $700.00" }).click();
  await expect(page.getByRole("heading", { name: "Your booking is changed" })).toBeVisible();
  await expect(page.locator(".outcome")).toContainText("The price is $700.00");
  await accessible(page, info);
  expect(errors).toEqual([]);
  const after = (await hotel.state()).salesforce;
  expect(booking(after, "BK-0034").Check_Out_Date__c).toBe(later);
});

test("another room is chosen by price", async ({ page, hotel }, info) => {
  await signIn(page, "fatima.hassan@example.com");
  await page.goto("/guest/bookings/BK-0037/change");
  await page.getByLabel("Show me other rooms").check();
  await page.getByRole("button", { name: "See the price" }).click();
  await expect(page.getByRole("heading", { name: "Other rooms for these nights" })).toBeVisible();
  await accessible(page, info);
  await reflows(page);
  await page.getByRole("link", { name: /^Choose/ }).first().click();
  await expect(page.locator(".difference")).toContainText("less");
  const room = await page.locator(".before-after tr", { hasText: "Room" }).locator("td").last().innerText();
  await page.getByRole("button", { name: /^Change to/ }).click();
  await expect(page.getByRole("heading", { name: "Your booking is changed" })).toBeVisible();
  await expect(page.locator(".outcome")).toContainText(`Room ${room}`);
  const { salesforce } = await hotel.state();
  const there = salesforce.Hotel_Room__c.find((one: any) => one.Id === booking(salesforce, "BK-0037").Room__c);
  expect(there.Room_Number__c).toBe(room);
});

test("a booking is canceled after its consequences are shown", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "carlos.mendes@example.com");
  await expect(page.getByRole("heading", { name: /You arrive in \d+ days/ })).toBeVisible();
  await page.getByRole("link", { name: "Cancel this booking" }).click();
  await expect(page.getByRole("heading", { name: "What this means" })).toBeVisible();
  await expect(page.locator(".means")).toContainText("won’t be charged");
  await accessible(page, info);
  await reflows(page);
  await page.getByRole("button", { name: "Cancel booking BK-0048" }).click();
  await expect(page.getByRole("heading", { name: "Your booking is canceled" })).toBeVisible();
  await accessible(page, info);
  expect(errors).toEqual([]);
  const { salesforce } = await hotel.state();
  expect(booking(salesforce, "BK-0048").Status__c).toBe("Cancelled");
  // Another guest's booking is none
  const answer = await page.goto("/guest/bookings/BK-0034/cancel");
  expect(answer?.status()).toBe(404);
});

test("a link of a confirmation that was altered leads to the sign-in", async ({ page }, info) => {
  await page.goto("/booking/MjAyNi0xMS0yOA.AAAA");
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await expect(page.getByLabel("Email address")).toHaveValue("");
});
