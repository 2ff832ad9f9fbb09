// Sign-in of guests, and what follows a wrong code.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, signIn } from "../actions.js";

test.use({ own: "doors" });

test("a guest with two rooms chooses one", async ({ page }, info) => {
  await signIn(page, "wei.chen@example.com");
  await expect(page.getByText("You have more than one stay with us right now.")).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: /Room 103/ }).click();
  await expect(page.getByRole("heading", { name: "Room 103" })).toBeVisible();
});

test("a wrong code is reported at its field and does not sign in", async ({ page }, info) => {
  await page.goto("/guest/check-out");
  await expect(page).toHaveURL(/\/guest\/sign-in\?next=/);
  await page.getByLabel("Email address").fill("nobody@example.com");
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Sign in" }).click();
  const problem = page.getByRole("alert");
  await expect(problem).toContainText("That code did not match");
  await expect(problem).toBeFocused();
  await expect(problem.getByRole("link")).toHaveAttribute("href", "#code");
  await accessible(page, info);
  await page.goto("/guest/folio");
  await expect(page).toHaveURL(/\/guest\/sign-in/);
});
