import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, signIn, signInStaff } from "../actions.js";

test.use({ own: "doors" });

test("a guest with two rooms chooses one", async ({ page }, info) => {
  await signIn(page, "wei.chen@example.com");
  await expect(page.getByText("You have more than one stay with us right now.")).toBeVisible();
  await accessible(page, info);
  await page.getByRole("link", { name: /Room 103/ }).click();
  await expect(page.getByRole("heading", { name: "Room 103" })).toBeVisible();
});

test("a wrong code is reported at its field and does not sign in", async ({ page }, info) => {
  await page.goto("/guest/check-out");
  await expect(page).toHaveURL(/\/guest\/sign-in\?next=/);
  await page.getByLabel("Email address").fill("nobody@example.com");
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Sign in" }).click();
  const problem = page.getByRole("alert");
  await expect(problem).toContainText("That code did not match");
  await expect(problem).toBeFocused();
  await expect(problem.getByRole("link")).toHaveAttribute("href", "#code");
  await accessible(page, info);
  await page.goto("/guest/folio");
  await expect(page).toHaveURL(/\/guest\/sign-in/);
});

test("an unknown URL is 404 with links", async ({ page }, info) => {
  const answer = await page.goto("/guest/nowhere");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("link", { name: "Go to the start page" })).toBeVisible();
  await accessible(page, info);
});

test("a chosen theme is remembered and applied in the first paint", async ({ page }, info) => {
  await page.goto("/guest/sign-in");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor).catch(() => "");
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
  await accessible(page, info);
  const dark = await ground();
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Light" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  expect(await ground()).not.toBe(dark);
  await accessible(page, info);
});

test("people list their sessions and end others", async ({ page, browser, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  const elsewhere = await browser.newContext({ baseURL: hotel.url });
  const other = await elsewhere.newPage();
  await signInStaff(other, "frontdesk@dewy.example");
  await signInStaff(page, "frontdesk@dewy.example");
  await page.getByRole("link", { name: "frontdesk@dewy.example" }).click();
  await expect(page.getByRole("heading", { name: "Where you are signed in" })).toBeVisible();
  await expect(page.getByText("This one")).toHaveCount(1);
  await accessible(page, info);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.locator(".sessions > li")).toHaveCount(1);
  await other.goto("/staff/executions");
  await expect(other).toHaveURL(/\/staff\/sign-in/);
  await elsewhere.close();
  expect(errors).toEqual([]);
});

test("the bundle is small, compressed and cached", async ({ page, request }, info) => {
  test.skip(info.project.use.javaScriptEnabled === false, "nothing is fetched without scripts");
  await signInStaff(page, "manager@dewy.example");
  const file = /\/pkg\/dewy-[0-9a-f]+_bg\.wasm/.exec(await page.content())?.[0] ?? "no bundle on the page";
  const bundle = await request.get(file, { headers: { "accept-encoding": "br" } });
  expect(bundle.status()).toBe(200);
  expect(bundle.headers()["content-encoding"]).toBe("br");
  expect(bundle.headers()["cache-control"]).toContain("immutable");
  const packed = Number(bundle.headers()["content-length"]);
  expect(packed).toBeGreaterThan(0);
  expect(packed).toBeLessThan(140_000);
});

test("a guest's home page is small and complete with an empty cache", async ({ browser, page, hotel }, info) => {
  await signIn(page, "beth.gibbs@email.com");
  const { javaScriptEnabled, colorScheme, viewport } = info.project.use;
  const storageState = await page.context().storageState();
  const fresh = await browser.newContext({ baseURL: hotel.url, storageState, javaScriptEnabled, colorScheme, viewport });
  const cold = await fresh.newPage();
  let bytes = 0;
  const sizes: Promise<void>[] = [];
  cold.on("requestfinished", (done) => {
    sizes.push(done.sizes().then((size) => void (bytes += size.responseBodySize + size.responseHeadersSize)));
  });
  await cold.goto("/guest", { waitUntil: "networkidle" });
  await Promise.all(sizes);
  // The page has its content in the first answer; beside it there are the style, the face of the headings, the icons, the room's
  // picture, and the two files of what is live
  expect(sizes.length).toBeLessThanOrEqual(8);
  await expect(cold.getByRole("heading", { name: "Room 302" })).toBeVisible();
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThan(180_000);
  info.annotations.push({ type: "bytes", description: `${bytes}` });
  console.log(`guest home, cold: ${bytes} bytes in ${sizes.length} answers`);
  await fresh.close();
});
