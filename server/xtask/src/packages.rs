//! The browser tests' npm packages, exactly as locked.

use std::fs;

use crate::{
    places::Places,
    process::{must, node_program},
    say,
};

/// Installs them unless what is there was installed from this very lock file.
pub fn ensure(places: &Places) -> anyhow::Result<()> {
    let lock = fs::read(places.end2end.join("package-lock.json"))?;
    let stamp = places.end2end.join("node_modules/.installed-from");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    say::step("npm packages", || {
        let mut npm = node_program("npm");
        npm.current_dir(&places.end2end).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        must(npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
        Ok(fs::write(stamp, lock)?)
    })
}
