// Somebody without a booking is checked in with one form; how many clicks and characters a clerk's tasks take.
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, pay, reflows, signIn, signInToday } from "../actions.js";

test.use({ own: "walk-in" });

const rows = async (hotel: any, object: string): Promise<any[]> => (await hotel.state()).salesforce[object];
const flash = (page: Page) => page.locator(".flash");

test("a new guest is booked and checked in with one form", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signInToday(page, "frontdesk@dewy.example");
  if (info.project.use.javaScriptEnabled === false) await page.getByRole("link", { name: "Walk-in" }).click();
  else {
    await page.waitForLoadState("networkidle");
    await expect(async () => {
      await page.keyboard.press("n");
      await expect(page).toHaveURL(/\/staff\/walk-in$/, { timeout: 1_000 });
    }).toPass();
  }
  const who = page.getByLabel("Name, phone, or email");
  await expect(who).toBeFocused();
  await accessible(page, info);
  await who.fill("Ida Walker");
  await page.getByLabel("Nights").fill("2");
  await page.getByRole("button", { name: "Find" }).click();
  await expect(page.getByLabel("First name")).toHaveValue("Ida");
  await expect(page.getByLabel("Last name")).toHaveValue("Walker");
  const room = page.getByLabel("Room");
  // A clean room is chosen; those that are not are marked and can't be
  const chosen = (await room.locator("option:checked").innerText()).slice(0, 3);
  const state = (await rows(hotel, "Hotel_Room__c")).find((one) => one.Room_Number__c === chosen);
  expect(state.Status__c).toBe("Vacant");
  await expect(room.locator("option", { hasText: "needs cleaning" }).first()).toBeDisabled();
  await accessible(page, info);
  await reflows(page);
  // Without an email and a phone number nobody is booked, and nothing typed is lost
  await page.getByRole("button", { name: "Book and check in" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter a phone number, or an email address");
  await expect(page.getByLabel("Last name")).toHaveValue("Walker");
  await page.locator("#guest_phone").fill("+1 212 555 0147");
  await page.getByRole("button", { name: "Book and check in" }).click();
  await expect(page).toHaveURL(/\/staff\/stays\/BK-\d+$/);
  await expect(flash(page)).toContainText(`Ida Walker is checked in. The room is ${chosen}.`);
  await accessible(page, info);
  const number = new URL(page.url()).pathname.split("/").at(-1);
  const made = (await rows(hotel, "Booking__c")).filter((one) => one.Name === number);
  expect(made.map((one) => one.Status__c)).toEqual(["Checked In"]);
  const now = (await rows(hotel, "Hotel_Room__c")).find((one) => one.Room_Number__c === chosen);
  expect([now.Status__c, now.Current_Guest__c]).toEqual(["Occupied", made[0].Primary_Guest__c]);
  // A slip is taken back like any check-in; the booking stays
  await page.getByRole("button", { name: "Undo the check-in of Ida Walker" }).click();
  await expect(flash(page)).toContainText("The check-in of Ida Walker is undone.");
  expect(errors).toEqual([]);
});

/** Clicks and typed characters of a task. */
class Effort {
  clicks = 0;
  characters = 0;
  async click(what: Locator): Promise<void> {
    await what.click();
    this.clicks += 1;
  }
  async type(into: Locator, text: string): Promise<void> {
    await into.fill(text);
    this.characters += text.length;
  }
}

test("a clerk's tasks take few clicks", async ({ page, browser, hotel }, info) => {
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const link = (name: string | RegExp) => page.getByRole("link", { name });
  const taken: [string, Effort, number, number][] = [];
  const task = async (name: string, clicks: number, characters: number, steps: (effort: Effort) => Promise<void>) => {
    const effort = new Effort();
    await steps(effort);
    taken.push([name, effort, clicks, characters]);
  };

  // A check-out whose refund Stripe refuses, for the last task
  await hotel.fault("salesforce", "composite", "timeout_before_effect");
  await hotel.fault("stripe", "refund_create", "status", { status: 400 });
  const away = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled: info.project.use.javaScriptEnabled });
  const guest = await away.newPage();
  await signIn(guest, "amara.okafor@example.com");
  await guest.goto("/guest/check-out");
  await pay(guest, /4242, which pays/);
  await expect(guest.getByRole("heading", { name: "Our front desk is looking into it" })).toBeVisible();
  await away.close();
  await hotel.heal();
  // Tried again by itself, it is refused again
  await hotel.fault("stripe", "refund_create", "status", { status: 400 });

  await signInToday(page, "frontdesk@dewy.example");
  await task("check-in", 1, 0, async (effort) => {
    await effort.click(button("Check in: Sarah Johnson"));
    await expect(flash(page)).toContainText("Sarah Johnson is checked in.");
  });
  await task("check-out", 2, 0, async (effort) => {
    await effort.click(link("Check out: Beth Gibbs"));
    await effort.click(button(/^Charge \$[\d,.]+ and check out$/));
    await expect(flash(page)).toContainText("Beth Gibbs is checked out and paid $");
  });
  await task("walk-in of a known guest", 3, 5, async (effort) => {
    await effort.click(link("Walk-in"));
    await effort.type(page.getByLabel("Name, phone, or email"), "rossi");
    await effort.click(button("Find"));
    await effort.click(button("Book and check in"));
    await expect(flash(page)).toContainText("Elena Rossi is checked in. The room is ");
  });
  await task("refund retry", 2, 5, async (effort) => {
    await page.goto("/staff");
    await effort.click(link("Try again now: Amara Okafor"));
    await effort.type(page.getByLabel("Reason"), "again");
    await hotel.heal();
    await effort.click(button("Try again now"));
    await expect(flash(page)).toContainText(/Amara Okafor, room 209: \$[\d,.]+ refunded\./);
  });
  // From the stay
  await task("move", 3, 0, async (effort) => {
    await page.goto("/staff/stays/BK-0032");
    await effort.click(link(/^Move/));
    await effort.click(page.getByRole("main").getByRole("link", { name: /^Room \d+/ }).first());
    await effort.click(button(/^Move/));
    await expect(page).toHaveURL(/\/staff\/stays\/BK-0032$/);
    await expect(flash(page)).toContainText(/BK-0032 is in room \d+ now/);
  });
  for (const [name, effort, clicks, characters] of taken) {
    info.annotations.push({ type: name, description: `${effort.clicks} clicks, ${effort.characters} characters` });
    expect(effort.clicks, name).toBeLessThanOrEqual(clicks);
    expect(effort.characters, name).toBeLessThanOrEqual(characters);
  }
});
