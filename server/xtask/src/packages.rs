//! npm packages, exactly as locked.

use std::{fs, path::Path};

use crate::{
    folders::Folders,
    output,
    process::{must, node_program},
};

/// Installs those of the browser tests.
pub fn ensure(folders: &Folders) -> anyhow::Result<()> {
    ensure_in(&folders.end2end)
}

/// Installs those of a folder unless what is there was installed from this very lock file.
pub fn ensure_in(folder: &Path) -> anyhow::Result<()> {
    let lock = fs::read(folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.installed-from");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    output::step("npm packages", || {
        let mut npm = node_program("npm");
        npm.current_dir(folder)
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        must(npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
        Ok(fs::write(stamp, lock)?)
    })
}
