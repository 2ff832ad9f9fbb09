// What a vendor's client makes of the sandbox: one line per check, a summary, and an exit code that says it.
import assert from "node:assert/strict";

export const SANDBOX = new URL(process.env.SANDBOX_URL ?? "http://127.0.0.1:4010");

export class Checks {
  #done = 0;
  #differ = 0;

  constructor(client) {
    console.log(client);
  }

  /** Runs one check; whatever it throws is what differed. Gives what it returned, for checks that build on it. */
  async check(what, body) {
    this.#done += 1;
    try {
      const found = await body();
      console.log(`  ok       ${what}`);
      return found;
    } catch (why) {
      this.#differ += 1;
      console.log(`  DIFFERS  ${what}: ${String(why?.message ?? why).replace(/\s+/g, " ")}`);
      return undefined;
    }
  }

  end() {
    console.log(`  ${this.#done} checks, ${this.#differ} differ`);
    process.exitCode = this.#differ === 0 ? 0 : 1;
  }
}

/** The call must be refused with an error of this class that has these members. */
export async function refused(call, kind, members) {
  let error;
  try {
    await call;
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error, "was not refused");
  if (kind) assert.ok(error instanceof kind, `is a ${error.constructor.name}, not a ${kind.name}: ${error.message}`);
  for (const [name, value] of Object.entries(members)) assert.deepEqual(error[name], value, `${name} is ${error[name]}`);
  return error;
}

/** Back to the seed; a fault to order. The only calls that no client of a vendor's makes. */
export async function admin(method, path, body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(new URL(`/admin/${path}`, SANDBOX), { method, headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${method} /admin/${path}: ${response.status}`);
}

/** Asks until there is an answer: webhooks come when they come. */
export async function eventually(ask, what, seconds = 10) {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() > until) throw new Error(`${what} did not come within ${seconds} s`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
