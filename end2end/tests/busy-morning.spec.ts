// A clerk's busy morning: every task done, in few clicks, and nothing urgent missed.
import { expect, type Locator } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, pay, signIn, signInToday } from "../actions.js";

test.use({ own: "busy-morning" });

const MOST_CLICKS_A_TASK = 1.5;

test("six leave, five arrive, three rooms, a failure, a stuck refund, an emergency", async ({ page, browser, hotel }, info) => {
  const scripts = info.project.use.javaScriptEnabled;
  const errors = browserErrors(page, hotel);
  const { salesforce } = await hotel.state();
  const booking = (number: string) => salesforce.Booking__c.find((one: any) => one.Name === number);
  // With Beth, Zoë, and José, who leave today, and Henrik, who should have left yesterday, six leave; one of them has paid
  const today = booking("BK-0042").Check_Out_Date__c;
  for (const number of ["BK-0027", "BK-0030"]) await hotel.edit("Booking__c", booking(number).Id, { Check_Out_Date__c: today });
  await hotel.edit("Opportunity", booking("BK-0030").Opportunity__c, { Amount: 0 });

  // A guest leaves early; the check-out fails, and Stripe refuses the refund
  await hotel.fault("salesforce", "composite", "timeout_before_effect");
  await hotel.fault("stripe", "refund_create", "status", { status: 400 });
  const away = await browser.newContext({ baseURL: hotel.url, javaScriptEnabled: scripts });
  const guest = await away.newPage();
  await signIn(guest, "amara.okafor@example.com");
  await guest.goto("/guest/check-out");
  await pay(guest, /4242, which pays/);
  await expect(guest.getByRole("heading", { name: "Our front desk is looking into it" })).toBeVisible();
  await hotel.heal();
  // Tried again by itself, it is refused again
  await hotel.fault("stripe", "refund_create", "status", { status: 400 });
  await guest.getByRole("button", { name: "Sign out" }).click();
  await signIn(guest, "nora.o'brien@example.com");
  await guest.goto("/guest/concierge/new");
  await guest.locator("#talk-text").fill("There is a fire in my room");
  await guest.getByRole("button", { name: "Send", exact: true }).click();
  await expect(guest.getByRole("log")).toContainText("Our staff have been told");
  await away.close();

  await signInToday(page, "frontdesk@dewy.example");
  const departures = page.getByRole("region", { name: "Departures" });
  await expect(async () => {
    await page.goto("/staff");
    await expect(departures.getByRole("row").filter({ has: page.getByRole("rowheader") })).toHaveCount(6, { timeout: 1_000 });
  }).toPass();
  const urgent = page.getByRole("alert");
  await expect(urgent).toContainText("Emergency: Nora O'Brien, room 104");
  await expect(urgent).toContainText(/\$[\d,.]+ of Amara Okafor, room 209, charged and not refunded/);
  await expect(page).toHaveTitle(/^\(\d+\) /);
  await accessible(page, info);

  let clicks = 0;
  const click = async (what: Locator) => {
    await what.click();
    clicks += 1;
  };
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const link = (name: string | RegExp) => page.getByRole("link", { name });
  const flash = page.locator(".flash");

  // The emergency comes first: a call, and done
  await expect(urgent.getByRole("link", { name: /^Call / })).toHaveAttribute("href", /^tel:/);
  clicks += 1;
  await click(urgent.getByRole("button", { name: "Mark as handled" }));
  await expect(flash).toContainText("The emergency is marked as handled.");
  await expect(page.getByText(/Emergency: /)).toHaveCount(0);

  // The stuck refund: the page opens in the field that asks why
  await click(urgent.getByRole("link", { name: "Try again now: Amara Okafor" }));
  await expect(page.getByLabel("Reason")).toBeFocused();
  await page.keyboard.type("Stripe has answered again");
  await hotel.heal();
  await click(button("Try again now"));
  await expect(flash).toContainText(/Amara Okafor, room 209: \$[\d,.]+ refunded\./);
  await expect(page).toHaveURL(/\/staff$/);
  await expect(page.getByText("charged and not refunded")).toHaveCount(0);

  for (const room of ["206", "201", "309"]) {
    await click(button(`Clean, ready: room ${room}`));
    await expect(flash).toContainText(`Room ${room} is ready.`);
    await expect(button(`Undo: room ${room}`)).toBeVisible();
  }
  await accessible(page, info);

  for (const name of ["Sarah Johnson", "Grace Kim", "Liam Walsh", "Fatima Hassan", "Dmitri Volkov"]) {
    await click(button(`Check in: ${name}`));
    await expect(flash).toContainText(`${name} is checked in.`);
  }

  // Nothing to pay: no question. Money is read to the guest first
  await click(button("Check out: Olivia Martin"));
  await expect(flash).toContainText("Olivia Martin is checked out.");
  for (const name of ["Henrik Larsen", "Zoë Müller", "Beth Gibbs", "Marcus Reed"]) {
    await click(link(`Check out: ${name}`));
    await click(button(/^Charge \$[\d,.]+ and check out$/));
    await expect(flash).toContainText(`${name} is checked out and paid $`);
  }

  // The failure: the payment comes back, the guest is still here, and is checked out again
  await click(link("Check out: José Núñez"));
  await expect(page).toHaveURL(/\/check-out$/);
  const form = page.url();
  await hotel.fault("salesforce", "composite", "timeout_before_effect");
  await click(button(/^Charge \$[\d,.]+ and check out$/));
  // Either still at it, on the stay's page, or told on the form
  const charge = button(/^Charge \$[\d,.]+ and check out$/);
  await expect(page.getByText(/takes longer|refunded/).first()).toBeVisible();
  await hotel.heal();
  await expect(async () => {
    await page.goto(form);
    await expect(charge).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await click(charge);
  await expect(flash).toContainText("José Núñez is checked out and paid $");

  await expect(page.getByText("All of today’s arrivals are checked in.")).toBeVisible();
  await expect(page.getByText("All of today’s departures are checked out.")).toBeVisible();
  const after = await hotel.state();
  const status = (number: string) => after.salesforce.Booking__c.find((one: any) => one.Name === number).Status__c;
  for (const number of ["0027", "0028", "0030", "0031", "0033", "0042"]) expect(status(`BK-${number}`)).toBe("Checked Out");
  for (const number of ["0021", "0034", "0035", "0036", "0037"]) expect(status(`BK-${number}`)).toBe("Checked In");
  const tasks = 6 + 5 + 3 + 1 + 1 + 1;
  info.annotations.push({ type: "clicks a task", description: (clicks / tasks).toFixed(2) });
  expect(clicks / tasks, `${clicks} clicks for ${tasks} tasks`).toBeLessThanOrEqual(MOST_CLICKS_A_TASK);
  expect(errors).toEqual([]);
});
