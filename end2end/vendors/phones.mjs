// A landline and a mobile of every region, as Google's own JavaScript writes them, and as they are dialed in six countries:
// server/connectors/tests/fixtures/example-phone-numbers.tsv, which our reader is tested with. `cargo xtask vendors` compares the file
// with the package; --write writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import google from "google-libphonenumber";

const FILE = fileURLToPath(new URL("../../server/connectors/tests/fixtures/example-phone-numbers.tsv", import.meta.url));
const HOTELS = ["US", "GB", "DE", "IT", "JP", "AU"];

const phones = google.PhoneNumberUtil.getInstance();
const { E164, INTERNATIONAL, NATIONAL } = google.PhoneNumberFormat;
const { FIXED_LINE, MOBILE } = google.PhoneNumberType;

const rows = new Map();
for (const region of phones.getSupportedRegions().sort()) {
  for (const number of [FIXED_LINE, MOBILE].map((type) => phones.getExampleNumberForType(region, type))) {
    if (!number) continue;
    const written = [E164, INTERNATIONAL, NATIONAL].map((format) => phones.format(number, format));
    const dialed = HOTELS.map((hotel) => phones.formatOutOfCountryCallingNumber(number, hotel));
    rows.set(`${region} ${written[0]}`, [region, ...written, ...dialed].join("\t"));
  }
}
const wanted = `# Example numbers of google-libphonenumber (Google, Apache-2.0), a landline and a mobile of each region:
# node end2end/vendors/phones.mjs --write
${["region", "E.164", "international", "national", ...HOTELS].join("\t")}
${[...rows.values()].join("\n")}
`;
if (process.argv.includes("--write")) writeFileSync(FILE, wanted);
if (readFileSync(FILE, "utf8") !== wanted) {
  console.error("example-phone-numbers.tsv is not what google-libphonenumber says: node end2end/vendors/phones.mjs --write");
  process.exit(1);
}
