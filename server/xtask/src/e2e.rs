//! The hotel in a real browser. Each Playwright project starts a server of its own (end2end/house.ts).

use std::{ffi::OsString, path::PathBuf};

use crate::{bundle, chromium, node, packages, places::Places, process, say};

/// Sets up what is missing and runs the browser tests; arguments go to Playwright.
pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    let places = Places::find();
    build(&places)?;
    play(&places, arguments)
}

/// Takes pictures of every page into target/gallery; arguments go to Playwright.
pub fn gallery(arguments: &[String]) -> anyhow::Result<()> {
    let places = Places::find();
    build(&places)?;
    let pictures = ["--config", "gallery.config.ts"].map(str::to_owned);
    play(&places, &[&pictures, arguments].concat())?;
    say::line(&format!("pictures are in {}", places.target.join("gallery").display()));
    Ok(())
}

fn build(places: &Places) -> anyhow::Result<()> {
    bundle::build(places)?;
    say::step("The server", || {
        process::must(process::cargo().current_dir(&places.root).args(["build", "--package", "dewy", "--bin", "dewy"]))
    })
}

/// The same with the bundle and the server built already; `cargo test` builds the server as well, and a second build of it
/// with other features would only take time.
pub fn play(places: &Places, arguments: &[String]) -> anyhow::Result<()> {
    node::ensure()?;
    packages::ensure(places)?;
    let chromium = chromium::ensure(places)?;
    let program = places.target.join("debug").join(if cfg!(windows) { "dewy.exe" } else { "dewy" });
    say::step("The browser tests", || {
        let mut playwright = process::node_program("npx");
        playwright.current_dir(&places.end2end).args(["playwright", "test"]).args(arguments);
        playwright
            .env("GALLERY", places.target.join("gallery"))
            .env("DEWY_BIN", program)
            .env("DEWY_SITE_ROOT", &places.site);
        playwright.env("CHROMIUM", chromium.map_or_else(OsString::new, PathBuf::into_os_string));
        process::must(&mut playwright)
    })
}
