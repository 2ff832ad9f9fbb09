// Every page, in the four looks of the tests, into target/gallery (or where GALLERY says).
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Page, type TestInfo } from "@playwright/test";
import { test } from "../house.js";
import { arriving, crew, desk, doors, inTheHouse, type Pages } from "../pages.js";
import { pay, signIn, signInStaff } from "../verbs.js";

const folder = process.env.GALLERY ?? resolve("../target/gallery");

async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  const place = join(folder, info.project.name.replaceAll(" ", "-"));
  mkdirSync(place, { recursive: true });
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(place, `${name}.png`), fullPage: true });
}

async function pages(page: Page, info: TestInfo, list: Pages): Promise<void> {
  for (const [name, path] of Object.entries(list)) {
    await page.goto(path);
    await picture(page, info, name);
  }
}

test("doors", async ({ page }, info) => {
  await pages(page, info, doors);
});

test("a guest in the house", async ({ page, house }, info) => {
  await signIn(page, "beth.gibbs@email.com");
  await pages(page, info, inTheHouse);
  await house.fault("salesforce", "composite", "timeout_before_effect");
  await pay(page, "Visa •••• 4242");
  await page.getByRole("heading", { name: "Your payment was refunded in full" }).waitFor({ timeout: 60_000 });
  await picture(page, info, "guest-refunded");
  await house.heal();
  const id = new URL(page.url()).pathname.split("/").pop();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signInStaff(page, "manager@dewy.example");
  await page.goto(`/staff/executions/${id}`);
  await page.getByText("Stripe says the same").waitFor();
  await picture(page, info, "record");
});

test("a guest who arrives", async ({ page }, info) => {
  await signIn(page, "sarah@example.com");
  await pages(page, info, arriving);
});

test("the desk", async ({ page }, info) => {
  await signInStaff(page, "manager@dewy.example");
  await pages(page, info, desk);
});

test("who works in the rooms", async ({ page }, info) => {
  for (const role of ["housekeeping", "maintenance"]) {
    await page.goto("/staff/sign-in");
    const row = page.getByRole("complementary", { name: "Demo" }).getByRole("row", { name: `${role}@dewy.example` });
    const password = await row.getByRole("cell").nth(1).innerText();
    await page.getByLabel("Email address").fill(`${role}@dewy.example`);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await pages(page, info, crew(role));
    await page.getByRole("button", { name: "Sign out" }).click();
  }
});
