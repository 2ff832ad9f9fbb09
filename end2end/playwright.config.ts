import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { PROXY_ADDRESS, PROXY_NAME } from "./proxy.js";

// The machine's own browser where there is one; else Playwright's
const installed = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`);
const executablePath = [process.env.CHROMIUM, ...installed].find((path) => path && existsSync(path));

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

// Two looks for each file, with and without JavaScript: phones for what guests and housekeepers do, desktops for the front desk, one
// of each where both matter; doors, and everything with DEWY_ALL=1, in all four
const all = process.env.DEWY_ALL === "1";
const phones = "bank-authentication|check-in|check-out|compensation|housekeeping|cases|guest-bookings|guest-live-updates|guest-requests|languages|pay-page";
const desks = 
  "search|keyboard-shortcuts|system-status|fault-injection|boards|busy-morning|charges-and-refunds|reconciliation|tokens|bulk-actions|saved-views|resize-stay|undo-check-in|desk-stays|stripe-webhooks";
// One look with JavaScript and one without, of either width
const wideFirst = "concierge|emergencies|drafts";
const narrowFirst = "public-pages|readme-tour";
// The way to the hotel, whatever the look
const once = "behind-proxy";
for (const name of [phones, desks, wideFirst, narrowFirst, once].join("|").split("|"))
  if (!existsSync(new URL(`tests/${name}.spec.ts`, import.meta.url))) throw new Error(`playwright.config.ts: there is no tests/${name}.spec.ts`);
const not = (names: string) => (all ? [] : new RegExp(`/(${names})\\.spec`));

export default defineConfig({
  testDir: "tests",
  // Each worker has a hotel of its own, and a file is played by one worker, for its tests change the hotel they are in
  workers: 3,
  fullyParallel: false,
  // Long enough for a machine with six other busy processes; whoever waits in vain is red anyway
  timeout: 300_000,
  // What screen readers are told is compared whole: something that was added is a difference as well
  expect: { timeout: 60_000, toMatchAriaSnapshot: { children: "deep-equal" } },
  forbidOnly: !!process.env.CI,
  reporter: [["list"]],
  use: {
    // To see what happened before a failure: --trace retain-on-failure, which takes a fifth more CPU time
    screenshot: "only-on-failure",
    launchOptions: { executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", `--host-resolver-rules=MAP ${PROXY_NAME} ${PROXY_ADDRESS}`] },
  },
  projects: [
    { name: "js desktop light", testIgnore: not(`${phones}|${narrowFirst}`), use: { javaScriptEnabled: true, colorScheme: "light", viewport: desktop } },
    { name: "js phone dark", testIgnore: not(`${desks}|${wideFirst}|${once}`), use: { javaScriptEnabled: true, colorScheme: "dark", viewport: phone } },
    { name: "no js desktop dark", testIgnore: not(`${phones}|${wideFirst}|${once}`), use: { javaScriptEnabled: false, colorScheme: "dark", viewport: desktop } },
    { name: "no js phone light", testIgnore: not(`${desks}|${narrowFirst}|${once}`), use: { javaScriptEnabled: false, colorScheme: "light", viewport: phone } },
  ],
});
