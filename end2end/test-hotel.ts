// A hotel of its own for each Playwright project: the real server over its sandbox, in a folder that is thrown away.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test as base } from "@playwright/test";
import { behindProxy, startProxy } from "./proxy.js";

export class TestHotel {
  constructor(
    readonly url: string,
    readonly sandbox: string,
  ) {}

  /** Back to the seed, with no faults. */
  async reset(): Promise<void> {
    await this.admin("DELETE", "/admin/faults");
    await this.admin("POST", "/admin/reset", { seed: 1 });
  }

  /** From now on these calls go wrong. */
  async fault(system: string, operation: string, kind: string, more: { status?: number } = {}): Promise<void> {
    await this.admin("POST", "/admin/faults", { system, operation, kind, count: 0, ...more });
  }

  /** From now on everything goes well again. */
  async heal(): Promise<void> {
    await this.admin("DELETE", "/admin/faults");
  }

  /** What Stripe and Salesforce hold. */
  async state(): Promise<any> {
    return (await this.admin("GET", "/admin/state")).json();
  }

  /** An edit in Salesforce by somebody else. */
  async edit(object: string, id: string, fields: Record<string, unknown>): Promise<void> {
    await this.admin("POST", "/admin/edit", { object, id, fields });
  }

  /** A payment that some program makes at Stripe without the hotel; its id. */
  async paid(email: string, cents: number, metadata: Record<string, string>): Promise<string> {
    const { data } = await this.stripe(`/v1/customers?${new URLSearchParams({ email })}`);
    const labels = Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value]);
    const order = { amount: String(cents), currency: "usd", customer: data[0].id, payment_method: "pm_card_visa", confirm: "true" };
    const made = await this.stripe("/v1/payment_intents", {
      ...order,
      "automatic_payment_methods[enabled]": "true",
      "automatic_payment_methods[allow_redirects]": "never",
      ...Object.fromEntries(labels),
    });
    return made.id;
  }

  /** A refund that somebody makes in Stripe's dashboard; its id. */
  async refunded(payment_intent: string, amount: number): Promise<string> {
    const made = await this.admin("POST", "/admin/stripe/refund", { payment_intent, amount });
    return (await made.json()).id;
  }

  /** The owner of the card disputes a payment; the id of the dispute. */
  async disputed(payment_intent: string): Promise<string> {
    await this.admin("POST", "/admin/dispute", { id: payment_intent });
    const { disputes } = (await this.state()).stripe;
    return disputes.find((dispute: any) => dispute.payment_intent === payment_intent).id;
  }

  private async stripe(path: string, form?: Record<string, string>): Promise<any> {
    const headers = { authorization: "Bearer sk_test_sandbox" };
    const body = form && new URLSearchParams(form);
    const response = await fetch(this.sandbox + path, { method: form ? "POST" : "GET", headers, body });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  private async admin(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(this.sandbox + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}

export const test = base.extend<{ fresh: void }, { hotel: TestHotel; own: string; live: boolean; proxied: boolean }>({
  // A file that names its own gets a hotel that no other file has played in: guests are sent few codes an hour
  own: ["", { scope: "worker", option: true }],
  // A hotel with keys of Stripe and Twilio: no demo. The sandbox answers for both, as their own addresses would
  live: [false, { scope: "worker", option: true }],
  // A hotel behind a proxy, at a name of its own and https
  proxied: [false, { scope: "worker", option: true }],
  hotel: [
    async ({ own: _, live, proxied }, use) => {
      if (!live && !proxied && process.env.E2E_URL && process.env.SANDBOX_URL) {
        return use(new TestHotel(process.env.E2E_URL, process.env.SANDBOX_URL));
      }
      const folder = mkdtempSync(join(tmpdir(), "dewy-e2e-"));
      const [port, sandboxPort] = [await freePort(), await freePort()];
      const [direct, sandbox] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${sandboxPort}`];
      const ports = { hotel: port, http: proxied ? await freePort() : 0, https: proxied ? await freePort() : 0 };
      const more = { ...(live ? liveKeys(sandbox) : {}), ...(proxied ? behindProxy(ports) : {}) };
      const server = start(folder, port, sandboxPort, more);
      const proxy = proxied ? startProxy(folder, ports) : undefined;
      try {
        await ready(new TestHotel(direct, sandbox), server, folder);
        await use(new TestHotel(proxied ? behindProxy(ports).PUBLIC_URL : direct, sandbox));
      } finally {
        await stop(server);
        if (proxy) await stop(proxy);
        rmSync(folder, { recursive: true, force: true });
      }
    },
    { scope: "worker", timeout: 300_000 },
  ],
  baseURL: async ({ hotel }, use) => use(hotel.url),
  fresh: [
    async ({ hotel }, use) => {
      await hotel.reset();
      await use();
    },
    { auto: true },
  ],
});

/** As an operator would set them, but for the addresses. */
const liveKeys = (sandbox: string) => ({
  DEWY_MODE: "trial",
  STRIPE_SECRET_KEY: "sk_test_live",
  STRIPE_PUBLISHABLE_KEY: "pk_test_dewy",
  STRIPE_WEBHOOK_SECRET: "whsec_live",
  STRIPE_API_BASE: sandbox,
  TWILIO_ACCOUNT_SID: "AC00000000000000000000000000000000",
  TWILIO_AUTH_TOKEN: "live",
  TWILIO_FROM: "+12125550190",
  TWILIO_API_BASE: sandbox,
});

function start(folder: string, port: number, sandboxPort: number, more: Record<string, string>): ChildProcess {
  const program = process.env.DEWY_BIN ?? resolve("../target/debug/dewy");
  if (!existsSync(program)) throw new Error(`${program} is not built: cargo build, or cargo xtask e2e`);
  // Nothing of the developer's own configuration: these tests must never reach a live system
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DEWY_SITE_ROOT: process.env.DEWY_SITE_ROOT ?? resolve("../target/site"),
    LEPTOS_SITE_ADDR: `127.0.0.1:${port}`,
    DATABASE_URL: `sqlite://${join(folder, "dewy.db")}`,
    SANDBOX_ADDR: `127.0.0.1:${sandboxPort}`,
    SANDBOX_DATA: join(folder, "sandbox.db"),
    FORWARD_BUDGET_SECONDS: "2",
    // The tests count days in UTC
    HOTEL_TIME_ZONE: "UTC",
    HOTEL_DAY_CHANGES_AT: "00:00",
    // One guest shows all pages, faster than any person
    SALESFORCE_CALLS_PER_GUEST: "1000000",
    // Short enough to wait for, long enough for a machine that stands still for a second
    SALESFORCE_DEADLINE_SECONDS: "4",
    ...more,
  };
  const log = openSync(join(folder, "server.log"), "w");
  return spawn(program, ["serve", "--migrate"], { cwd: folder, env, stdio: ["ignore", log, log] });
}

async function ready({ url, sandbox }: TestHotel, server: ChildProcess, folder: string): Promise<void> {
  const until = Date.now() + 120_000;
  while (Date.now() < until && server.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    // The sandbox takes the next port when another process was faster; then this is not our sandbox
    if (answer?.ok && readFileSync(join(folder, "server.log"), "utf8").includes(sandbox)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the server did not start:\n${readFileSync(join(folder, "server.log"), "utf8")}`);
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const gone = new Promise((done) => server.once("exit", done));
  server.kill("SIGTERM");
  const late = setTimeout(() => server.kill("SIGKILL"), 10_000);
  await gone;
  clearTimeout(late);
}

let last = Math.floor(Math.random() * 1_000);

/** A free port below those that the system gives to others, in a range of this worker's own, and not the one before it. */
async function freePort(): Promise<number> {
  const first = 20_000 + Number(process.env.TEST_PARALLEL_INDEX ?? 0) * 1_000;
  for (;;) {
    last = (last + 1) % 1_000;
    const port = first + last;
    const server = createServer();
    const free = await new Promise((done) => server.once("error", () => done(false)).listen(port, "127.0.0.1", () => done(true)));
    if (!free) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}
