//! Python, and the programs from PyPI in their own virtual environment.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::bail;

use crate::{
    progress_output,
    run_program::{output, run_or_fail},
};

/// Minimum version for the pinned packages.
const MIN_VERSION: (u32, u32) = (3, 11);

/// Finds a Python that is recent enough and can create virtual environments.
pub fn find() -> anyhow::Result<PathBuf> {
    let asks = format!(
        "import sys, venv, ensurepip; sys.exit(sys.version_info < ({}, {}))",
        MIN_VERSION.0, MIN_VERSION.1
    );
    let found = ["python3", "python"]
        .into_iter()
        .find(|name| output(Command::new(name).args(["-c", &asks])).is_some());
    match found {
        Some(name) => Ok(name.into()),
        None => bail!(
            "the vendors' clients need Python {}.{} or newer with venv (https://python.org, or: apt-get install python3-venv)",
            MIN_VERSION.0,
            MIN_VERSION.1
        ),
    }
}

/// Creates the environment and installs the pinned packages, unless that was done from the same
/// list; returns its interpreter.
pub fn install(python: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let list = folder.join("requirements.txt");
    let wanted = fs::read(&list)?;
    let venv = folder.join("venv");
    let stamp = venv.join(".installed-from");
    let ours = venv.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) && ours.exists() {
        return Ok(ours);
    }
    progress_output::step("Python packages", || {
        run_or_fail(
            Command::new(python)
                .args(["-m", "venv", "--clear"])
                .arg(&venv),
        )?;
        let mut pip = Command::new(&ours);
        run_or_fail(
            pip.args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-deps",
                "--requirement",
            ])
            .arg(&list),
        )?;
        Ok(fs::write(stamp, wanted)?)
    })?;
    Ok(ours)
}
