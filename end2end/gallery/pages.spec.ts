// Every page, in the four looks of the tests, into target/gallery (or where GALLERY says).
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Page, type TestInfo } from "@playwright/test";
import { test } from "../test-hotel.js";
import { arriving, checkedIn, crew, frontDesk, signedOut, type Pages } from "../page-list.js";
import { pay, signIn, signInStaff } from "../actions.js";

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

test("signed-out pages", async ({ page }, info) => {
  await pages(page, info, signedOut);
});

test("a guest in the house", async ({ page, hotel }, info) => {
  await signIn(page, "beth.gibbs@email.com");
  await pages(page, info, checkedIn);
  await hotel.fault("salesforce", "composite", "timeout_before_effect");
  await pay(page, "Visa •••• 4242");
  await page.getByRole("heading", { name: "Your payment was refunded in full" }).waitFor({ timeout: 60_000 });
  await picture(page, info, "guest-refunded");
  await hotel.heal();
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

test("the front desk", async ({ page }, info) => {
  await signInStaff(page, "manager@dewy.example");
  await pages(page, info, frontDesk);
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

const quiet = (page: Page) =>
  page.locator('[data-panel][data-busy="false"]').waitFor({ timeout: 30_000 }).then(() => page.waitForTimeout(500));

async function say(page: Page, words: string): Promise<void> {
  await page.locator("#talk-text").fill(words);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("log", { name: "Conversation" }).getByText(words).waitFor();
  await quiet(page);
}

test("a guest and the concierge", async ({ page }, info) => {
  await signIn(page, "zoe.mueller@example.com");
  await page.goto("/guest/concierge/new");
  await picture(page, info, "concierge-new");
  await say(page, "What do I owe?");
  await say(page, "I'd like to check out");
  await picture(page, info, "concierge-card");
  await page.goto("/guest");
  await page.getByRole("link", { name: "Concierge" }).first().click();
  await page.locator("#talk-text").waitFor();
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(folder, info.project.name.replaceAll(" ", "-"), "concierge-beside.png") });
});

test("the front desk and the concierge", async ({ page }, info) => {
  await signInStaff(page, "manager@dewy.example");
  await page.goto("/staff/concierge/new");
  await say(page, "Room 302 is checking out and says the toilet in the room is broken");
  await picture(page, info, "concierge-desk");
  await page.goto("/staff/conversations");
  await picture(page, info, "conversations");
  await page.goto("/staff");
  await page.getByRole("link", { name: "Concierge" }).first().click();
  await page.locator("#talk-text").waitFor();
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(folder, info.project.name.replaceAll(" ", "-"), "concierge-today.png") });
});
