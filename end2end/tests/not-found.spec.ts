// An unknown URL.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible } from "../actions.js";

test("an unknown URL is 404 with links", async ({ page }, info) => {
  const answer = await page.goto("/guest/nowhere");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("link", { name: "Go to the start page" })).toBeVisible();
  await accessible(page, info);
});
