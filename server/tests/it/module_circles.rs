//! Modules know each other in one direction only: a circle cannot be read from its beginning.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The top-level modules of a crate, and which others each of them names.
fn modules(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, text) in sources(src) {
        let text = without_tests(&text);
        named.entry(module).or_default().extend(named_in(text));
    }
    let all: BTreeSet<String> = named.keys().cloned().collect();
    for (module, others) in &mut named {
        others.retain(|other| other != module && all.contains(other));
    }
    named
}

/// Every file's text, by the top-level module that it belongs to.
fn sources(src: &Path) -> Vec<(String, String)> {
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
                found.push((top, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

/// The first word of every path below `crate::`.
fn named_in(text: &str) -> BTreeSet<String> {
    let code: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ");
    let mut named = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let mut depth = 0_u32;
        let mut first = true;
        let mut word = String::new();
        for c in rest.chars() {
            match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => word.push(c),
                '{' | '}' | ',' | ':' | ' ' => {
                    if first && depth <= 1 && !word.is_empty() {
                        named.insert(std::mem::take(&mut word));
                        first = false;
                    }
                    word.clear();
                    match c {
                        '{' => depth += 1,
                        '}' => depth = depth.saturating_sub(1),
                        ',' if depth == 1 => first = true,
                        _ => {}
                    }
                    if depth == 0 && !first {
                        break;
                    }
                }
                _ => {
                    if first && depth <= 1 && !word.is_empty() {
                        named.insert(word);
                    }
                    break;
                }
            }
        }
    }
    named
}

/// A way from `start` back to itself, if there is one.
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
fn no_two_modules_of_a_crate_need_each_other() {
    let server = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for folder in [
        "src",
        "bench/src",
        "concierge/src",
        "connectors/src",
        "dialogues/src",
        "domain/src",
        "orchestrators/src",
        "saga/src",
        "sandbox/src",
        "store/src",
        "test_kit/src",
        "torture/src",
        "xtask/src",
    ] {
        let modules = modules(&server.join(folder));
        assert!(modules.len() > 3, "{folder}: {modules:?}");
        let found = modules.keys().find_map(|module| circle(&modules, module));
        wrong.extend(found.map(|circle| format!("{folder}: {}", circle.join(" → "))));
    }
    assert_eq!(wrong, Vec::<String>::new());
    let orchestrators = modules(&server.join("orchestrators/src"));
    assert!(orchestrators["check_out"].contains("outbox"));
}

#[test]
fn a_circle_is_seen() {
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
    let text = "use crate::{\n    one::{Two, three},\n    four, // five\n};\nlet six = crate::seven(crate::eight::nine);";
    assert_eq!(named_in(text), names(&["one", "four", "seven", "eight"]));
}
