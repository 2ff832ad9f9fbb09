// Bytes of the bundle, and of a page with an empty cache.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { signIn, signInStaff } from "../actions.js";

test.use({ own: "weight" });

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
