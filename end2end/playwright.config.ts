import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { PROXY_ADDRESS, PROXY_NAME } from "./proxy.js";

// The machine's own browser where there is one; else Playwright's
const installed = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`);
const executablePath = [process.env.CHROMIUM, ...installed].find((path) => path && existsSync(path));

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

const looks = {
  "js desktop light": { javaScriptEnabled: true, colorScheme: "light", viewport: desktop },
  "js phone dark": { javaScriptEnabled: true, colorScheme: "dark", viewport: phone },
  "no js desktop dark": { javaScriptEnabled: false, colorScheme: "dark", viewport: desktop },
  "no js phone light": { javaScriptEnabled: false, colorScheme: "light", viewport: phone },
} as const;
type Look = keyof typeof looks;

// Each file in the looks in which it can end otherwise: with and without JavaScript where both have a way of their own, phones for what
// guests and housekeepers do, desktops for the front desk, light and dark in turns. All looks with DEWY_ALL=1
const played: [Look[], string][] = [
  [
    ["js phone dark", "no js phone light"],
    "bank-authentication check-in check-out compensation housekeeping cases guest-bookings guest-requests languages pay-page",
  ],
  [
    ["js desktop light", "no js desktop dark"],
    "search keyboard-shortcuts system-status boards busy-morning charges-and-refunds bulk-actions undo-check-in desk-stays walk-in",
  ],
  [["js desktop light", "no js phone light"], "concierge emergencies drafts sign-in theme"],
  [["js phone dark", "no js desktop dark"], "public-pages readme-tour sessions"],
  // What only scripts do, or the width of the test's own decides
  [["js desktop light", "js phone dark"], "layout-shift-and-prerender"],
  [["js desktop light"], "aria behind-proxy browser-tabs concierge-seeds page-weight resize-stay responsive-layout"],
  [["js phone dark"], "guest-live-updates"],
  // Plain pages, and news of the outside systems on them
  [["js desktop light"], "fault-injection stripe-webhooks tokens"],
  [["no js desktop dark"], "not-found reconciliation saved-views"],
];
const all = process.env.DEWY_ALL === "1";
const named = played.flatMap(([, names]) => names.split(" "));
const there = readdirSync(new URL("tests", import.meta.url)).flatMap((file) => /^(.*)\.spec\.ts$/.exec(file)?.[1] ?? []);
for (const name of [...named, ...there]) {
  if (!named.includes(name) || !there.includes(name)) throw new Error(`playwright.config.ts: ${name} is not a test, or in no look`);
}
const files = (look: string) => played.filter(([looks]) => (looks as string[]).includes(look)).flatMap(([, names]) => names.split(" "));

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
  projects: Object.entries(looks).map(([name, use]) => ({
    name,
    use,
    testMatch: all ? "**/*.spec.ts" : files(name).map((file) => `**/${file}.spec.ts`),
  })),
});
