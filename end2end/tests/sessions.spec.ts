// Where somebody is signed in.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInStaff } from "../actions.js";

test.use({ own: "sessions" });

test("people list their sessions and end others", async ({ page, browser, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  const elsewhere = await browser.newContext({ baseURL: hotel.url });
  const other = await elsewhere.newPage();
  await signInStaff(other, "frontdesk@dewy.example");
  await signInStaff(page, "frontdesk@dewy.example");
  await page.getByRole("link", { name: "frontdesk@dewy.example" }).click();
  await expect(page.getByRole("heading", { name: "Where you are signed in" })).toBeVisible();
  await expect(page.getByText("This device")).toHaveCount(1);
  await accessible(page, info);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.locator(".sessions > li")).toHaveCount(1);
  await other.goto("/staff/executions");
  await expect(other).toHaveURL(/\/staff\/sign-in/);
  await elsewhere.close();
  expect(errors).toEqual([]);
});
