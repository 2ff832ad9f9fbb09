//! Lines of Rust by crate, and files of the product by tool. What proves the product must not outgrow
//! it, and a tool must not spread over it.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::ensure;

use crate::progress_output;

/// Most files of the product that may name one tool, its catalog entry included. It only falls.
const MAX_FILES: usize = 21;

/// Prints the lines of each crate: of the product, and of the lab and the folders `tests`; then the
/// number of files that name each tool.
///
/// # Errors
/// When there is more lab than product, or a tool is named in too many files.
pub fn check(root: &Path) -> anyhow::Result<()> {
    let catalog = fs::read_dir(root.join("server/domain/src/tool_catalog"))?;
    let entries = catalog.map(|entry| anyhow::Ok(entry?.path().with_extension("")));
    let mut tools = BTreeMap::new();
    for entry in entries {
        let name = entry?
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        tools.insert(name.split('_').map(capital).collect::<String>(), 0);
    }
    // Not a tool, but the fields that tools share
    tools.remove("Fields");
    let mut lines: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut count = |package: &str, is_proof: bool, text: &str| {
        lines.entry(package.to_owned()).or_default()[usize::from(is_proof)] += text.lines().count();
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words: std::collections::HashSet<_> = words.filter(|_| !is_proof).collect();
        for (_, files) in tools
            .iter_mut()
            .filter(|(tool, _)| words.contains(&***tool))
        {
            *files += 1;
        }
    };
    for folder in ["app", "server"] {
        each_file(&root.join(folder), folder, false, &mut count)?;
    }
    for (package, [product, proof]) in &lines {
        progress_output::line(&format!("  {product:>7} {proof:>7} {package}"));
    }
    let [product, proof] = lines.values().fold([0, 0], |[all, more], [own, tests]| {
        [all + own, more + tests]
    });
    progress_output::line(&format!("  {product:>7} {proof:>7} product, lab and tests"));
    for (tool, files) in tools.iter().filter(|(_, files)| **files > 0) {
        progress_output::line(&format!("  {files:>7} files of the product name {tool}"));
        ensure!(*files <= MAX_FILES, "{tool} is named in {files} files");
    }
    ensure!(proof <= product, "the tests have outgrown the product");
    Ok(())
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Each Rust file, with its package, and whether it proves the product.
fn each_file(
    folder: &Path,
    package: &str,
    is_proof: bool,
    each: &mut impl FnMut(&str, bool, &str),
) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            let is_proof = is_proof || ["lab", "tests"].contains(&&*name);
            let own = path.join("Cargo.toml").exists();
            each_file(&path, if own { &name } else { package }, is_proof, each)?;
        } else if name.ends_with(".rs") {
            each(package, is_proof, &fs::read_to_string(&path)?);
        }
    }
    Ok(())
}
