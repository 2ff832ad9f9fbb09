// Tokens for programs, and what they leave on record.
import { expect, request } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signInStaff } from "../actions.js";

test("a token is created, used, audited and revoked", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "manager@dewy.example");
  await page.getByRole("link", { name: "manager@dewy.example" }).click();
  await page.getByRole("link", { name: "Tokens for programs" }).click();
  await accessible(page, info);
  const name = `Dashboard ${info.project.name}`;
  await page.getByLabel("What it is for").fill(name);
  await page.getByLabel("Expires after (days)").fill("none");
  await page.getByLabel("Read only").check();
  await page.getByRole("button", { name: "Make a token" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "A token can be valid for 1 to 3650 days." })).toBeVisible();
  await accessible(page, info);
  await page.getByLabel("Expires after (days)").fill("30");
  await page.getByRole("button", { name: "Make a token" }).click();
  const token = await page.locator("#new-token").innerText();
  expect(token).toMatch(/^dewy_staff_/);
  await accessible(page, info);
  await page.goto("/staff/tokens");
  await expect(page.locator("#new-token")).toHaveCount(0);

  const program = await request.newContext({ extraHTTPHeaders: { authorization: `Bearer ${token}` } });
  const ask = () => program.post(`${hotel.url}/api/staff/get_folio`, { data: { guest_email: "beth.gibbs@email.com" } });
  expect((await ask()).status()).toBe(200);
  await page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Audit" }).click();
  await accessible(page, info);
  // The record is written every second
  await expect(async () => {
    await page.goto("/staff/audit?show=all&interface=rest&who=beth.gibbs%40email.com");
    await expect(page.locator(".list tbody tr").first()).toContainText("manager@dewy.example", { timeout: 500 });
  }).toPass();
  await expect(page.getByLabel("Email of the caller or guest")).toHaveValue("beth.gibbs@email.com");
  await accessible(page, info);
  const href = await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href");
  const file = await page.request.get(href!);
  expect(file.headers()["content-type"]).toContain("text/csv");
  expect(await file.text()).toContain("beth.gibbs@email.com");

  await page.goto("/staff/tokens");
  await page.getByRole("button", { name: `Revoke ${name}` }).click();
  await expect(page.locator(".list tbody tr", { hasText: name })).toContainText("Revoked");
  expect((await ask()).status()).toBe(401);
  expect(errors).toEqual([]);
});
