// What is long, narrow, or reached by keyboard: it fits, and it is seen.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { frontDesk } from "../page-list.js";
import { accessible, reflows, focusStaysVisible, signIn, signInStaff, signInToday } from "../actions.js";

test.use({ own: "fit" });

test("a name of a hundred characters breaks no page", async ({ page }, info) => {
  const first = "Wolfeschlegelsteinhausenbergerdorffhubert";
  const last = `${"Ottovordemgentschenfelde".repeat(4)}`.slice(0, 60);
  await signInStaff(page, "frontdesk@dewy.example");
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`/staff/book?check_in_date=${day(0)}&check_out_date=${day(2)}&number_of_guests=1`);
  await page.getByRole("link", { name: /^Room / }).first().click();
  await page.getByLabel("First name").fill(first.slice(0, 40));
  await page.getByLabel("Last name").fill(last);
  await page.getByLabel(/email/i).first().fill("long@example.com");
  await page.getByRole("button", { name: /^Book/ }).click();
  await expect(page.getByText(/^Room \d+ is booked for .*: BK-/)).toBeVisible();
  const guest = "/staff/guest?email=long@example.com";
  const stay = new URL(page.url()).pathname;
  for (const place of ["/staff", "/staff/tape", "/staff/find?q=Ottovordem", "/staff/guests?query=Ottovordem", guest, stay, `${stay}/change`, `${stay}/cancel`]) {
    await page.goto(place);
    await expect(page.getByText(last).filter({ visible: true }).first()).toBeVisible();
    await reflows(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, place).toBeLessThanOrEqual(0);
  }
  await accessible(page, info);
});

test("on a phone the staff see which page they are on, and their bar takes three rows", async ({ page }) => {
  await signInStaff(page, "manager@dewy.example");
  const box = async (of: string) => (await page.locator(of).boundingBox())!;
  for (const [width, place] of [[390, "/staff/charges"], [320, "/staff/audit"]] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(place);
    await expect(page.locator(".desk nav [aria-current]"), place).toBeInViewport({ ratio: 1 });
    const [house, who, find] = [await box(".house"), await box(".who"), await box(".find")];
    expect(who.y, `${width} px`).toBeLessThan(house.y + house.height);
    expect(find.y, `${width} px`).toBeGreaterThan(who.y + who.height);
    await expect(page.getByRole("link", { name: "Concierge" })).toBeVisible();
  }
});

test("Today fits every width: lists beside charts, columns at the same places, notes in a line of their own", async ({ page }) => {
  await signInToday(page, "frontdesk@dewy.example");
  await page.goto("/staff");
  // All at one moment: what is live may be replaced between two questions
  const measured = () =>
    page.evaluate(() => {
      const all = (of: string) => [...document.querySelectorAll(of)].map((one) => one.getBoundingClientRect());
      const main = document.querySelector("main")!;
      const right = main.getBoundingClientRect().right - parseFloat(getComputedStyle(main).paddingRight);
      const lists = [...document.querySelectorAll(".day-list")].map((list) => [...list.querySelectorAll("thead th")].map((head) => Math.round(head.getBoundingClientRect().x)));
      const row = [...document.querySelectorAll("tr")].find((one) => one.textContent?.includes("Grace Kim"));
      const [notes, status] = ['[data-label="Notes"]', ".pill"].map((of) => row!.querySelector(of)!.getBoundingClientRect());
      return { right: Math.round(right), lists, table: all(".day-list")[0], charts: all(".day-charts")[0], last: all(".chart-card").at(-1)!, notes, status };
    });
  for (const width of [390, 768, 1024, 1184, 1280, 1376, 1440, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    const { right, lists, table, charts, last, notes, status } = await measured();
    const beside = table.top < charts.bottom && charts.top < table.bottom;
    if (beside) expect(table.right, `${width} px`).toBeLessThanOrEqual(charts.left);
    expect(table.right, `${width} px`).toBeLessThanOrEqual(width);
    expect(Math.round(last.right), `${width} px`).toBe(right);
    if (width === 1280) expect(lists[0]).toEqual(lists[1]);
    if (width === 390) expect(notes.top).toBeGreaterThanOrEqual(status.bottom);
  }
});

test("staff pages begin at the same edge, lists as well as forms", async ({ page }) => {
  await signInStaff(page, "frontdesk@dewy.example");
  await page.setViewportSize({ width: 1440, height: 900 });
  const edges: Record<string, number> = {};
  for (const place of ["/staff", "/staff/rooms", "/staff/cases", "/staff/cases/new", "/staff/keys", "/staff/stays/BK-0042/check-out", "/staff/concierge"]) {
    await page.goto(place);
    edges[place] = Math.round((await page.locator("main h1").boundingBox())!.x);
  }
  expect(new Set(Object.values(edges)).size, JSON.stringify(edges)).toBe(1);
});

test("on a phone the choices of each switch are in one line, in Spanish as well", async ({ page }) => {
  await page.goto("/guest/sign-in");
  for (const language of ["English", "Español"]) {
    await page.getByRole("button", { name: language }).click();
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const form of await page.locator(".switch").all()) {
        const tops = await form.getByRole("button").evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().y)));
        expect(new Set(tops).size, `${language} ${width} px: ${tops.join()}`).toBe(1);
      }
    }
  }
});

test("the tape chart is a list or a chart, never both", async ({ page }) => {
  await signInStaff(page, "frontdesk@dewy.example");
  await page.goto("/staff/tape");
  for (const [width, list] of [[390, true], [1280, false]] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator(".tape-list")).toBeVisible({ visible: list });
    await expect(page.locator(".tape")).toBeVisible({ visible: !list });
  }
  // What the chart says about a room out of order, the list says too
  await page.setViewportSize({ width: 390, height: 900 });
  await expect(page.getByRole("region", { name: "Room 108" })).toContainText("Under repair");
});

test("the board on the wall fits a phone, and nothing lies over its day", async ({ page }, info) => {
  await signInStaff(page, "frontdesk@dewy.example");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/staff/wall");
  const day = (await page.locator(".wall-day").boundingBox())!;
  if (info.project.use.javaScriptEnabled !== false) {
    const line = page.locator(".connection[data-state=open]");
    await expect(line).toBeVisible();
    const [day, live] = [(await page.locator(".wall-day").boundingBox())!, (await line.boundingBox())!];
    expect(live.y + live.height <= day.y || day.y + day.height <= live.y || day.x + day.width <= live.x).toBe(true);
  }
  expect(day.x).toBeGreaterThanOrEqual(12);
  const heights = await page.locator(".wall-counts > div").evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
  expect(new Set(heights).size, heights.join()).toBe(1);
  const rooms = await page.locator(".wall-floor li").evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
  expect(new Set(rooms).size, rooms.join()).toBe(1);
});

test("what the front desk taps on a phone is as large as a finger", async ({ browser, hotel }, info) => {
  const { javaScriptEnabled, colorScheme } = info.project.use;
  const phone = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled, colorScheme, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await phone.newPage();
  await signInStaff(page, "manager@dewy.example");
  for (const place of Object.values(frontDesk)) {
    await page.goto(place);
    // A link in a sentence is as tall as its line (WCAG 2.5.8), and a checkbox is as large as its label
    const targets = page.locator("main").locator("a:not(.by-hand a, p:not(.crumbs, .actions, .beside, .more) a), button, select, summary, input:not([type=checkbox], [type=radio], [type=hidden])");
    const small = await targets.filter({ visible: true }).evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => `${Math.round(one.getBoundingClientRect().height)} ${one.parentElement?.className} ${one.outerHTML.slice(0, 90)}`),
    );
    expect.soft([...new Set(small)].slice(0, 12), place).toEqual([]);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect.soft(over, place).toBeLessThanOrEqual(0);
  }
  await phone.close();
});

test("what a housekeeper taps on a phone is as large as a finger", async ({ browser, hotel }, info) => {
  const { javaScriptEnabled, colorScheme } = info.project.use;
  const phone = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled, colorScheme, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await phone.newPage();
  await signInToday(page, "housekeeping@dewy.example");
  for (const place of ["/staff", "/staff/cases"]) {
    await page.goto(place);
    const targets = page.locator(".desk, main").locator("a:not(.by-hand a), button, select").filter({ visible: true });
    const small = await targets.evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 120)));
    expect(small, place).toEqual([]);
  }
  await phone.close();
});

test("a guest's bar at the thumb has room for each label", async ({ page, hotel }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, "henrik.larsen@example.com");
  for (const language of ["en", "es"]) {
    // As the switch at the foot of the page keeps it; pressing it would leave a redirect under way
    await page.context().addCookies([{ name: "dewy_language", value: language, url: hotel.url }]);
    await page.goto("/guest/concierge/new");
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    const wide = await page.locator(".places li").evaluateAll((places) =>
      places.filter((place) => place.querySelector("span")!.getBoundingClientRect().width > place.getBoundingClientRect().width).map((place) => place.textContent),
    );
    expect(wide, language).toEqual([]);
  }
});

test("an email is not broken where a booking is confirmed on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, "grace.kim@example.com");
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`/guest/book/check?check_in_date=${day(200)}&check_out_date=${day(202)}&number_of_guests=2&room_number=101`);
  const email = (await page.getByText("grace.kim@example.com").boundingBox())!;
  const guests = (await page.getByText("2 people").boundingBox())!;
  expect(email.height).toBe(guests.height);
});

test("the line below a bill's day is as long as the bill", async ({ page }) => {
  await signIn(page, "beth.gibbs@email.com");
  await page.goto("/guest/folio");
  const width = async (of: string) => (await page.locator(of).first().boundingBox())!.width;
  expect(await width(".bill-day th")).toBe(await width(".bill"));
});

test("keyboard focus is never hidden under a bar", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await signIn(page, "beth.gibbs@email.com");
  for (const place of ["/guest", "/guest/requests", "/guest/folio", "/guest/account"]) {
    await page.goto(place);
    await focusStaysVisible(page);
  }
});
