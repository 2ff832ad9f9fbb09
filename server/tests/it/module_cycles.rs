//! No two modules of a crate depend on each other.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The modules in a folder, whose path is `above`, and which others of them each one names.
fn modules(src: &Path, above: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, text) in sources(src, above) {
        let text = without_tests(&text);
        named
            .entry(module)
            .or_default()
            .extend(named_in(text, above));
    }
    let all: BTreeSet<String> = named.keys().cloned().collect();
    for (module, others) in &mut named {
        others.retain(|other| other != module && all.contains(other));
    }
    named
}

/// Every file's text, by the module of the folder that it belongs to.
fn sources(src: &Path, above: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![src.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let module = path.strip_prefix(src).unwrap().with_extension("");
            let top = module.iter().next().unwrap().to_str().unwrap().to_owned();
            if top != "lib" && top != "main" {
                let mut text = fs::read_to_string(&path).unwrap();
                if path.parent() == Some(src) {
                    text = text.replace("super::", above);
                }
                found.push((top, text));
            }
        }
    }
    found
}

fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

/// The first word of every path below `above`, which ends in `crate::` or in a module of it.
fn named_in(text: &str, above: &str) -> BTreeSet<String> {
    let code: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ")
        .replace(" as ", "::")
        .split_whitespace()
        .collect();
    let mut paths = Vec::new();
    for rest in code.split("crate::").skip(1) {
        read_paths(rest, "crate::", &mut paths);
    }
    let below = paths.iter().filter_map(|path| path.strip_prefix(above));
    below
        .filter_map(|path| path.split("::").next())
        .map(str::to_owned)
        .collect()
}

/// Reads `a::{b, c::d}` as two paths; returns what follows.
fn read_paths<'a>(text: &'a str, before: &str, found: &mut Vec<String>) -> &'a str {
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = read_paths(rest, before, found);
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
        }
    }
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if word.is_empty() {
        return rest;
    }
    match rest.strip_prefix("::") {
        Some(next) => read_paths(next, &format!("{before}{word}::"), found),
        None => {
            found.push(format!("{before}{word}"));
            rest
        }
    }
}

/// Dependency cycle through `start`, if any.
fn circle(modules: &BTreeMap<String, BTreeSet<String>>, start: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop() {
        for next in &modules[way.last().unwrap()] {
            if next == start {
                return Some(way);
            }
            if seen.insert(next.clone()) {
                ways.push(way.iter().cloned().chain([next.clone()]).collect());
            }
        }
    }
    None
}

#[test]
fn modules_have_no_circular_dependencies() {
    let server = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for (folder, above) in [
        ("src", "crate::"),
        ("../app/src", "crate::"),
        ("../app/src/pages", "crate::pages::"),
        ("../app/src/pages/staff", "crate::pages::staff::"),
        ("lab/bench/src", "crate::"),
        ("concierge/src", "crate::"),
        ("connectors/src", "crate::"),
        ("lab/dialogues/src", "crate::"),
        ("domain/src", "crate::"),
        ("orchestrators/src", "crate::"),
        ("saga/src", "crate::"),
        ("sandbox/src", "crate::"),
        ("store/src", "crate::"),
        ("lab/test_kit/src", "crate::"),
        ("lab/torture/src", "crate::"),
        ("lab/xtask/src", "crate::"),
    ] {
        let modules = modules(&server.join(folder), above);
        assert!(modules.len() > 3, "{folder}: {modules:?}");
        let found = modules.keys().find_map(|module| circle(&modules, module));
        wrong.extend(found.map(|circle| format!("{folder}: {}", circle.join(" → "))));
    }
    assert_eq!(wrong, Vec::<String>::new());
    let orchestrators = modules(&server.join("orchestrators/src"), "crate::");
    assert!(orchestrators["check_out"].contains("outbox"));
    let pages = modules(&server.join("../app/src/pages"), "crate::pages::");
    assert!(pages["guest"].contains("public"));
}

#[test]
fn a_circular_dependency_is_detected() {
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
    let modules = BTreeMap::from([
        ("a".to_owned(), names(&["b"])),
        ("b".to_owned(), names(&["c"])),
        ("c".to_owned(), names(&["a"])),
    ]);
    assert_eq!(
        circle(&modules, "a"),
        Some(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()])
    );
    let text = "use crate::{\n    one::{Two, three},\n    four as five, // six\n    pages::{guest::seven, staff::{eight, nine}},\n};\nlet ten = crate::eleven(crate::pages::public::twelve);";
    assert_eq!(
        named_in(text, "crate::"),
        names(&["one", "four", "pages", "eleven"])
    );
    assert_eq!(
        named_in(text, "crate::pages::"),
        names(&["guest", "staff", "public"])
    );
}
