//! Compiler for wasm: the toolchain's own target if it is installed or rustup can install it,
//! otherwise one of Debian's sources.
//!
//! ```text
//! A  std for wasm32 is installed ── or ── rustup target add
//! B  rustc-web, cargo-web, rust-web-src by apt ──► std built once ──► a private sysroot in ~/.cache
//! ```

#[cfg(unix)]
mod debian;

use std::{path::PathBuf, process::Command, time::Duration};

use anyhow::{Context, bail};

use crate::{
    progress_output,
    run_program::{cargo, find, output, within},
};

/// Target of the browser build.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Rustup downloads some 20 MB; the download hangs where networks block it.
const RUSTUP_LIMIT: Duration = Duration::from_secs(90);

/// Cargo that can build for wasm. `WASM_FORCE=A` or `B` tries only one way.
pub fn compiler() -> anyhow::Result<Command> {
    let force = std::env::var("WASM_FORCE").unwrap_or_default();
    let own = if force == "B" {
        Err(anyhow::anyhow!("not asked for"))
    } else {
        own_target()
    };
    match own {
        Ok(()) => Ok(cargo()),
        Err(why) if force == "A" => Err(why),
        Err(why) => {
            progress_output::line(&format!("  no {TARGET} by rustup ({why:#})"));
            other_way()
        }
    }
}

#[cfg(unix)]
fn other_way() -> anyhow::Result<Command> {
    progress_output::line("  trying Debian's compiler");
    debian::compiler()
}

#[cfg(not(unix))]
fn other_way() -> anyhow::Result<Command> {
    bail!("no other way to build it here")
}

fn own_target() -> anyhow::Result<()> {
    if has_std()? {
        return Ok(());
    }
    if find("rustup").is_none() {
        bail!("rustup is not installed");
    }
    within(
        RUSTUP_LIMIT,
        Command::new("rustup").args(["target", "add", TARGET]),
    )?;
    if has_std()? {
        Ok(())
    } else {
        bail!("rustup installed no standard library")
    }
}

fn has_std() -> anyhow::Result<bool> {
    let sysroot = output(
        Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .args(["--print", "sysroot"]),
    )
    .context("rustc is not installed")?;
    let folder = PathBuf::from(sysroot)
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib");
    let files = std::fs::read_dir(folder)
        .map(|files| files.filter_map(Result::ok).collect::<Vec<_>>())
        .unwrap_or_default();
    Ok(files
        .iter()
        .any(|file| file.file_name().to_string_lossy().starts_with("libstd-")))
}
