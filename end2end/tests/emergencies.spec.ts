// Emergencies: staff are alerted wherever they are.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, reflows, signIn, signInStaff } from "../actions.js";

test.use({ own: "emergencies" });

test("an emergency alerts staff on any page", async ({ page, browser, hotel }, info) => {
  const scripts = info.project.use.javaScriptEnabled !== false;
  const errors = browserErrors(page, hotel);
  await signInStaff(page, "frontdesk@dewy.example");
  await page.goto("/staff/account");
  if (scripts) await expect(page.locator(".connection[data-state=open]")).toBeVisible();

  const away = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled: info.project.use.javaScriptEnabled });
  const guest = await away.newPage();
  await signIn(guest, "beth.gibbs@email.com");
  await expect(guest.getByRole("link", { name: /\(212\) 555-0190/ })).toHaveAttribute("href", "tel:+12125550190");
  await guest.goto("/guest/concierge/new");
  await guest.locator("#talk-text").fill("There is a fire in my room");
  await guest.getByRole("button", { name: "Send", exact: true }).click();
  await expect(guest.getByRole("log")).toContainText("Call 911 first. Our staff have been told.");
  await accessible(guest, info);

  if (!scripts) await page.reload();
  const alarm = page.getByRole("alert").getByText(/Emergency: Beth Gibbs, room 302/);
  await expect(alarm).toBeVisible();
  await expect(page).toHaveTitle(/^\(\d+\) /);
  if (scripts) await expect(page.locator("audio[data-sound=alarm]")).toHaveAttribute("data-played", "");
  await accessible(page, info);
  await reflows(page);

  await page.getByRole("link", { name: "Answer now" }).click();
  await page.locator("#talk-text").fill("We are coming.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("log")).toContainText("We are coming.");
  await page.goto("/staff");
  await expect(page.getByRole("alert").getByText(/Emergency: Beth Gibbs, room 302/)).toBeVisible();
  await expect(page.getByRole("alert").getByRole("link", { name: /^Call / })).toHaveAttribute("href", /^tel:/);
  await page.getByRole("alert").getByRole("button", { name: "Mark as handled" }).click();
  await page.goto("/staff");
  await expect(page.getByText(/Emergency: /)).toHaveCount(0);
  await away.close();
  expect(errors).toEqual([]);
});

test("an emergency in the request form alerts staff", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "sarah@example.com");
  await page.goto("/guest/requests");
  await expect(page.getByText(/In an emergency, call 911/).getByRole("link", { name: "911" })).toHaveAttribute("href", "tel:911");
  await page.getByLabel("What would you like?").fill("My husband is not breathing");
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("log")).toContainText("Call 911 first. Our staff have been told.");
  const call = page.getByRole("link", { name: "Call 911" });
  await expect(call).toHaveAttribute("href", "tel:911");
  // Also at twice the size, and on the narrowest phone
  for (const [width, height] of [[1280, 720], [640, 400], [390, 844], [320, 568]] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(page.url());
    await expect(call, `${width} x ${height}`).toBeInViewport({ ratio: 1 });
  }
  await accessible(page, info);
  await reflows(page);
  expect(errors).toEqual([]);
});
