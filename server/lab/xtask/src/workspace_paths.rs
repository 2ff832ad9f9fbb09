//! Paths of the workspace.

use std::{
    env,
    path::{Path, PathBuf},
};

/// WorkspacePaths used by the tasks.
#[derive(Clone, Debug)]
pub struct WorkspacePaths {
    pub root: PathBuf,
    /// Cargo's output.
    pub target: PathBuf,
    /// Output of the browser build, separate so that neither build blocks or invalidates the other.
    pub front: PathBuf,
    /// Files that the server sends to browsers.
    pub site: PathBuf,
    /// Playwright project.
    pub end2end: PathBuf,
    /// Downloaded tools.
    pub tools: PathBuf,
}

impl WorkspacePaths {
    /// Finds the tree that `cargo xtask` was called in: a copied output folder may contain a
    /// program of another clone.
    pub fn find() -> Self {
        let built = || env!("CARGO_MANIFEST_DIR").into();
        let here = env::var_os("CARGO_MANIFEST_DIR").map_or_else(built, PathBuf::from);
        let root = here.ancestors().nth(3).unwrap_or(&here).to_path_buf();
        // Cargo puts this program two folders below its output folder, wherever that is
        let own = env::current_exe()
            .ok()
            .and_then(|own| own.ancestors().nth(2).map(Path::to_path_buf));
        let target = own.unwrap_or_else(|| root.join("target"));
        Self {
            front: target.join("front"),
            site: target.join("site"),
            tools: target.join("tools"),
            end2end: root.join("end2end"),
            root,
            target,
        }
    }
}
