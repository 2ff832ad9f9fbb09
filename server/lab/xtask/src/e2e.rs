//! Tests of the hotel in a real browser. Each Playwright project starts its own server
//! (end2end/test-hotel.ts).

use std::{ffi::OsString, path::PathBuf};

use crate::{
    chromium, nginx, node, npm_packages, progress_output, run, run_program,
    workspace_paths::WorkspacePaths,
};

/// Installs what is missing and runs the browser tests; arguments are passed to Playwright.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let folders = WorkspacePaths::find();
    run::build(&folders, "dev")?;
    run_built(&folders, "dev", false, arguments)
}

/// Takes screenshots of every page into target/gallery; arguments are passed to Playwright.
pub fn gallery(arguments: &[String]) -> anyhow::Result<()> {
    let folders = WorkspacePaths::find();
    run::build(&folders, "dev")?;
    let pictures = ["--config", "gallery.config.ts"].map(str::to_owned);
    run_built(&folders, "dev", false, &[&pictures, arguments].concat())?;
    progress_output::line(&format!(
        "screenshots are in {}",
        folders.target.join("gallery").display()
    ));
    Ok(())
}

/// Like `run`, with bundle and server already built; `deep` runs everything in every theme.
pub fn run_built(
    folders: &WorkspacePaths,
    profile: &str,
    deep: bool,
    arguments: &[String],
) -> anyhow::Result<()> {
    node::ensure()?;
    npm_packages::ensure(folders)?;
    let chromium = chromium::ensure(folders)?;
    nginx::ensure();
    progress_output::step("The browser tests", || {
        let mut playwright = run_program::node_program("npx");
        playwright
            .current_dir(&folders.end2end)
            .args(["playwright", "test"])
            .args(arguments);
        playwright
            .env("GALLERY", folders.target.join("gallery"))
            .env("DEWY_BIN", run_program::server_path(folders, profile))
            .env("DEWY_SITE_ROOT", &folders.site);
        playwright.env(
            "CHROMIUM",
            chromium.map_or_else(OsString::new, PathBuf::into_os_string),
        );
        if deep {
            playwright.env("DEWY_ALL", "1");
        }
        run_program::run_or_fail(&mut playwright)
    })
}
