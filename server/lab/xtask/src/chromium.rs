//! Chromium: installed on the machine, from Debian, or downloaded by Playwright. The headless shell
//! does the same work in two thirds of the CPU time, so it is preferred.

use std::{env, path::PathBuf};

use crate::{
    apt, progress_output,
    run_program::{find, node_program, run_or_fail},
    workspace_paths::WorkspacePaths,
};

/// Path of the browser; `None` for Playwright's own, which it finds by itself.
pub fn ensure(folders: &WorkspacePaths) -> anyhow::Result<Option<PathBuf>> {
    if let Some(found) = installed() {
        return Ok(Some(found));
    }
    progress_output::step("Chromium", || {
        for package in ["chromium-headless-shell", "chromium"] {
            if apt::install(&[package]).is_ok()
                && let Some(found) = installed()
            {
                return Ok(Some(found));
            }
        }
        run_or_fail(node_program("npx").current_dir(&folders.end2end).args([
            "playwright",
            "install",
            "--only-shell",
            "chromium",
        ]))?;
        Ok(None)
    })
}

fn installed() -> Option<PathBuf> {
    let chosen = env::var_os("CHROMIUM")
        .map(PathBuf::from)
        .filter(|path| path.exists());
    chosen.or_else(|| {
        [
            "chromium-headless-shell",
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
        ]
        .into_iter()
        .find_map(find)
    })
}
