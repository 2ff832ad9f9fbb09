// A guest's steps, taken for them at the desk; guests and new bookings.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInToday } from "../actions.js";

test.use({ own: "stays" });

const booking = async (hotel: any, number: string) =>
  (await hotel.state()).salesforce.Booking__c.find((one: any) => one.Name === number);

test("staff check Beth out after confirming the amount", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await page.getByRole("link", { name: "Beth Gibbs", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Beth Gibbs" })).toBeVisible();
  await expect(page.locator(".figure")).toContainText("$250.00");
  await accessible(page, info);
  await page.getByRole("link", { name: "Check out", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Check out Beth Gibbs" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("button", { name: "Charge $250.00 and check out" }).click();
  // Back where the work is, and what was done is gone from it
  await expect(page).toHaveURL(/\/staff$/);
  await expect(page.locator(".flash")).toContainText("Beth Gibbs is checked out and paid $250.00.");
  await expect(page.getByRole("link", { name: "Check out: Beth Gibbs" })).toHaveCount(0);
  await expect(page.locator(".flash").getByRole("link", { name: "Details" })).toHaveAttribute("href", /\/staff\/executions\/exe_/);
  await accessible(page, info);
  expect((await booking(hotel, "BK-0042")).Status__c).toBe("Checked Out");
  await page.goto("/staff/stays/BK-0042");
  await expect(page.getByText("This stay has ended")).toBeVisible();
  await accessible(page, info);
  expect(errors).toEqual([]);
});

test("staff change a booking, file a request, and mark a no-show", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await page.goto("/staff/stays/BK-0046/change");
  await accessible(page, info);
  await page.getByRole("button", { name: "Change the booking" }).click();
  await expect(page.getByRole("alert")).toContainText("Nothing is different");
  await accessible(page, info);
  await page.getByLabel("People").fill("3");
  await page.getByRole("button", { name: "Change the booking" }).click();
  await expect(page.locator(".flash")).toContainText("BK-0046 is changed.");
  await expect(page.locator(".facts")).toContainText("3");

  await page.goto("/staff/stays/BK-0032");
  await page.getByRole("link", { name: "New request" }).click();
  await page.getByLabel("Request").fill("A second pillow");
  await accessible(page, info);
  await page.getByRole("button", { name: "File the request" }).click();
  await expect(page.locator(".flash")).toContainText(/Case \d+ is open/);
  await accessible(page, info);

  await page.goto("/staff");
  await page.getByRole("link", { name: "Mark no-show: Dmitri Volkov" }).click();
  await expect(page.locator(".will")).toContainText("room 106 can be booked by others");
  await accessible(page, info);
  await page.getByRole("button", { name: "Mark no-show" }).click();
  await expect(page.locator(".flash")).toContainText("Dmitri Volkov is marked as no-show.");
  expect((await booking(hotel, "BK-0021")).Status__c).toBe("No Show");
  expect(errors).toEqual([]);
});

test("a guest is found and booked for other nights", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await page.goto("/staff/guests");
  await accessible(page, info);
  await page.getByLabel("Name, email, phone, booking or room").fill("rossi");
  await page.getByRole("button", { name: "Find" }).click();
  await accessible(page, info);
  await page.getByRole("link", { name: "Elena Rossi" }).click();
  await expect(page.getByRole("heading", { name: "Elena Rossi" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: "New booking" }).click();
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Arrival").fill(day(40));
  await page.getByLabel("Departure").fill(day(42));
  await page.getByRole("button", { name: "Show available rooms" }).click();
  await accessible(page, info);
  await page.getByRole("link", { name: "Room 305" }).click();
  await expect(page.getByLabel("Email")).toHaveValue("elena.rossi@example.com");
  await expect(page.locator(".answers")).toContainText("$350.00 for 2 nights");
  await accessible(page, info);
  await page.getByRole("button", { name: "Book room 305" }).click();
  await expect(page).toHaveURL(/\/staff\/stays\/BK-\d+$/);
  await expect(page.locator(".flash")).toContainText(/Room 305 is booked for Elena Rossi: BK-\d+\./);
  await accessible(page, info);
  expect(errors).toEqual([]);
});

test("a new guest is added once", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await page.goto("/staff/guests/new");
  await accessible(page, info);
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Byron");
  await page.getByRole("button", { name: "Add the guest" }).click();
  await expect(page.getByRole("heading", { name: "Ada Byron" })).toBeVisible();
  await accessible(page, info);
  expect(errors).toEqual([]);
});
