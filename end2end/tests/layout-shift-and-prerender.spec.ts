// What a page costs the person in front of it: nothing moves while they read, and the next page is there at once.
import { type Page, type TestInfo, expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { browserErrors, pay, signIn, signInToday } from "../actions.js";

test.use({ own: "web-vitals" });

test.beforeEach(async ({ page }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "the browser's own measures are scripts");
  await page.addInitScript(() => {
    const shown = window as unknown as { shifts: string[]; moved: number };
    Object.assign(shown, { shifts: [], moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as any[]) {
        if (entry.hadRecentInput) continue;
        shown.moved += entry.value;
        for (const { node } of entry.sources) shown.shifts.push(`${entry.value.toFixed(4)} ${node?.outerHTML?.slice(0, 80) ?? node?.nodeName}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
    addEventListener("click", () => sessionStorage.setItem("clicked", String(performance.timeOrigin + performance.now())), true);
  });
});

/** All that has moved on this page without anybody's doing. */
async function still(page: Page): Promise<void> {
  await page.waitForTimeout(1_000);
  const { moved, shifts } = await page.evaluate(() => {
    const { moved, shifts } = window as unknown as { shifts: string[]; moved: number };
    return { moved, shifts };
  });
  expect(moved, `${page.url()}\n${shifts.join("\n")}`).toBeLessThanOrEqual(0.01);
}

const wide = (info: TestInfo) => (info.project.use.viewport?.width ?? 0) > 1_000;
const live = (page: Page) => expect(page.locator(".connection[data-state=open]")).toBeVisible();

test("a guest's pages and their progress stay where they are", async ({ page }) => {
  await signIn(page, "beth.gibbs@email.com");
  await page.goto("/guest");
  await live(page);
  await still(page);
  await page.goto("/guest/concierge");
  await expect(page.locator("#talk-text")).toBeVisible();
  await still(page);
  // A slow network: what moves later than half a second after the click is nobody's doing
  await page.route("**/form/concierge_say", async (route) => {
    await new Promise((done) => setTimeout(done, 700));
    await route.continue();
  });
  await page.locator("#talk-text").fill("What do I owe?");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("$250.00");
  await still(page);
  await page.goto("/guest/check-out?booking=BK-0042");
  await still(page);
  await pay(page, "Visa •••• 4242");
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  await still(page);
});

test("on any phone the conversation scrolls inside, and the words to send stay at its end", async ({ page }, info) => {
  test.skip(wide(info), "what guests do, on a phone");
  await signIn(page, "nora.o'brien@example.com");
  const log = page.getByRole("log", { name: "Conversation" });
  const send = page.getByRole("button", { name: "Send", exact: true });
  for (const [width, height] of [[390, 844], [375, 553], [320, 568]] as const) {
    await page.setViewportSize({ width, height });
    await page.goto("/guest/concierge/new");
    await expect(page.locator("#talk-text")).toBeVisible();
    await expect(send).toBeInViewport({ ratio: 1 });
    const tall = async () => (await log.boundingBox())!.height;
    const before = await tall();
    for (const words of ["What do I owe?", "When is breakfast?"]) {
      await page.locator("#talk-text").fill(words);
      await send.click();
      await expect(log).toContainText(words);
      await expect(page.locator('[data-panel][data-busy="false"]')).toBeVisible();
    }
    await still(page);
    expect(await tall(), `${width} x ${height}`).toBeCloseTo(before, 0);
    await expect(send).toBeInViewport({ ratio: 1 });
    const below = () => log.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
    expect(await below(), "the newest words are in sight").toBeLessThanOrEqual(1);
    await page.reload();
    await expect.poll(below, "and when the page is opened again").toBeLessThanOrEqual(1);
  }
});

test("a check-in's progress stays where it is", async ({ page }, info) => {
  test.skip(wide(info), "what guests do, on a phone");
  await signIn(page, "sarah@example.com");
  await page.getByRole("link", { name: "Check in" }).click();
  await still(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Check in now" }).click();
  await expect(page.getByRole("heading", { name: "You are checked in. Welcome!" })).toBeVisible();
  await still(page);
});

test("Today stays where it is while colleagues work", async ({ page, browser, hotel }, info) => {
  test.skip(!wide(info), "the front desk has a wide screen");
  await signInToday(page, "frontdesk@dewy.example");
  await live(page);
  await still(page);
  const elsewhere = await browser.newContext({ baseURL: hotel.url });
  const colleague = await elsewhere.newPage();
  await signInToday(colleague, "manager@dewy.example");
  await colleague.goto("/staff/cases");
  await colleague.getByRole("button", { name: "Start work: Extra towels for 104" }).click();
  await expect(colleague.locator(".flash")).toBeVisible();
  await elsewhere.close();
  await page.waitForTimeout(3_000);
  await still(page);
});

/** Follows a link; milliseconds from the click to the content, and whether the page was there before. */
async function follow(page: Page, name: string, heading: string): Promise<{ took: number; prerendered: boolean }> {
  const link = page.getByRole("banner").getByRole("link", { name, exact: true });
  await link.hover();
  await page.waitForTimeout(600);
  await link.click();
  await expect(page.getByRole("heading", { name: heading, exact: true, level: 1 })).toBeVisible();
  return page.evaluate(async () => {
    const paints = () => performance.getEntriesByName("first-contentful-paint");
    while (paints().length === 0) await new Promise((done) => setTimeout(done, 20));
    const [visit] = performance.getEntriesByType("navigation") as any[];
    const opened = visit.activationStart ?? 0;
    const painted = Math.max(paints()[0].startTime, opened);
    return { took: performance.timeOrigin + painted - Number(sessionStorage.getItem("clicked")), prerendered: opened > 0 };
  });
}

test("the next page is there at once, and no message is lost to it", async ({ page, hotel }, info) => {
  test.skip(wide(info), "what guests do, on a phone");
  const errors = browserErrors(page, hotel);
  await signIn(page, "nora.o'brien@example.com");
  await live(page);
  const pages = [
    ["Bookings", "Your bookings"],
    ["Requests", "Your requests"],
    ["Activity", "Your activity"],
    ["Nora Account", "Your account"],
    ["Stay", "Welcome, Nora"],
  ];
  for (const [name, heading] of pages) {
    const next = await follow(page, name, heading);
    // Printed, not judged: a busy machine is slow
    console.log(`${name}: ${next.took.toFixed(0)} ms from click to content${next.prerendered ? ", prerendered" : ""}`);
  }
  expect(errors).toEqual([]);
});
