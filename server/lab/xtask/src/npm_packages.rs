//! npm packages from a lock file.

use std::{fs, path::Path};

use crate::{
    progress_output,
    run_program::{node_program, run_or_fail},
    workspace_paths::WorkspacePaths,
};

/// Installs the packages of the browser tests.
pub fn ensure(folders: &WorkspacePaths) -> anyhow::Result<()> {
    ensure_in(&folders.end2end)
}

/// Installs the packages of a folder, unless they were installed from the same lock file.
pub fn ensure_in(folder: &Path) -> anyhow::Result<()> {
    let lock = fs::read(folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.installed-from");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    progress_output::step("npm packages", || {
        let mut npm = node_program("npm");
        npm.current_dir(folder)
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        run_or_fail(npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
        Ok(fs::write(stamp, lock)?)
    })
}
