//! Every source file mentioned in documents and comments exists.

use std::{collections::BTreeSet, fs, path::Path};

/// Collects the sources and documents of a folder.
fn collect(folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let skipped = name.starts_with('.') || ["target", "node_modules"].contains(&&*name);
            if !skipped {
                collect(&path, files);
            }
        } else if name.ends_with(".rs") || name.ends_with(".md") || name.ends_with(".ts") {
            files.push((name, fs::read_to_string(path).unwrap()));
        }
    }
}

#[test]
fn documents_and_comments_name_files_that_exist() {
    let mut files = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        &mut files,
    );
    let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let ends_name = |letter: char| !letter.is_alphanumeric() && !"_-.".contains(letter);
    let mut stale = Vec::new();
    let mut mentions = 0;
    for (name, text) in &files {
        for line in text.lines() {
            if !name.ends_with(".md") && !line.trim_start().starts_with("//") {
                continue;
            }
            let words = line.split(ends_name).map(|word| word.trim_matches('.'));
            let named = words.filter(|word| word.ends_with(".rs") || word.ends_with(".spec.ts"));
            for file in named.filter(|file| *file != "docs.rs") {
                mentions += 1;
                if !names.contains(file) {
                    stale.push(format!("{name}: {file}"));
                }
            }
        }
    }
    assert!(mentions > 300, "only {mentions} files are named");
    assert!(stale.is_empty(), "no such files: {stale:#?}");
}
