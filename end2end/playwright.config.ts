import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// The machine's own browser where there is one; else Playwright's
const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

export default defineConfig({
  testDir: "tests",
  // Each worker has a hotel of its own, and a file is played by one worker, for its tests change the hotel they are in
  workers: 2,
  fullyParallel: false,
  timeout: 60_000,
  // What screen readers are told is compared whole: something that was added is a difference as well
  expect: { timeout: 15_000, toMatchAriaSnapshot: { children: "deep-equal" } },
  forbidOnly: !!process.env.CI,
  reporter: [["list"]],
  use: {
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
    launchOptions: { executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] },
  },
  projects: [
    { name: "js desktop light", use: { javaScriptEnabled: true, colorScheme: "light", viewport: desktop } },
    { name: "js phone dark", use: { javaScriptEnabled: true, colorScheme: "dark", viewport: phone } },
    { name: "no js desktop dark", use: { javaScriptEnabled: false, colorScheme: "dark", viewport: desktop } },
    { name: "no js phone light", use: { javaScriptEnabled: false, colorScheme: "light", viewport: phone } },
  ],
});
