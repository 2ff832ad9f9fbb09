// Every SOQL text that the connectors' tests send, judged by two parsers: Salesforce's own grammar, and the one that Jetstream uses. Each
// text that the connectors' source can build must be among them. `cargo xtask vendors`; the argument is the folder of the Rust tests.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseQuery } from "@jetstreamapp/soql-parser-js";
import salesforce from "@salesforce/soql-common/lib/soql-parser/index.js";

const grammar = salesforce.SOQLParser({ isApex: false, isMultiCurrencyEnabled: true, apiVersion: 62 });

/** What the parsers have against a text. */
function faults(soql) {
  const found = grammar.parseQuery(soql).getParserErrors().map((one) => `Salesforce: ${one.getMessage()}`);
  try {
    parseQuery(soql);
  } catch (why) {
    found.push(`Jetstream: ${why.message}`);
  }
  return found;
}

/** Mistakes: a parser that takes these takes everything. */
const MISTAKES = [
  "SELECT Id FROM Case WHERE Subject = 'a'b'",
  "SELECT Id FROM Case WHERE Subject = 'a\nb'",
  String.raw`SELECT Id FROM Case WHERE Subject = 'a\qb'`,
  "SELECT Id FROM Case WHERE Id IN ()",
  "SELECT Id FROM Case WHERE Status = 'New' OR Priority = 'High' AND IsClosed = false",
  "SELECT Id FROM Case LIMIT 5 ORDER BY Id",
  "SELECT Id FROM Case WHERE CreatedDate > 2026-01-01T00:00:00",
];

/** The texts in the source, each as a pattern that what it builds must match. */
function templates() {
  const source = fileURLToPath(new URL("../../server/connectors/src/salesforce/", import.meta.url));
  const files = readdirSync(source, { recursive: true }).filter((name) => name.endsWith(".rs"));
  return files.flatMap((name) => {
    const [product] = readFileSync(join(source, name), "utf8").split("#[cfg(test)]");
    return [...product.matchAll(/"(SELECT (?:[^"\\]|\\[\s\S])+)"/g)].map(([, text]) => {
      const parts = text.replace(/\\\r?\n\s*/g, "").split(/\{[^}]*\}/);
      const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*");
      return { name, text, pattern: new RegExp(pattern) };
    });
  });
}

const texts = readFileSync(join(process.argv[2], "soql.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const wrong = texts.flatMap((text) => faults(text).map((fault) => `${JSON.stringify(text)}\n  ${fault}`));
wrong.push(...MISTAKES.filter((text) => faults(text).length === 0).map((text) => `neither parser refuses ${text}`));
const known = templates();
const untried = known.filter(({ pattern }) => !texts.some((text) => pattern.test(text)));
wrong.push(...untried.map(({ name, text }) => `${name}: no test sends ${text}`));
for (const one of wrong) console.error(one);
console.log(`${texts.length} SOQL texts, of ${known.length} in the source`);
process.exit(wrong.length > 0 ? 1 : 0);
