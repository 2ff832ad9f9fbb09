//! Where things are.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The folders we work in.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The workspace.
    pub root: PathBuf,
    /// Cargo's output.
    pub target: PathBuf,
    /// The browser's part has its own output, so that neither build waits for or spoils the other.
    pub front: PathBuf,
    /// What the server hands to browsers.
    pub site: PathBuf,
    /// The Playwright project.
    pub end2end: PathBuf,
    /// What we had to fetch ourselves.
    pub tools: PathBuf,
}

impl Folders {
    /// Finds the tree that `cargo xtask` was called in: a copied output folder may hold a program
    /// of another clone.
    pub fn find() -> Self {
        let built = || env!("CARGO_MANIFEST_DIR").into();
        let here = env::var_os("CARGO_MANIFEST_DIR").map_or_else(built, PathBuf::from);
        let root = here.ancestors().nth(2).unwrap_or(&here).to_path_buf();
        // Cargo put this program two folders below its output, wherever that is
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
