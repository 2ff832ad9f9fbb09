// Stripe's own card field on a pay page. The card is typed into a frame of Stripe's; all that comes back is its id (pm_…), which the
// page's own form sends like the id of any saved card. Without this script, saved cards work as they are.
"use strict";
(() => {
  // Its name goes with the API version that the server speaks
  const STRIPE = "https://js.stripe.com/endive/stripe.js";
  const LATE_MS = 15_000;
  const area = document.querySelector("[data-new-card]");
  const form = area?.closest("form");
  const another = form?.querySelector("[data-another]");
  if (!another) return;
  const part = (name) => area.querySelector(`[data-${name}]`);
  const [problem, place, status, again] = ["problem", "place", "status", "again"].map(part);
  const button = form.querySelector("button:not([type=button])");
  const words = button.textContent;
  const alone = another.type === "hidden";
  const chosen = () => alone || another.checked;

  let stripe;
  let elements;
  let state = "away";
  let busy = false;

  const say = (text) => (status.textContent = text);

  /** Told where it can be mended, and read out. */
  function tell(text) {
    problem.textContent = text;
    if (text) problem.focus();
  }

  function work(text) {
    busy = Boolean(text);
    area.toggleAttribute("data-busy", busy);
    button.disabled = busy;
    button.textContent = text || words;
    say(text);
  }

  /** The page's own colors: a token is resolved by the browser, for this theme. */
  function looks() {
    const probe = document.createElement("span");
    area.append(probe);
    const color = (token) => {
      probe.style.color = `var(${token})`;
      return getComputedStyle(probe).color;
    };
    const font = getComputedStyle(area);
    const edge = `1px solid ${color("--line-strong")}`;
    const ring = `2px solid ${color("--focus")}`;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const theme = document.documentElement.dataset.theme;
    const appearance = {
      theme: theme === "dark" || (theme !== "light" && dark) ? "night" : "stripe",
      labels: "above",
      variables: {
        colorPrimary: color("--accent"),
        colorBackground: color("--surface"),
        colorText: color("--text"),
        colorTextSecondary: color("--muted"),
        colorTextPlaceholder: color("--muted"),
        colorDanger: color("--bad"),
        fontFamily: font.fontFamily,
        fontSizeBase: font.fontSize,
        borderRadius: "8px",
        spacingUnit: "4px",
      },
      rules: {
        ".Label": { color: color("--text"), fontWeight: "600" },
        ".Input": { border: edge, boxShadow: "none" },
        ".Input:focus": { outline: ring, boxShadow: "none" },
        ".Input--invalid": { border: `2px solid ${color("--bad")}`, boxShadow: "none" },
      },
    };
    probe.remove();
    return appearance;
  }

  /** Stripe's script, from Stripe: it must not be copied or bundled. */
  function load() {
    return new Promise((done, fail) => {
      if (window.Stripe) return done(window.Stripe);
      const script = document.createElement("script");
      const end = (act) => () => {
        clearTimeout(late);
        act();
      };
      const broken = end(() => {
        script.remove();
        fail(new Error("not loaded"));
      });
      const late = setTimeout(broken, LATE_MS);
      script.onload = end(() => (window.Stripe ? done(window.Stripe) : fail(new Error("no Stripe"))));
      script.onerror = broken;
      script.src = STRIPE;
      document.head.append(script);
    });
  }

  function failed() {
    state = "away";
    say("");
    again.hidden = false;
    // Read out, but nobody is led away from where they are
    problem.textContent = area.dataset.notLoaded;
  }

  async function begin() {
    if (state !== "away") return;
    state = "loading";
    again.hidden = true;
    tell("");
    say(area.dataset.loading);
    try {
      const Stripe = await load();
      const { key, amount, currency } = area.dataset;
      stripe ??= Stripe(key);
      elements = stripe.elements({
        mode: "payment",
        amount: Number(amount),
        currency,
        paymentMethodCreation: "manual",
        allowedPaymentMethodTypes: ["card"],
        locale: document.documentElement.lang,
        appearance: looks(),
      });
      // Wallets would bring hosts of their own
      const field = elements.create("payment", {
        layout: { type: "tabs" },
        wallets: { applePay: "never", googlePay: "never", link: "never" },
      });
      place.replaceChildren();
      field.on("ready", () => {
        state = "ready";
        say("");
      });
      field.on("loaderror", failed);
      field.on("change", () => busy || (problem.textContent = ""));
      field.mount(place);
      setTimeout(() => state === "loading" && failed(), LATE_MS);
    } catch {
      failed();
    }
  }

  function show() {
    area.hidden = !chosen();
    if (chosen()) begin();
  }

  /** The typed card's id, or nothing and the reason said. */
  async function typed() {
    const checked = await elements.submit();
    if (checked.error) return tell(checked.error.message || area.dataset.notRead);
    const made = await stripe.createPaymentMethod({ elements });
    if (made.error) return tell(made.error.message || area.dataset.notRead);
    return made.paymentMethod.id;
  }

  form.addEventListener("submit", async (event) => {
    // A saved card goes as it always does
    if (!chosen()) return;
    event.preventDefault();
    if (busy) return;
    if (state !== "ready") return state === "away" ? begin() : say(area.dataset.stillLoading);
    tell("");
    work(area.dataset.checking);
    let id;
    try {
      id = await typed();
    } catch {
      tell(area.dataset.notRead);
    }
    // Chosen anew meanwhile: what was not agreed to is not sent
    if (!id || !chosen()) return work("");
    another.value = id;
    // Whoever has a script sees what becomes of it on the next page, live
    if (form.elements.live) form.elements.live.value = "1";
    work(area.dataset.moment);
    form.submit();
  });

  // Who comes back by the browser's own button may begin anew
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    another.value = "";
    work("");
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => elements?.update({ appearance: looks() }));
  again.addEventListener("click", () => {
    status.focus();
    begin();
  });
  form.addEventListener("change", show);
  const label = another.closest("label");
  if (label) label.hidden = false;
  if (!alone && !form.querySelector("input[type=radio]:checked")) another.checked = true;
  button.hidden = false;
  show();
})();
