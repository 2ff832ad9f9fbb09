// What is long, narrow, or reached by keyboard: it fits, and it is seen.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, reflows, focusStaysVisible, signIn, signInStaff, signInToday } from "../actions.js";

test.use({ own: "fit" });

test("a name of a hundred characters breaks no board", async ({ page }, info) => {
  const first = "Wolfeschlegelsteinhausenbergerdorffhubert";
  const last = `${"Ottovordemgentschenfelde".repeat(4)}`.slice(0, 60);
  await signInStaff(page, "frontdesk@dewy.example");
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`/staff/book?check_in_date=${day(0)}&check_out_date=${day(2)}&number_of_guests=1`);
  await page.getByRole("link", { name: /^Room / }).first().click();
  await page.getByLabel("First name").fill(first.slice(0, 40));
  await page.getByLabel("Last name").fill(last);
  await page.getByLabel(/email/i).first().fill("long@example.com");
  await page.getByRole("button", { name: /^Book/ }).click();
  await expect(page.locator(".standing .pill")).toHaveText("Done", { timeout: 20_000 });
  for (const place of ["/staff", "/staff/tape", "/staff/find?q=Ottovordem", "/staff/guests?query=Ottovordem"]) {
    await page.goto(place);
    await expect(page.getByText(last).filter({ visible: true }).first()).toBeVisible();
    await reflows(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, place).toBeLessThanOrEqual(0);
  }
  await accessible(page, info);
});

test("lists on Today never overlap its charts", async ({ page }) => {
  await signInStaff(page, "frontdesk@dewy.example");
  for (const width of [390, 768, 1184, 1280, 1376, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/staff");
    const box = async (of: string) => (await page.locator(of).first().boundingBox())!;
    const [table, charts] = [await box(".day-list"), await box(".day-charts")];
    const beside = table.y < charts.y + charts.height && charts.y < table.y + table.height;
    if (beside) expect(table.x + table.width, `${width} px`).toBeLessThanOrEqual(charts.x);
    expect(table.x + table.width, `${width} px`).toBeLessThanOrEqual(width);
  }
});

test("on a phone the notes of a row on Today have a line of their own", async ({ page }) => {
  await signInStaff(page, "frontdesk@dewy.example");
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto("/staff");
  const row = page.getByRole("row", { name: /Grace Kim/ });
  const notes = (await row.locator('[data-label="Notes"]').boundingBox())!;
  const status = (await row.locator(".pill").boundingBox())!;
  expect(notes.y).toBeGreaterThanOrEqual(status.y + status.height);
});

test("arrivals and departures have their columns at the same places", async ({ page }) => {
  await signInStaff(page, "frontdesk@dewy.example");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/staff");
  const places = (table: number) =>
    page.locator(".day-list").nth(table).locator("thead th").evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().x)));
  expect(await places(0)).toEqual(await places(1));
});

test("what a housekeeper taps on a phone is as large as a finger", async ({ browser, hotel }, info) => {
  const { javaScriptEnabled, colorScheme } = info.project.use;
  const phone = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled, colorScheme, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await phone.newPage();
  await signInToday(page, "housekeeping@dewy.example");
  for (const place of ["/staff", "/staff/cases"]) {
    await page.goto(place);
    const targets = page.locator(".desk, main").locator("a:not(.by-hand a), button, select").filter({ visible: true });
    const small = await targets.evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 120)));
    expect(small, place).toEqual([]);
  }
  await phone.close();
});

test("a guest's bar at the thumb has room for each label", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, "grace.kim@example.com");
  for (const language of ["English", "Español"]) {
    await page.goto("/guest/concierge/new");
    await page.getByRole("button", { name: language, exact: true }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", language === "English" ? "en" : "es");
    const wide = await page.locator(".places li").evaluateAll((places) =>
      places.filter((place) => place.querySelector("span")!.getBoundingClientRect().width > place.getBoundingClientRect().width).map((place) => place.textContent),
    );
    expect(wide, language).toEqual([]);
  }
  await page.getByRole("button", { name: "English", exact: true }).click();
});

test("an email is not broken where a booking is confirmed on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, "grace.kim@example.com");
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`/guest/book/check?check_in_date=${day(200)}&check_out_date=${day(202)}&number_of_guests=2&room_number=101`);
  const email = (await page.getByText("grace.kim@example.com").boundingBox())!;
  const guests = (await page.getByText("2 people").boundingBox())!;
  expect(email.height).toBe(guests.height);
});

test("the line below a bill's day is as long as the bill", async ({ page }) => {
  await signIn(page, "beth.gibbs@email.com");
  await page.goto("/guest/folio");
  const width = async (of: string) => (await page.locator(of).first().boundingBox())!.width;
  expect(await width(".bill-day th")).toBe(await width(".bill"));
});

test("keyboard focus is never hidden under a bar", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await signIn(page, "beth.gibbs@email.com");
  for (const place of ["/guest", "/guest/requests", "/guest/folio", "/guest/account"]) {
    await page.goto(place);
    await focusStaysVisible(page);
  }
});
