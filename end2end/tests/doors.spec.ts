import { expect } from "@playwright/test";
import { test } from "../house.js";
import { accessible, signIn } from "../verbs.js";

test("a guest with two rooms chooses one", async ({ page }, info) => {
  await signIn(page, "wei.chen@example.com");
  await expect(page.getByRole("heading", { name: "You have more than one stay" })).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: /Room 103/ }).click();
  await expect(page.getByRole("heading", { name: "Room 103" })).toBeVisible();
});

test("a wrong code says so, leads to its field, and lets nobody in", async ({ page }, info) => {
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

test("an address that leads nowhere is 404 and shows the way out", async ({ page }, info) => {
  const answer = await page.goto("/guest/nowhere");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("link", { name: "Go to the start page" })).toBeVisible();
  await accessible(page, info);
});
