// Pictures of every page, for people to look at: `cargo xtask gallery`. They prove nothing; the tests do.
import base from "./playwright.config.js";

const projects = base.projects?.map((project) => ({ ...project, testMatch: "**/*.spec.ts" }));

export default { ...base, testDir: "gallery", timeout: 240_000, workers: 2, projects };
