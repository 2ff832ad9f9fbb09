import { expect } from "@playwright/test";
import { test } from "../house.js";
import { answerAsStripe } from "../stripe-js.js";
import { signInByText } from "../verbs.js";
test.use({ own: "pic", live: true });
test("pictures", async ({ page, house }, info) => {
  const name = info.project.name.replaceAll(" ", "-");
  await answerAsStripe(page, "pm_card_mastercard");
  await signInByText(page, house, "beth.gibbs@email.com");
  await page.goto("/guest/check-out");
  await page.screenshot({ path: `/tmp/pic/${name}-0.png`, fullPage: true });
  if (info.project.use.javaScriptEnabled !== false) {
    await page.getByRole("radio", { name: "Another card" }).check();
    await expect(page.frameLocator('iframe[title="Secure card field"]').getByLabel("Card number")).toBeVisible();
    await page.screenshot({ path: `/tmp/pic/${name}-1.png`, fullPage: true });
    await page.getByRole("button", { name: /^Pay/ }).click();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/pic/${name}-2.png`, fullPage: true });
    await page.getByRole("button", { name: /^Pay/ }).click();
    await page.waitForTimeout(150);
    await page.screenshot({ path: `/tmp/pic/${name}-3.png`, fullPage: true });
  }
  await page.goto("/guest/concierge/new");
  await page.locator("#talk-text").fill("I'd like to check out");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const link = page.getByRole("link", { name: "Pay with another card" });
  await expect(link).toBeVisible({ timeout: 20000 });
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `/tmp/pic/${name}-4.png`, fullPage: true });
  await link.click();
  await page.waitForTimeout(800);
  await page.screenshot({ path: `/tmp/pic/${name}-5.png`, fullPage: true });
});
