// What anyone sees, without an account: the hotel, its rooms, what is free, and the way to a booking.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, reflows, focusStaysVisible } from "../actions.js";

test.use({ own: "public" });

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

test("a new guest signs in from a chosen room, and the choice is kept", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dewy Resort");
  await expect(page.getByRole("heading", { level: 3, name: "Penthouse" })).toBeVisible();
  await expect(page.getByText("from $125.00 a night")).toBeVisible();
  await accessible(page, info);
  await page.getByLabel("Check-in").fill(day(20));
  await page.getByLabel("Check-out").fill(day(22));
  await page.getByRole("button", { name: "Check availability" }).click();
  await expect(page.getByRole("heading", { name: "Available rooms" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: /^Book Deluxe, 1 King, ocean view/ }).click();
  await expect(page.getByRole("heading", { name: "Sign in to book" })).toBeVisible();
  await accessible(page, info);
  await page.getByLabel("Email address").fill("olivia.martin@example.com");
  await page.getByRole("button", { name: "Send me a code" }).click();
  const demo = page.getByRole("complementary", { name: "Demo" });
  const code = /\b\d{6}\b/.exec(await demo.innerText())?.[0] ?? "";
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Check your booking" })).toBeVisible();
  await expect(page.locator("main")).toContainText("Deluxe, 1 King, ocean view");
  expect(errors).toEqual([]);
});

test("an unknown guest books a room on a phone", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await page.getByLabel("Check-in").fill(day(30));
  await page.getByLabel("Check-out").fill(day(32));
  await page.getByRole("button", { name: "Check availability" }).click();
  await page.getByRole("link", { name: /^Book Deluxe, 1 King, ocean view/ }).click();
  await page.getByRole("link", { name: "Book as a new guest" }).click();
  await expect(page.getByRole("heading", { name: "Your details" })).toBeVisible();
  await accessible(page, info);
  await reflows(page);
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Email address").fill("ada.lovelace@example.com");
  await page.getByLabel("Mobile phone").fill("(212) 555-0178");
  await page.getByRole("button", { name: "Send me a code" }).click();
  const demo = page.getByRole("complementary", { name: "Demo" });
  const code = /\b\d{6}\b/.exec(await demo.innerText())?.[0] ?? "";
  await accessible(page, info);
  await reflows(page);
  const known = (state: any) => state.salesforce.Contact.filter((one: any) => one.Email === "ada.lovelace@example.com").length;
  expect(known(await hotel.state())).toBe(0);
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Check your booking" })).toBeVisible();
  expect(known(await hotel.state())).toBe(1);
  await expect(page.locator("main")).toContainText("Ada Lovelace");
  await expect(page.locator("main")).toContainText("Deluxe, 1 King, ocean view");
  await page.getByRole("button", { name: /^Book/ }).click();
  await expect(page.getByRole("heading", { name: "Your room is booked" })).toBeVisible();
  await page.goto("/guest");
  await expect(page.locator(".key-card")).toContainText("Ada Lovelace");
  await accessible(page, info);
  await reflows(page);
  expect(known(await hotel.state())).toBe(1);
  expect(errors).toEqual([]);
});

test("public pages fit every width, and focus is visible", async ({ page }) => {
  await reflows(page, "/");
  await reflows(page, `/rooms?check_in_date=${day(20)}&check_out_date=${day(22)}&number_of_guests=2`);
  await page.goto("/");
  await focusStaysVisible(page, 30);
});

test("the layout is stable while images load", async ({ page }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "the browser's own measure is a script");
  await page.addInitScript(() => {
    const shifts = window as unknown as { moved: number };
    shifts.moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.moved += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/", { waitUntil: "networkidle" });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.waitForLoadState("networkidle");
  expect(await page.evaluate(() => (window as unknown as { moved: number }).moved)).toBeLessThanOrEqual(0.02);
});

test("the start page is small and complete with an empty cache", async ({ page }) => {
  let bytes = 0;
  const sizes: Promise<void>[] = [];
  page.on("requestfinished", (done) => {
    sizes.push(done.sizes().then((size) => void (bytes += size.responseBodySize + size.responseHeadersSize)));
  });
  const first = await page.goto("/", { waitUntil: "networkidle" });
  await page.mouse.wheel(0, 10_000);
  await page.waitForLoadState("networkidle");
  await Promise.all(sizes);
  expect(await first?.text()).toContain("<h1>Dewy Resort");
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(250_000);
  console.log(`start page, cold: ${bytes} bytes in ${sizes.length} answers`);
});

test("a demo breaks Salesforce and shows the refund in three clicks", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await page.goto("/");
  const demo = page.getByRole("complementary", { name: "Demo" });
  await demo.getByRole("button", { name: "Break Salesforce and watch the refund" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check out Beth Gibbs");
  await page.getByRole("button", { name: "Charge $250.00 and check out" }).click();
  // A quick one leads back to the form with what happened, a slow one to the stay
  await page.getByRole("link", { name: /^(See the record|Details)$/ }).click();
  await expect(page.locator(".standing .pill")).toHaveText("Undone");
  const { stripe } = await hotel.state();
  expect(stripe.refunds.map((one: any) => one.amount)).toEqual([25000]);

  await page.goto("/");
  await demo.getByRole("button", { name: "Be a guest" }).click();
  await expect(page).toHaveURL(/\/guest$/);
  await page.goto("/");
  await demo.getByRole("button", { name: "Be the front desk" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Today");
  await accessible(page, info);
  expect(errors).toEqual([]);
});
