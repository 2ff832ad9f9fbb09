// A hotel as hotels run it: nginx before it, https, a name of its own, in another address range than its visitors.
import { request as send } from "node:https";
import { expect } from "@playwright/test";
import { PROXY_ADDRESS, PROXY_NAME, nginx } from "../proxy.js";
import { type TestHotel, test } from "../test-hotel.js";
import { browserErrors, pay, signIn, signInToday } from "../actions.js";

test.use({ own: "proxy", proxied: true, ignoreHTTPSErrors: true });
test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false || (!nginx && !process.env.CI), "needs scripts, and nginx: apt-get install nginx-light");

type Sent = { from?: string; method?: string; headers?: Record<string, string>; body?: string };

/** A request of some visitor, from an address of this machine. */
function visit(hotel: TestHotel, path: string, { from = "127.9.1.5", method = "GET", headers = {}, body = "" }: Sent): Promise<{ status: number; location: string; text: string }> {
  const { host, port, origin } = new URL(hotel.url);
  const all = { host, origin, "content-type": "application/x-www-form-urlencoded", "content-length": String(Buffer.byteLength(body)), ...headers };
  return new Promise((done, failed) => {
    const asked = send({ host: PROXY_ADDRESS, port, path, method, headers: all, localAddress: from, servername: PROXY_NAME, rejectUnauthorized: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => (text += part));
      answer.on("end", () => done({ status: answer.statusCode ?? 0, location: answer.headers.location ?? "", text }));
    });
    // Whoever refuses a body may hang up before it has read all of it
    asked.on("error", failed).end(body);
  });
}

test("limits count visitors, not their proxy, and believe no visitor about others", async ({ hotel }) => {
  const form = (from: string, n: number) =>
    visit(hotel, "/form/send_code", { from, method: "POST", body: "email=a&next=", headers: { "x-forwarded-for": `203.0.${n % 250}.7` } });
  let last = 0;
  for (let n = 0; n < 330 && last !== 429; n += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, of) => form("127.9.1.5", n + of)));
    last = answers.at(-1)!.status;
  }
  expect(last).toBe(429);
  expect((await form("127.10.2.6", 1)).status).not.toBe(429);
});

test("a page names the public address, and its cookies are for https", async ({ page, context, hotel }) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "nora.o'brien@example.com");
  const cookies = await context.cookies();
  expect(cookies.length).toBeGreaterThan(0);
  expect(cookies.filter((one) => !one.secure || (one.name.includes("session") && !one.httpOnly))).toEqual([]);
  const absolute = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>("[href], [src], [action]")].map((one) => one.getAttribute("href") ?? one.getAttribute("src") ?? one.getAttribute("action") ?? ""));
  expect(absolute.filter((one) => /^(\w+:)?\/\//.test(one) && !one.startsWith(hotel.url))).toEqual([]);
  const { servers } = JSON.parse((await visit(hotel, "/api/openapi.json", {})).text);
  expect(servers).toEqual([{ url: hotel.url }]);
  // Pages are rendered before they are opened, but not those that cost something
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const ahead = async (path: string) => (await visit(hotel, path, { headers: { cookie, "sec-purpose": "prefetch;prerender" } })).status;
  expect([await ahead("/guest/account"), await ahead("/guest/check-out")]).toEqual([200, 503]);
  // A redirect leads to the same place, with or without a host
  const { status, location } = await visit(hotel, "/guest", {});
  expect(status).toBe(303);
  expect(new URL(location, hotel.url).origin).toBe(hotel.url);
  expect(errors).toEqual([]);
});

test("ten tabs share one connection, and what others change arrives at once", async ({ page, context, browser, hotel }) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  const paths = ["rooms", "cases", "payments", "executions", "compensations", "audit", "systems", "guests", "conversations"];
  const tabs = [page];
  for (const path of paths) {
    const tab = await context.newPage();
    await tab.goto(`/staff/${path}`);
    await expect(tab.locator("main[data-seq]")).toBeVisible();
    tabs.push(tab);
  }
  const protocols = await Promise.all(tabs.map((tab) => tab.evaluate(() => (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).nextHopProtocol)));
  expect(new Set(protocols)).toEqual(new Set(["h2"]));
  const elsewhere = await browser.newContext({ baseURL: hotel.url, ignoreHTTPSErrors: true });
  const other = await elsewhere.newPage();
  await signInToday(other, "frontdesk@dewy.example");
  await other.getByRole("button", { name: "Check in: Sarah Johnson" }).click();
  await expect(other.getByRole("button", { name: "Check in: Sarah Johnson" })).toHaveCount(0);
  await elsewhere.close();
  // A proxy that buffers would hold it back until its minute is over
  await expect(page.getByRole("button", { name: "Check in: Sarah Johnson" })).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("a long form is taken, and a huge one is refused with words", async ({ page, hotel }) => {
  await signIn(page, "nora.o'brien@example.com");
  await page.goto("/guest/requests");
  await page.locator("textarea").fill("Towels, please. ".repeat(100).trim());
  await page.getByRole("button", { name: /Send/ }).click();
  await expect(page.locator(".flash")).toBeVisible();
  const answer = await visit(hotel, "/form/send_code", { method: "POST", body: "x".repeat(600_000) });
  expect(answer.status).toBe(413);
  expect(answer.text, "the hotel's words, not the proxy's").not.toContain("nginx");
});

test("the way back from the bank ends at the public address", async ({ page, hotel }) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "amara.okafor@example.com");
  await page.getByRole("link", { name: /Check out/ }).click();
  await pay(page, /3184/);
  await page.getByRole("link", { name: "Continue to your bank" }).click();
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page).toHaveURL(new RegExp(`^${hotel.url}/guest/execution/exe_`));
  await expect(page.getByRole("heading", { name: "You are checked out" })).toBeVisible();
  expect(errors).toEqual([]);
});
