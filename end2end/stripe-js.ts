// A stand-in for Stripe's script, which cannot be reached from a test: the calls that our page makes, written down. As Stripe's own it
// draws a frame of its host and speaks to its API, so that a policy that is too narrow is seen.
import type { Page } from "@playwright/test";

/** What our page called, in order. */
export type Called = { what: string; with: any };

const FRAME = `<!DOCTYPE html><html lang="en"><title>Card</title><body style="margin:0;font:16px sans-serif;background:GROUND">
<label style="display:block;font-weight:600;color:COLOUR">Card number
<input inputmode="numeric" style="display:block;box-sizing:border-box;width:100%;min-height:44px;margin-top:6px;padding:0 12px;font:inherit;
background:GROUND;color:COLOUR;border:EDGE;border-radius:8px"></label></body></html>`;

function standIn(): void {
  const called: Called[] = ((window as any).called = []);
  let submitted = 0;
  const note = (what: string, arg: unknown) => called.push({ what, with: JSON.parse(JSON.stringify(arg ?? null)) });
  // As Stripe's own script does since endive
  const refuseRemoved = (options: object) => {
    if ("paymentMethodTypes" in options) throw new Error("IntegrationError: paymentMethodTypes is no longer supported");
  };
  (window as any).Stripe = (key: string) => {
    note("Stripe", key);
    return {
      elements(options: any) {
        refuseRemoved(options);
        note("elements", options);
        const ears: Record<string, () => void> = {};
        return {
          options,
          update(change: object) {
            refuseRemoved(change);
            note("update", change);
          },
          create(kind: string, more: unknown) {
            note("create", { kind, more });
            return {
              on: (name: string, ear: () => void) => (ears[name] = ear),
              mount(place: HTMLElement) {
                note("mount", place.isConnected);
                const frame = document.createElement("iframe");
                frame.title = "Secure card field";
                frame.style.cssText = "display:block;width:100%;height:84px;border:0";
                const { colorText, colorBackground } = options.appearance.variables;
                const edge = options.appearance.rules[".Input"].border;
                frame.src = `https://js.stripe.com/frame.html?${new URLSearchParams({ colorText, colorBackground, edge })}`;
                frame.onload = () => ears.ready?.();
                place.append(frame);
              },
            };
          },
          async submit() {
            submitted += 1;
            note("submit", submitted);
            return submitted === 1 ? { error: { type: "validation_error", message: "Your card number is incomplete." } } : {};
          },
        };
      },
      async createPaymentMethod(options: any) {
        note("createPaymentMethod", Object.keys(options));
        const answer = await fetch("https://api.stripe.com/v1/payment_methods", { method: "POST" });
        return answer.json();
      },
    };
  };
}

/** From now on Stripe answers this page; the first card it is given, it does not take. */
export async function answerAsStripe(page: Page, card: string): Promise<void> {
  await page.route("https://js.stripe.com/**", (route) => {
    const url = new URL(route.request().url());
    if (url.pathname !== "/frame.html") return route.fulfill({ contentType: "text/javascript", body: `(${standIn})()` });
    const asked = (name: string) => url.searchParams.get(name) ?? "";
    const body = FRAME.replaceAll("COLOUR", asked("colorText")).replaceAll("GROUND", asked("colorBackground")).replace("EDGE", asked("edge"));
    return route.fulfill({ contentType: "text/html", body });
  });
  let made = 0;
  await page.route("https://api.stripe.com/**", async (route) => {
    made += 1;
    // Slow enough for a second click
    await new Promise((done) => setTimeout(done, 400));
    const declined = { error: { type: "card_error", message: "Your card has expired." } };
    const json = made === 1 ? declined : { paymentMethod: { id: card } };
    await route.fulfill({ json, headers: { "access-control-allow-origin": "*" } });
  });
}

/** What our page called so far. */
export const called = (page: Page): Promise<Called[]> => page.evaluate(() => (window as any).called ?? []);
