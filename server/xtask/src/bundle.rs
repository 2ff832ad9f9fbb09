//! The browser's bundle: the app compiled to wasm, bound to JavaScript, beside the public files.
//!
//! ```text
//! app ──cargo, wasm-release──► target/front ──wasm-bindgen──► target/site/pkg/dewy.js, dewy_bg.wasm
//! public/ ─────────────────────────copy─────────────────────► target/site
//! ```
//! Without it every page works, only not live; so whatever fails here is a warning.

use std::{fs, path::Path, time::SystemTime};

use anyhow::anyhow;
use wasm_bindgen_cli_support::Bindgen;

use crate::{places::Places, process::must, say, wasm};

/// Builds it if anything changed; says whether there is one.
pub fn build(places: &Places) -> anyhow::Result<bool> {
    copy(&places.root.join("public"), &places.site)?;
    match say::step("The browser's bundle", || bundle(places)) {
        Ok(()) => Ok(true),
        Err(why) => {
            // An old one would speak another language than the server
            let _ = fs::remove_dir_all(places.site.join("pkg"));
            say::line(&format!(
                "  warning: {why:#}\n  going on without it: all pages work, but none changes by itself"
            ));
            Ok(false)
        }
    }
}

fn bundle(places: &Places) -> anyhow::Result<()> {
    let mut cargo = wasm::compiler()?;
    cargo.current_dir(&places.root);
    cargo.args([
        "build",
        "--profile",
        "wasm-release",
        "--package",
        "dewy-app",
        "--features",
        "hydrate",
        "--target",
        wasm::TARGET,
        "--target-dir",
    ]);
    must(cargo.arg(&places.front))?;
    let wasm = places.front.join(wasm::TARGET).join("wasm-release/dewy_app.wasm");
    let pkg = places.site.join("pkg");
    let made = pkg.join("dewy_bg.wasm");
    if newer(&made, &wasm) && pkg.join("dewy.js").exists() {
        return Ok(());
    }
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&wasm).out_name("dewy");
    bindgen.web(true)?.typescript(false).remove_name_section(true).remove_producers_section(true);
    bindgen.generate(&pkg)?;
    let bytes = fs::metadata(&made)?.len();
    say::line(&format!("  {} kB of wasm", bytes / 1024));
    Ok(())
}

fn newer(made: &Path, from: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
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
