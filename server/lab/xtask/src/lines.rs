//! Lines of Rust by crate. What proves the product must not outgrow it.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::ensure;

use crate::progress_output;

/// Prints the lines of each crate: of the product, and of the lab and the folders `tests`.
///
/// # Errors
/// When there is more of the latter.
pub fn check(root: &Path) -> anyhow::Result<()> {
    let mut lines = BTreeMap::new();
    count(&root.join("app"), "app", false, &mut lines)?;
    count(&root.join("server"), "server", false, &mut lines)?;
    for (package, [product, proof]) in &lines {
        progress_output::line(&format!("  {product:>7} {proof:>7} {package}"));
    }
    let [product, proof] = lines.values().fold([0, 0], |[all, more], [own, tests]| {
        [all + own, more + tests]
    });
    progress_output::line(&format!("  {product:>7} {proof:>7} product, lab and tests"));
    ensure!(proof <= product, "the tests have outgrown the product");
    Ok(())
}

fn count(
    folder: &Path,
    package: &str,
    is_proof: bool,
    lines: &mut BTreeMap<String, [usize; 2]>,
) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            let is_proof = is_proof || ["lab", "tests"].contains(&&*name);
            let own = path.join("Cargo.toml").exists();
            count(&path, if own { &name } else { package }, is_proof, lines)?;
        } else if name.ends_with(".rs") {
            let of_package = lines.entry(package.to_owned()).or_default();
            of_package[usize::from(is_proof)] += fs::read_to_string(&path)?.lines().count();
        }
    }
    Ok(())
}
