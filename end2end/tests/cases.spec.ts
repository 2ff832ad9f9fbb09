// Cases: opened, worked on, and changed by two people at once.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInToday } from "../actions.js";

test("a conflicting case change names who changed it first", async ({ page, browser, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await page.goto("/staff/cases");
  await accessible(page, info);
  await page.getByRole("link", { name: "A taxi to the airport" }).click();
  await expect(page.getByRole("heading", { name: "A taxi to the airport" })).toBeVisible();
  await accessible(page, info);
  const elsewhere = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled: false });
  const other = await elsewhere.newPage();
  await signInToday(other, "manager@dewy.example");
  await other.goto(page.url());
  await page.getByRole("button", { name: "Start work: A taxi to the airport" }).click();
  await expect(page.locator(".flash")).toContainText("is in progress, and yours");
  await other.getByRole("button", { name: "Start work: A taxi to the airport" }).click();
  const banner = other.getByRole("alert");
  await expect(banner).toContainText("Someone else has already changed");
  await expect(banner).toContainText("It is In Progress now");
  await expect(banner).toContainText("frontdesk@dewy.example");
  await expect(banner).toContainText("Your change was not made.");
  await accessible(other, { ...info, project: { ...info.project, use: { ...info.project.use, javaScriptEnabled: false } } } as typeof info);
  await elsewhere.close();
  expect(errors).toEqual([]);
});

test("a case is opened, discussed, raised and closed", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  await page.goto("/staff/cases/new");
  await accessible(page, info);
  await page.getByLabel("Team").selectOption("Maintenance");
  await page.getByLabel("In a line").fill("The lift stops between floors");
  await page.getByLabel("Room", { exact: true }).fill("400");
  await page.getByRole("button", { name: "Open the case" }).click();
  await expect(page.locator(".flash")).toContainText("is open: The lift stops between floors");
  await page.getByRole("link", { name: "The lift stops between floors" }).click();
  await page.getByLabel("Comment").fill("The firm comes at noon");
  await page.getByLabel("Priority").selectOption("Urgent");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator(".comments li")).toContainText(/^The firm comes at noon\s*frontdesk@dewy\.example · /);
  await expect(page.locator(".standing")).toContainText("Urgent");
  await accessible(page, info);
  await page.getByRole("button", { name: /^Start work/ }).click();
  await page.getByRole("button", { name: /^Done/ }).click();
  await expect(page.locator(".standing")).toContainText("Closed");
  await accessible(page, info);
  expect(errors).toEqual([]);
});
