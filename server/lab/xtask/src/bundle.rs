//! Browser bundle: the app compiled to wasm, with JavaScript bindings, beside the public files.
//!
//! ```text
//! app ──cargo, wasm-release──► target/front ──wasm-bindgen──► target/site/pkg/dewy-HASH.js, dewy-HASH_bg.wasm, each also .br and .gz
//! public/ ─────────────────────────copy─────────────────────► target/site
//! ```
//! File names contain a hash of the content, so browsers cache the files forever; `bundle.txt`
//! names the current one. Without it every page works, but not live, so a machine without a wasm
//! compiler continues with a warning. A compile error is an error.

use std::{
    fs,
    hash::{DefaultHasher, Hasher},
    io::Write,
    path::Path,
    process::Command,
    time::SystemTime,
};

use anyhow::{Context, anyhow};
use flate2::{Compression, write::GzEncoder};
use wasm_bindgen_cli_support::Bindgen;

use crate::{
    progress_output, run_program::run_or_fail, wasm_toolchain, workspace_paths::WorkspacePaths,
};

/// Whether a build has ended.
pub fn exists(folders: &WorkspacePaths) -> bool {
    folders.site.join("pkg").join(BUNDLE_NAME_FILE).exists()
}

/// Builds the bundle if anything changed; returns whether there is one.
pub fn build(folders: &WorkspacePaths) -> anyhow::Result<bool> {
    copy(&folders.root.join("public"), &folders.site)?;
    let cargo = match wasm_toolchain::compiler() {
        Ok(cargo) => cargo,
        Err(why) => {
            // An old one would be incompatible with the server
            let _ = fs::remove_dir_all(folders.site.join("pkg"));
            progress_output::line(&format!(
                "  warning: {why:#}\n  continuing without it: all pages work, but none updates live"
            ));
            return Ok(false);
        }
    };
    progress_output::step("The browser's bundle", || bundle(folders, cargo))?;
    Ok(true)
}

fn bundle(folders: &WorkspacePaths, mut cargo: Command) -> anyhow::Result<()> {
    cargo.current_dir(&folders.root);
    // A library only for the browser: the server links the crate directly
    cargo.args([
        "rustc",
        "--lib",
        "--crate-type",
        "cdylib",
        "--profile",
        "wasm-release",
        "--package",
        "dewy-app",
        "--features",
        "hydrate",
        "--target",
        wasm_toolchain::TARGET,
        "--target-dir",
    ]);
    run_or_fail(cargo.arg(&folders.front))?;
    let wasm = folders
        .front
        .join(wasm_toolchain::TARGET)
        .join("wasm-release/dewy_app.wasm");
    let pkg = folders.site.join("pkg");
    let name = format!("dewy-{}", digest(&wasm)?);
    let name_file = pkg.join(BUNDLE_NAME_FILE);
    if fs::read_to_string(&name_file).is_ok_and(|old| old == name) {
        return Ok(());
    }
    // Contains only files created here
    let _ = fs::remove_dir_all(&pkg);
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&wasm).out_name(&name);
    bindgen
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen.generate(&pkg)?;
    let mut sizes = Vec::new();
    for file in [format!("{name}_bg.wasm"), format!("{name}.js")] {
        let bytes = pack(&pkg.join(&file))?;
        sizes.push(format!(
            "{} kB of {}",
            bytes.div_ceil(1000),
            if file.ends_with("wasm") {
                "wasm"
            } else {
                "script"
            }
        ));
    }
    progress_output::line(&format!("  {} over the wire", sizes.join(" and ")));
    // Written last: its presence means that all files are there
    fs::write(&name_file, &name)?;
    Ok(())
}

const BUNDLE_NAME_FILE: &str = "bundle.txt";

/// Hash of the content, for the file name.
fn digest(file: &Path) -> anyhow::Result<String> {
    let mut hasher = DefaultHasher::new();
    hasher.write(&fs::read(file).with_context(|| format!("{} was not built", file.display()))?);
    Ok(format!("{:016x}", hasher.finish()))
}

/// Compresses the file at the highest level, so that the server doesn't have to; returns the
/// smallest size.
fn pack(file: &Path) -> anyhow::Result<usize> {
    let content = fs::read(file)?;
    let beside = |ending: &str| Path::new(&format!("{}.{ending}", file.display())).to_owned();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&content)?;
    fs::write(beside("gz"), gzip.finish()?)?;
    let mut brotli = Vec::new();
    let best = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut content.as_slice(), &mut brotli, &best)?;
    fs::write(beside("br"), &brotli)?;
    Ok(brotli.len())
}

fn newer(made: &Path, from: &Path) -> bool {
    let changed = |path: &Path| {
        fs::metadata(path)
            .and_then(|meta| meta.modified())
            .unwrap_or(SystemTime::UNIX_EPOCH)
    };
    made.exists() && changed(made) >= changed(from)
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, goal) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&source, &goal)?;
        } else if !newer(&goal, &source) {
            fs::copy(&source, &goal).map_err(|why| anyhow!("{}: {why}", source.display()))?;
        }
    }
    Ok(())
}
