//! Every file, folder, and table mentioned in documents and comments exists.

use dewy_domain::caller::Persona;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The workspace: every path in it, and the text of each source and document.
#[derive(Default)]
struct Workspace {
    /// Relative to the workspace.
    paths: Vec<String>,
    /// Paths of folders.
    folders: Vec<String>,
    texts: Vec<(String, String)>,
}

impl Workspace {
    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    fn read() -> Self {
        let mut found = Self::default();
        found.collect(&Self::root(), "");
        found
    }

    fn collect(&mut self, folder: &Path, above: &str) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let relative = format!("{above}{name}");
            if path.is_dir() {
                let hidden = name.starts_with('.') && name != ".github";
                if !hidden && !["target", "node_modules"].contains(&&*name) {
                    self.collect(&path, &format!("{relative}/"));
                    self.folders.push(relative.clone());
                }
            } else if [".rs", ".md", ".ts"].iter().any(|end| name.ends_with(end)) {
                let text = fs::read_to_string(path).unwrap();
                self.texts.push((relative.clone(), text));
            }
            self.paths.push(relative);
        }
    }

    /// Lines of documents and comments, each with its file.
    fn prose(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().flat_map(|(file, text)| {
            let lines = text.lines().map(move |line| (file.as_str(), line));
            lines
                .filter(|(file, line)| file.ends_with(".md") || line.trim_start().starts_with("//"))
        })
    }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[test]
fn documents_and_comments_name_files_that_exist() {
    let workspace = Workspace::read();
    let names: BTreeSet<&str> = workspace.paths.iter().map(|path| name(path)).collect();
    let ends_name = |letter: char| !letter.is_alphanumeric() && !"_-.".contains(letter);
    let mut stale = Vec::new();
    let mut mentions = 0;
    for (file, line) in workspace.prose() {
        let words = line.split(ends_name).map(|word| word.trim_matches('.'));
        let named = words.filter(|word| word.ends_with(".rs") || word.ends_with(".spec.ts"));
        for word in named.filter(|word| *word != "docs.rs") {
            mentions += 1;
            if !names.contains(word) {
                stale.push(format!("{file}: {word}"));
            }
        }
    }
    assert!(mentions > 200, "only {mentions} files are named");
    assert!(stale.is_empty(), "no such files: {stale:#?}");
}

/// A path is what begins with the name of a folder: `server/adr`, `store/src/sqlite`.
#[test]
fn documents_and_comments_name_paths_that_exist() {
    let workspace = Workspace::read();
    let folders: BTreeSet<&str> = workspace.folders.iter().map(|path| name(path)).collect();
    let ends = workspace.paths.iter().flat_map(|path| {
        let starts = path.match_indices('/').map(|(at, _)| at + 1);
        std::iter::once(0).chain(starts).map(|at| &path[at..])
    });
    let ends: BTreeSet<&str> = ends.collect();
    let other = |letter: char| !letter.is_ascii_alphanumeric() && !"_-./".contains(letter);
    let mut stale = Vec::new();
    let mut mentions = 0;
    for (file, line) in workspace.prose() {
        for word in line.split('`').skip(1).step_by(2) {
            let path = word.trim_end_matches('/');
            let mut parts = path.split('/');
            let is_path = word.contains('/')
                && !word.contains(other)
                && parts.next().is_some_and(|first| folders.contains(first))
                && !parts.any(|part| part.parse::<u32>().is_ok());
            if is_path {
                mentions += 1;
                if !ends.contains(path) {
                    stale.push(format!("{file}: {word}"));
                }
            }
        }
    }
    assert!(mentions > 200, "only {mentions} paths are named");
    assert!(stale.is_empty(), "no such paths: {stale:#?}");
}

#[test]
fn links_of_documents_lead_to_files() {
    let workspace = Workspace::read();
    let mut stale = Vec::new();
    for (file, line) in workspace.prose().filter(|(file, _)| file.ends_with(".md")) {
        let folder = Workspace::root().join(Path::new(file).parent().unwrap());
        for link in line.split("](").skip(1) {
            let link = link.split([')', '#']).next().unwrap_or_default();
            if !link.contains("://") && !folder.join(link).exists() {
                stale.push(format!("{file}: {link}"));
            }
        }
    }
    assert!(stale.is_empty(), "no such files: {stale:#?}");
}

/// The tree in ARCHITECTURE.md has every crate, and no folder that doesn't exist.
#[test]
fn the_documented_tree_is_the_tree() {
    let workspace = Workspace::read();
    let text = fs::read_to_string(Workspace::root().join("ARCHITECTURE.md")).unwrap();
    let tree = text.split("## The tree").nth(1).unwrap();
    let tree = tree.split("```").nth(1).unwrap();
    let mut documented = BTreeSet::new();
    for line in tree.lines().skip(1) {
        let above = if line.starts_with("  ") {
            "server/"
        } else {
            ""
        };
        let folders = line.trim_start().split("  ").next().unwrap_or_default();
        for folder in folders
            .split(' ')
            .take_while(|word| word.ends_with('/') || word.ends_with(".md"))
        {
            documented.insert(format!("{above}{}", folder.trim_end_matches('/')));
        }
    }
    for path in &documented {
        assert!(workspace.paths.contains(path), "there is no {path}");
    }
    for path in &workspace.paths {
        if let Some(package) = path.strip_suffix("/Cargo.toml") {
            assert!(documented.contains(package), "{package} is not in the tree");
        }
    }
}

/// Tables are named as such, or stand in the second column of what is stored.
#[test]
fn documents_name_tables_that_exist() {
    let workspace = Workspace::read();
    let schema = Workspace::root().join("migrations/sqlite");
    let schema: String = fs::read_dir(schema)
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let mut mentions = 0;
    let mut check = |file: &str, text: &str| {
        for table in text.split('`').skip(1).step_by(2) {
            mentions += 1;
            let made = schema.contains(&format!("create table {table} ("));
            assert!(made, "{file} names table {table}, which doesn't exist");
        }
    };
    for (file, line) in workspace.prose() {
        for words in ["table `", "tables `"] {
            for rest in line.split(words).skip(1) {
                let list = rest.split([' ', ')', ';', '.', '|']).take_while(|word| {
                    word.starts_with('`') || word.ends_with('`') || word.ends_with("`,")
                });
                check(file, &format!("`{}", list.collect::<String>()));
            }
        }
    }
    let security = fs::read_to_string(Workspace::root().join("server/SECURITY.md")).unwrap();
    let stored = security.split("## What is stored").nth(1).unwrap();
    for row in stored
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
    {
        check("SECURITY.md", row.split('|').nth(2).unwrap());
    }
    assert!(mentions > 12, "only {mentions} tables are named");
}

/// Steps are named in the sagas, and their translations by those names.
#[test]
fn the_steps_that_guests_follow_are_translated() {
    let root = Workspace::root().join("server");
    let drawn = fs::read_to_string(root.join("SAGAS.md")).unwrap();
    let spanish = fs::read_to_string(root.join("languages/locales/es.ftl")).unwrap();
    let mut missing = BTreeSet::new();
    let mut steps = 0;
    for saga in drawn.split("```text\n").skip(1) {
        let name = saga.split(' ').next().unwrap();
        let tool = dewy_domain::tool_catalog::named(name);
        if !tool.is_some_and(|tool| tool.personas.contains(&Persona::Guest)) {
            continue;
        }
        for line in saga.lines().filter(|line| line.contains(" + ")) {
            let titles = line
                .split(" + ")
                .nth(1)
                .unwrap()
                .split("  (")
                .next()
                .unwrap();
            for title in titles.split("  - ") {
                steps += 1;
                let id = title
                    .trim()
                    .to_lowercase()
                    .replace(|c: char| !c.is_alphanumeric(), "-");
                let message = format!("\nsaga-step-{id} = ");
                if !spanish.contains(&message) {
                    missing.insert(message);
                }
            }
        }
    }
    assert!(
        steps > 20 && missing.is_empty(),
        "{steps} steps; {missing:?}"
    );
}
