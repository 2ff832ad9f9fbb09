// Many tabs of one browser, which opens six connections to a host.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { signInToday } from "../actions.js";

test.use({ own: "tabs" });

const pages = ["/staff", "/staff/rooms", "/staff/cases", "/staff/payments", "/staff/executions", "/staff/compensations", "/staff/audit", "/staff/systems", "/staff/guests", "/staff/conversations"];

test("ten tabs load, stay usable, and show changes", async ({ page, context }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "without scripts no page has a stream");
  await signInToday(page, "frontdesk@dewy.example");
  const tabs = [page];
  for (const path of pages.slice(1)) {
    const tab = await context.newPage();
    // Without room for a connection, a page never arrives
    await tab.goto(path);
    await expect(tab.locator("main[data-seq]")).toBeVisible();
    tabs.push(tab);
  }
  // Three streams and the one for alarms, however many tabs: two of six connections load pages
  const streams = () => tabs[0].evaluate(async () => ((await navigator.locks.query()).held ?? []).filter((lock) => lock.name?.startsWith("dewy-stream-")).length);
  expect(await streams()).toBeGreaterThan(0);
  expect(await streams()).toBeLessThan(5);
  for (const tab of tabs) {
    await tab.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Today" }).click();
    await expect(tab).toHaveURL(/\/staff$/);
  }
  expect(await streams()).toBeLessThan(5);
  // A change reaches every tab
  await tabs[0].getByRole("button", { name: "Check in: Sarah Johnson" }).click();
  for (const tab of tabs) await expect(tab.getByRole("button", { name: "Check in: Sarah Johnson" })).toHaveCount(0);
});
