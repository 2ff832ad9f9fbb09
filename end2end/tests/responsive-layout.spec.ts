// What is long, narrow, or reached by keyboard: it fits, and it is seen.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, reflows, focusStaysVisible, signIn, signInStaff } from "../actions.js";

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

test("keyboard focus is never hidden under a bar", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await signIn(page, "beth.gibbs@email.com");
  for (const place of ["/guest", "/guest/requests", "/guest/folio", "/guest/account"]) {
    await page.goto(place);
    await focusStaysVisible(page);
  }
});
