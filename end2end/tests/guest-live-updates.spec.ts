// What guests see change by itself: a request that staff take up.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signIn, signInToday } from "../actions.js";

test.use({ own: "guest-live" });

test("a request updates live, and the guest's draft stays", async ({ page, browser, hotel }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "without a script nothing changes by itself");
  const errors = browserErrors(page, hotel);
  await signIn(page, "nora.o'brien@example.com");
  await expect(page.locator(".connection[data-state=open]")).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Requests" }).click();
  const request = page.getByRole("listitem").filter({ hasText: "Extra towels for 104" });
  await expect(request).toContainText("Received");
  await expect(page.locator(".connection[data-state=open]")).toBeVisible();
  await accessible(page, info);
  await page.locator("textarea").fill("And a kettle");

  const elsewhere = await browser.newContext({ baseURL: hotel.url });
  const staff = await elsewhere.newPage();
  await signInToday(staff, "frontdesk@dewy.example");
  await staff.goto("/staff/cases");
  await staff.getByRole("button", { name: "Start work: Extra towels for 104" }).click();
  await expect(staff.locator(".flash")).toBeVisible();
  await elsewhere.close();
  await expect(request).toContainText("On its way");
  await expect(page.locator("textarea")).toHaveValue("And a kettle");
  await accessible(page, info);
  expect(errors).toEqual([]);
});
