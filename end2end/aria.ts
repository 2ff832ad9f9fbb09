// What screen readers are told, as a file that stays true on any day: dates, times, ages and ids become patterns.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, type Locator, type TestInfo } from "@playwright/test";

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const WEEKDAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";

/** What differs from day to day or from run to run: how it is found, and what is written in its place. */
const VOLATILE: [string, string][] = [
  [`${WEEKDAY}, ${MONTH} \\d{1,2}(?:, \\d{4})?`, "\\w{3}, \\w{3} \\d+(, \\d{4})?"],
  [`${MONTH} \\d{1,2}(?:, \\d{4})?`, "\\w{3} \\d+(, \\d{4})?"],
  ["\\d{4}-\\d{2}-\\d{2}(?:T[0-9:.]+Z)?", "[-:.TZ\\d]+"],
  ["\\d{1,2}:\\d{2}(?::\\d{2})?(?: [AP]M)?", "[:\\d]+( [AP]M)?"],
  ["\\d+ min \\d+ s", "\\d+ min \\d+ s"],
  ["\\d+\\.\\d+ s", "[.\\d]+ s"],
  ["\\d+ (?:ms|s|min|h|d)(?![a-z])", "\\d+ \\w+"],
  ["(?:exe|ins|pi|ch|re|cus|per|ses|tok)_[0-9A-Za-z]+", "[a-z]+_\\w+"],
  ["127\\.0\\.0\\.1:\\d+", "[.:\\d]+"],
];
const ANY = new RegExp(VOLATILE.map(([found]) => found).join("|"), "g");

/** Compares with the stored file; with `ARIA=write` writes it first. */
export async function expectAriaSnapshot(place: Locator, info: TestInfo, name: string): Promise<void> {
  const file = `${name}.aria.yml`;
  if (process.env.ARIA === "write") {
    const path = info.snapshotPath(file, { kind: "aria" });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, template(await place.ariaSnapshot()) + "\n");
  }
  await expect(place).toMatchAriaSnapshot({ name: file });
}

/** When payments were last checked, or that they were not yet: the hotel is older in some runs. */
const SWEEP = /^( *)- group:(?: "Check for payments .*"|\n *- text: "?Check for payments .*(?:\n *- (?:text|time): .*)*)$/gm;

/** The snapshot with a pattern in place of whatever differs. */
export function template(snapshot: string): string {
  const steady = snapshot.replace(SWEEP, "$1- group:\n$1  - /children: contain\n$1  - text: /^Check for payments that nobody finished/");
  return steady.split("\n").map(line).join("\n");
}

/** `- role "name" [level=1]: text`, where key and text may be quoted as YAML quotes. */
function line(text: string): string {
  const [, indent, rest] = /^(\s*- )(.*)$/.exec(text) ?? [];
  if (indent === undefined || rest === undefined || !differs(text)) return text;
  const { key, value } = parts(rest);
  const name = / ("(?:[^"\\]|\\.)*")/.exec(key)?.[1] ?? "";
  const head = indent + (differs(name) ? quoted(key.replace(name, () => pattern(JSON.parse(name)))) : rest.startsWith("'") ? quoted(key) : key);
  if (!value) return value === undefined ? head : `${head}:`;
  const plain = unquoted(value);
  return `${head}: ${differs(plain) ? quoted(pattern(plain)) : value}`;
}

const differs = (text: string): boolean => text.match(ANY) !== null;

/** No value is none; an empty one has lines below it. */
function parts(rest: string): { key: string; value?: string } {
  const found = /^'((?:[^']|'')*)'(.*)$/.exec(rest) ?? /^([a-z/]+(?: "(?:[^"\\]|\\.)*")?(?: \[[^\]]*\])*)(.*)$/.exec(rest);
  const [, key, tail] = found ?? ["", rest, ""];
  return { key: rest.startsWith("'") ? key.replaceAll("''", "'") : key, value: tail.startsWith(":") ? tail.slice(1).trim() : undefined };
}

function unquoted(value: string): string {
  if (value.startsWith('"')) return JSON.parse(value);
  return value.startsWith("'") ? value.slice(1, -1).replaceAll("''", "'") : value;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** The whole text, with a pattern for each part that differs. */
function pattern(text: string): string {
  let made = "";
  let from = 0;
  for (const found of text.matchAll(ANY)) {
    const written = VOLATILE.find(([source]) => new RegExp(`^(?:${source})$`).test(found[0]))?.[1] ?? "";
    made += escaped(text.slice(from, found.index)) + written;
    from = found.index + found[0].length;
  }
  return `/^${made}${escaped(text.slice(from))}$/`;
}
