// Many tabs of one browser, which opens six connections to a host.
import { expect, type Request } from "@playwright/test";
import { test } from "../test-hotel.js";
import { signInToday } from "../actions.js";

test.use({ own: "tabs" });

const pages = ["/staff", "/staff/rooms", "/staff/cases", "/staff/payments", "/staff/executions", "/staff/compensations", "/staff/audit", "/staff/systems", "/staff/guests", "/staff/conversations"];

test("ten tabs load, stay usable, and show changes", async ({ page, context }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "without scripts no page has a stream");
  // Requests that are not answered to their end, in all tabs together
  const [streams, unanswered] = [new Set<Request>(), new Set<Request>()];
  context.on("request", (one) => (one.resourceType() === "eventsource" ? streams : unanswered).add(one));
  const ended = (one: Request) => [streams, unanswered].forEach((all) => all.delete(one));
  context.on("requestfinished", ended);
  context.on("requestfailed", ended);
  await signInToday(page, "frontdesk@dewy.example");
  const tabs = [page];
  for (const path of pages.slice(1)) {
    const tab = await context.newPage();
    // Without room for a connection, a page never arrives
    await tab.goto(path);
    await expect(tab.locator("main[data-seq]")).toBeVisible();
    tabs.push(tab);
  }
  // What streams leave of six connections loads pages, and nothing waits for one
  const free = () => 6 - streams.size;
  await expect.poll(() => [free() >= 3, unanswered.size]).toEqual([true, 0]);
  expect(streams.size, "changes reach the tabs").toBeGreaterThan(0);
  // All at once: each tab follows a link, as it would alone
  await Promise.all(
    tabs.map(async (tab) => {
      await tab.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: "Today" }).click();
      await expect(tab).toHaveURL(/\/staff$/);
      await expect(tab.getByRole("heading", { name: "Arrivals" }).first()).toBeVisible();
    }),
  );
  await expect.poll(() => [free() >= 3, unanswered.size]).toEqual([true, 0]);
  // A change reaches every tab
  await tabs[0].getByRole("button", { name: "Check in: Sarah Johnson" }).click();
  for (const tab of tabs) await expect(tab.getByRole("button", { name: "Check in: Sarah Johnson" })).toHaveCount(0);
});
