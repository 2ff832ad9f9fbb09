//! The hotel in a real browser. Each Playwright project starts a server of its own (end2end/house.ts).

use std::{ffi::OsString, path::PathBuf};

use crate::{chromium, node, packages, places::Places, process, run, say};

/// Sets up what is missing and runs the browser tests; arguments go to Playwright.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let places = Places::find();
    run::build(&places, "dev")?;
    play(&places, "dev", false, arguments)
}

/// Takes pictures of every page into target/gallery; arguments go to Playwright.
pub fn gallery(arguments: &[String]) -> anyhow::Result<()> {
    let places = Places::find();
    run::build(&places, "dev")?;
    let pictures = ["--config", "gallery.config.ts"].map(str::to_owned);
    play(&places, "dev", false, &[&pictures, arguments].concat())?;
    say::line(&format!("pictures are in {}", places.target.join("gallery").display()));
    Ok(())
}

/// The same with the bundle and the server built already; `deep` plays everything in every look.
pub fn play(places: &Places, profile: &str, deep: bool, arguments: &[String]) -> anyhow::Result<()> {
    node::ensure()?;
    packages::ensure(places)?;
    let chromium = chromium::ensure(places)?;
    say::step("The browser tests", || {
        let mut playwright = process::node_program("npx");
        playwright.current_dir(&places.end2end).args(["playwright", "test"]).args(arguments);
        playwright
            .env("GALLERY", places.target.join("gallery"))
            .env("DEWY_BIN", process::server_path(places, profile))
            .env("DEWY_SITE_ROOT", &places.site);
        playwright.env("CHROMIUM", chromium.map_or_else(OsString::new, PathBuf::into_os_string));
        if deep {
            playwright.env("DEWY_ALL", "1");
        }
        process::must(&mut playwright)
    })
}
