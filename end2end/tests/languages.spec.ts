// A guest's language: chosen in the footer, kept from page to page, with and without scripts.
import { expect } from "@playwright/test";
import { test } from "../test-hotel.js";
import { accessible, browserErrors, reflows, signIn } from "../actions.js";

test.use({ own: "languages" });

test("Beth chooses Spanish and checks out in it", async ({ page, hotel }, info) => {
  const errors = browserErrors(page, hotel);
  await signIn(page, "beth.gibbs@email.com");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.getByRole("group", { name: "Language" }).getByRole("button", { name: "Español" }).click();

  await expect(page).toHaveURL(/\/guest$/);
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
  await expect(page.getByRole("heading", { name: "Le damos la bienvenida, Beth" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Español" })).toHaveAttribute("aria-pressed", "true");
  await accessible(page, info);
  for (const place of ["/guest", "/guest/requests", "/guest/bookings", "/guest/account", "/guest/book", "/guest/concierge/new", "/rooms", "/"]) {
    await reflows(page, place);
    await accessible(page, info);
  }

  await page.goto("/guest/check-out");
  await expect(page.getByText("Cobraremos $250.00 a su tarjeta")).toBeVisible();
  await reflows(page);
  await accessible(page, info);
  await page.getByRole("radio", { name: /4242/ }).first().check();
  await page.getByRole("button", { name: "Pagar $250.00 y registrar mi salida" }).click();
  await expect(page).toHaveURL(/\/guest\/execution\/exe_/);
  await expect(page.getByRole("heading", { name: "Su salida está registrada" })).toBeVisible();
  await expect(page.getByText("Cobramos $250.00 a su tarjeta.")).toBeVisible();
  await reflows(page);
  await accessible(page, info);

  await page.getByRole("link", { name: "Ver el recibo" }).click();
  await expect(page.getByRole("heading", { name: "Recibo", exact: true })).toBeVisible();
  await reflows(page);
  await accessible(page, info);
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.getByRole("heading", { name: "Receipt", exact: true })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  expect(errors).toEqual([]);
});

test.describe("a browser that prefers Spanish", () => {
  test.use({ locale: "es-MX" });

  test("Spanish applies to errors too, and staff read English", async ({ page }, info) => {
    await page.goto("/guest/sign-in");
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
    await page.getByLabel("Correo electrónico").fill("beth@nowhere");
    await page.getByRole("button", { name: "Enviarme un código" }).click();
    await expect(page.getByRole("alert")).toContainText("Ingrese un correo electrónico");
    await accessible(page, info);
    await page.goto("/staff/sign-in");
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  });
});
