// What people do.
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Locator, type Page, type TestInfo } from "@playwright/test";
import type { TestHotel } from "./test-hotel.js";

/** Errors a browser would report; a page of ours causes none. */
export function browserErrors(page: Page, hotel: { url: string }): string[] {
  const errors: string[] = [];
  const ours = (url: string) => !url || url.startsWith(hotel.url);
  page.on("console", (message) => {
    const { url } = message.location();
    // The bank's pages are not ours
    if (message.type() === "error" && ours(url)) errors.push(`${message.text()} ${url}`);
  });
  page.on("pageerror", (error) => errors.push(error.message));
  return errors;
}

/** A guest signs in with the code a demo shows, and comes to their stay. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/guest/sign-in");
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  const demo = page.getByRole("complementary", { name: "Demo" });
  const code = /\b\d{6}\b/.exec(await demo.innerText())?.[0] ?? "";
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/guest$/);
}

/** A guest signs in with the code that comes to their phone. */
export async function signInByText(page: Page, hotel: TestHotel, email: string): Promise<void> {
  const texts = async (): Promise<{ body: string }[]> => (await hotel.state()).twilio.messages;
  const before = (await texts()).length;
  // Texts about an earlier stay may come meanwhile
  const sent = async () => (await texts()).slice(before).map((text) => /^\d{6}/.exec(text.body)?.[0]).find(Boolean);
  await page.goto("/guest/sign-in");
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await expect.poll(sent).toBeTruthy();
  const code = (await sent()) ?? "";
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/guest(\/folio)?$/);
}

/** Staff sign in with what a demo shows. */
export async function signInStaff(page: Page, email: string): Promise<void> {
  await page.goto("/staff/executions");
  const row = page.getByRole("complementary", { name: "Demo" }).getByRole("row", { name: email });
  const password = await row.getByRole("cell").nth(1).innerText();
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Executions" })).toBeVisible();
}

/** Pays with one of the cards on offer. */
export async function pay(page: Page, card: string | RegExp): Promise<void> {
  await expect(page.getByRole("heading", { name: "Check out", exact: true })).toBeVisible();
  await page.getByRole("radio", { name: card }).first().check();
  await page.getByRole("button", { name: /^Pay .* and check out$/ }).click();
  await expect(page).toHaveURL(/\/guest\/execution\/exe_/);
}

/** The keyboard comes to it by Tab alone: to a button of that name, or to whatever is meant. */
export async function tabTo(page: Page, there: Locator | string): Promise<void> {
  const wanted = typeof there === "string" ? page.getByRole("button", { name: there, exact: true }) : there;
  await expect(wanted).toBeVisible();
  for (let tabs = 0; tabs < 120; tabs += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not come to ${there}`);
}

/** Goes to it by Tab and presses Enter. */
export async function enter(page: Page, there: Locator): Promise<void> {
  await tabTo(page, there);
  await page.keyboard.press("Enter");
}

/** A narrow phone, a usual one, and screens of 1280 and 1440 px at 200 % zoom. */
const NARROW = [320, 390, 640, 720];

/** There the page itself does not scroll sideways; wide tables do so in regions of their own. */
export async function reflows(page: Page, path?: string): Promise<void> {
  const size = page.viewportSize();
  if (path) await page.goto(path);
  for (const width of NARROW) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, `${page.url()} at ${width} px`).toBeLessThanOrEqual(0);
  }
  if (size) await page.setViewportSize(size);
}

/** Whatever the keyboard comes to is in sight, and nothing lies over it (WCAG 2.4.11). */
export async function focusStaysVisible(page: Page, most = 60): Promise<void> {
  for (let tabs = 0; tabs < most; tabs += 1) {
    await page.keyboard.press("Tab");
    const hidden = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      const clear = over && (focused.contains(over) || over.contains(focused) || over.closest("label")?.contains(focused));
      return clear ? null : `${focused.outerHTML.slice(0, 120)} is under ${over?.outerHTML.slice(0, 120)}`;
    });
    expect(hidden, page.url()).toBeNull();
  }
}

/** Nothing on this page is in anybody's way. */
export async function accessible(page: Page, info: TestInfo): Promise<void> {
  const use = info.project.use;
  if (use.javaScriptEnabled !== false) return violations(page);
  // The checker is a script: it reads the page as it was received, in a browser that has scripts
  const html = (await page.content()).replace(/<script[\s\S]*?<\/script>/g, "").replace(/<\/?noscript[^>]*>/g, "");
  const context = await page.context().browser()!.newContext({ javaScriptEnabled: true, colorScheme: use.colorScheme, viewport: use.viewport });
  try {
    const reader = await context.newPage();
    await reader.route(page.url(), (route) => route.fulfill({ contentType: "text/html", body: html }));
    await reader.goto(page.url());
    await violations(reader);
  } finally {
    await context.close();
  }
}

async function violations(page: Page): Promise<void> {
  // In one go and without a list of what is right: half the CPU time. Frames of other origins, the bank's, are left out
  const checker = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
  const { violations } = await checker.analyze();
  const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`);
  expect(found, page.url()).toEqual([]);
}

/** Staff sign in and come to their day. */
export async function signInToday(page: Page, email: string): Promise<void> {
  await page.goto("/staff");
  const row = page.getByRole("complementary", { name: "Demo" }).getByRole("row", { name: email });
  const password = await row.getByRole("cell").nth(1).innerText();
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Today", exact: true })).toBeVisible();
}
