// The tour of README and server/TOUR.md in the browser, step by step.
import { expect, type Page } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, pay, signIn, signInStaff } from "../actions.js";

test.use({ own: "tour" });

const idOf = (url: string): string => new URL(url).pathname.split("/").pop() ?? "";

async function set(manager: Page, scene: RegExp): Promise<void> {
  await manager.goto("/staff/fault-injection");
  await manager.getByRole("button", { name: scene }).click();
  await expect(manager.getByRole("status").filter({ hasText: "Set:" })).toBeVisible();
}

test("tour: charged, compensated, stuck, settled, and audited", async ({ browser, page, hotel }, info) => {
  const { javaScriptEnabled, colorScheme, viewport } = info.project.use;
  const desk = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled, colorScheme, viewport });
  const manager = await desk.newPage();
  const errors = [...browserErrors(page, hotel), ...browserErrors(manager, hotel)];
  await signInStaff(manager, "manager@dewy.example");

  // 1. Fault injection makes Salesforce fail after the charge
  await set(manager, /Salesforce fails after the charge/);
  await expect(manager.getByRole("region", { name: "Set now" })).toContainText("salesforce composite is never answered");
  await accessible(manager, info);

  // 2. A guest checks out, and reads what happened
  await signIn(page, "beth.gibbs@email.com");
  await page.getByRole("link", { name: "Check out", exact: true }).first().click();
  await pay(page, "Visa •••• 4242");
  await expect(page.getByRole("heading", { name: "Your payment was refunded in full" })).toBeVisible();
  const undone = idOf(page.url());

  // 3. The record shows it, step by step
  await manager.goto(`/staff/find?q=${undone}`);
  await expect(manager).toHaveURL(new RegExp(`/staff/executions/${undone}$`));
  await expect(manager.locator(".standing .pill")).toHaveText("Undone");
  await expect(manager.locator(".step[data-way=back]").first()).toContainText("Done");

  // 4. Now the refund is refused as well: it waits for a person
  await manager.goto("/staff/fault-injection");
  await manager.getByRole("button", { name: "Clear all faults" }).click();
  await expect(manager.getByText("Nothing: all systems respond normally.")).toBeVisible();
  await set(manager, /The refund is refused/);
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, "zoe.mueller@example.com");
  await page.getByRole("link", { name: "Check out", exact: true }).first().click();
  await pay(page, /4242, which pays/);
  await expect(page.getByRole("heading", { name: "Our front desk is looking into it" })).toBeVisible();
  const stuck = idOf(page.url());
  await manager.goto("/staff/attention");
  const entry = manager.locator(`.attention > li[data-key="${stuck}"]`);
  await expect(entry).toContainText("Stripe refused the refund");

  // 5. Solved by hand
  await manager.goto("/staff/fault-injection");
  await manager.getByRole("button", { name: "Clear all faults" }).click();
  await manager.goto(`/staff/executions/${stuck}/act/mark_solved`);
  await accessible(manager, info);
  await manager.getByLabel("Reason").fill("Paid back in cash at the desk, receipt 118");
  await manager.locator("main form button").first().click();
  await expect(manager.locator(".flash")).toContainText(/Zo.+: .+\. Details/);
  await expect(manager).toHaveURL(/\/staff\/attention$/);
  await expect(manager.locator(`.attention > li[data-key="${stuck}"]`)).toHaveCount(0);

  // 6. The audit tells it all
  await manager.goto(`/staff/audit?execution=${stuck}`);
  await expect(manager.locator("tbody tr").filter({ hasText: "process_guest_checkout" }).first()).toContainText("zoe.mueller@example.com");
  // Calls are written to the log a second late, and a page without JavaScript doesn't follow it
  await expect(async () => {
    await manager.goto("/staff/audit?tool=resolve_execution");
    await expect(manager.locator("tbody tr").first()).toContainText("manager@dewy.example", { timeout: 1000 });
  }).toPass();
  await accessible(manager, info);
  await desk.close();
  expect(errors).toEqual([]);
});
