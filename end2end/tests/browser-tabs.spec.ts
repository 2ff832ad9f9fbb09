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
  const streams = await Promise.all(tabs.map((tab) => tab.evaluate(() => performance.getEntriesByType("resource").filter((one) => (one as any).initiatorType === "eventsource" || one.name.endsWith("/events")).length)));
  info.annotations.push({ type: "streams", description: streams.join(" ") });
  for (const tab of [tabs[0], tabs[5], tabs[9]]) {
    await tab.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Today" }).click();
    await expect(tab).toHaveURL(/\/staff$/);
  }
  // A change reaches a tab that was the last to open
  await tabs[0].getByRole("button", { name: "Check in: Sarah Johnson" }).click();
  await expect(tabs[9].getByRole("button", { name: "Check in: Sarah Johnson" })).toHaveCount(0);
});
