//! No modules of a crate depend on each other in a circle, at any level.

use std::{fs, path::Path};

use crate::prelude::*;

/// Modules of one parent, and which others of them each one names.
type Siblings = BTreeMap<String, BTreeSet<String>>;

/// Circles that remain, each by its crate, parent, and one of its modules. The list may only get
/// shorter.
const REMAINING: [&str; 3] = [
    ".: auth: code_sms",
    ".: auth: sign_in_limits",
    "connectors: salesforce: requests",
];

/// Every file's module and text, without tests.
fn sources(src: &Path, above: &[String], found: &mut Vec<(Vec<String>, String)>) {
    for entry in fs::read_dir(src).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let module = [above, std::slice::from_ref(&name)].concat();
        if path.is_dir() {
            sources(&path, &module, found);
        } else if !["lib", "main", "tests"].contains(&&*name)
            && path.extension().is_some_and(|end| end == "rs")
        {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            found.push((module, code.to_owned()));
        }
    }
}

/// The modules of a crate by their parent.
fn levels(src: &Path) -> BTreeMap<String, Siblings> {
    let mut files = Vec::new();
    sources(src, &[], &mut files);
    let mut levels: BTreeMap<String, Siblings> = BTreeMap::new();
    for (module, _) in &files {
        for (at, name) in module.iter().enumerate() {
            let level = levels.entry(module[..at].join("::")).or_default();
            level.entry(name.clone()).or_default();
        }
    }
    for (module, text) in &files {
        for path in named_in(text, module) {
            let common = module
                .iter()
                .zip(&path)
                .take_while(|(own, other)| own == other)
                .count();
            let (Some(own), Some(other)) = (module.get(common), path.get(common)) else {
                continue;
            };
            let level = levels.get_mut(&module[..common].join("::")).unwrap();
            if level.contains_key(other) {
                level.entry(own.clone()).or_default().insert(other.clone());
            }
        }
    }
    levels
}

/// Every path in a module's text, from the crate on.
fn named_in(text: &str, module: &[String]) -> Vec<Vec<String>> {
    // A keyword that begins a path is marked before spaces go
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let mut code = format!(" {}", lines.collect::<Vec<_>>().join(" ")).replace(" as ", "::");
    for keyword in ["crate::", "super::"] {
        for before in [' ', '(', '{', ',', '<', '&', '!', '='] {
            code = code.replace(
                &format!("{before}{keyword}"),
                &format!("{before}@{keyword}"),
            );
        }
    }
    let code: String = code.split_whitespace().collect();
    let mut found = Vec::new();
    for rest in code.split('@').skip(1) {
        let (mut rest, mut base) = (rest, module.len());
        if let Some(from_crate) = rest.strip_prefix("crate::") {
            (rest, base) = (from_crate, 0);
        }
        while let Some(next) = rest.strip_prefix("super::") {
            (rest, base) = (next, base.saturating_sub(1));
        }
        let mut paths = Vec::new();
        read_paths(rest, &[], &mut paths);
        for path in paths {
            let path = path.into_iter().map(str::to_owned);
            found.push(module[..base].iter().cloned().chain(path).collect());
        }
    }
    found
}

/// Reads `a::{b, c::d}` as two paths; returns what follows.
fn read_paths<'a>(text: &'a str, before: &[&'a str], found: &mut Vec<Vec<&'a str>>) -> &'a str {
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
        // All names of a module
        return rest.strip_prefix('*').unwrap_or(rest);
    }
    match rest.strip_prefix("::") {
        Some(next) => read_paths(next, &[before, &[word]].concat(), found),
        None => {
            found.push([before, &[word]].concat());
            rest
        }
    }
}

/// Dependency cycle through `start`, if any.
fn circle(modules: &BTreeMap<String, BTreeSet<String>>, start: &str) -> Option<Vec<String>> {
    let mut paths = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while let Some(path) = paths.pop() {
        for next in &modules[path.last().unwrap()] {
            if next == start {
                return Some(path);
            }
            if seen.insert(next.clone()) {
                paths.push(path.iter().cloned().chain([next.clone()]).collect());
            }
        }
    }
    None
}

/// Every circle of a level, by the first of its modules.
fn circles(siblings: &Siblings) -> Vec<Vec<String>> {
    let mut found = Vec::<Vec<String>>::new();
    for module in siblings.keys() {
        if found.iter().any(|circle| circle.contains(module)) {
            continue;
        }
        found.extend(circle(siblings, module));
    }
    found
}

#[test]
fn modules_have_no_circular_dependencies() {
    let server = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for folder in [
        ".",
        "../app",
        "concierge",
        "connectors",
        "domain",
        "languages",
        "orchestrators",
        "saga",
        "sandbox",
        "store",
        "lab/bench",
        "lab/dialogues",
        "lab/test_kit",
        "lab/torture",
        "lab/xtask",
    ] {
        let levels = levels(&server.join(folder).join("src"));
        assert!(levels[""].len() > 2, "{folder}: {levels:?}");
        for (parent, siblings) in &levels {
            for circle in circles(siblings) {
                let known = |module: &String| {
                    REMAINING.contains(&&*format!("{folder}: {parent}: {module}"))
                };
                if !circle.iter().any(known) {
                    wrong.push(format!("{folder}: {parent}: {}", circle.join(" → ")));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let orchestrators = levels(&server.join("orchestrators/src"));
    assert!(orchestrators[""]["sagas"].contains("saga_parts"));
    let pages = levels(&server.join("../app/src"));
    assert!(pages["pages"]["guest"].contains("public"));
    let connectors = levels(&server.join("connectors/src"));
    assert!(connectors["salesforce"]["requests"].contains("soql"));
}

#[test]
fn a_circular_dependency_is_detected() {
    let names = |list: &[&str]| {
        list.iter()
            .map(|name| (*name).to_owned())
            .collect::<BTreeSet<_>>()
    };
    let modules = BTreeMap::from([
        ("a".to_owned(), names(&["b"])),
        ("b".to_owned(), names(&["c"])),
        ("c".to_owned(), names(&["a"])),
        ("d".to_owned(), names(&["a"])),
    ]);
    assert_eq!(circles(&modules), [["a", "b", "c"]]);
    let text = "use crate::{\n    one::{Two, three},\n    four as five, // six\n};\nuse super::seven;\nlet ten = super::super::eight(crate::nine);";
    let module = ["pages", "guest", "home"].map(str::to_owned);
    let found: Vec<String> = named_in(text, &module)
        .iter()
        .map(|path| path.join("::"))
        .collect();
    assert_eq!(
        found,
        [
            "one::Two",
            "one::three",
            "four::five",
            "pages::guest::seven",
            "pages::eight",
            "nine"
        ]
    );
}
