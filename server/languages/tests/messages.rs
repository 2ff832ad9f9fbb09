//! Every language has every message and every sentence of the backend, and none is unused.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use dewy_languages::Language;
use fluent_bundle::FluentResource;

/// Crates with texts for guests.
const USERS: [&str; 2] = ["../../app/src", "../src"];

/// Crates whose English sentences guests read.
const BACKEND: [&str; 6] = [
    "../domain/src",
    "../orchestrators/src",
    "../concierge/src",
    "../src",
    "../../app/src",
    "../sandbox/src",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(folders: &[&str]) -> String {
    fn all(folder: &Path, text: &mut String) {
        let mut entries: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                all(&path, text);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut text = String::new();
    for one in folders {
        all(&folder().join(one), &mut text);
    }
    text
}

/// First argument of each call of this function or macro, where it is a text.
fn first_texts<'a>(source: &'a str, call: &str) -> Vec<&'a str> {
    let calls = source.match_indices(call).filter(|(at, _)| {
        let before = source.get(..*at).and_then(|text| text.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    });
    calls
        .filter_map(|(at, _)| {
            let arguments = source.get(at + call.len()..)?.trim_start();
            arguments.strip_prefix('"')?.split('"').next()
        })
        .collect()
}

/// Each sentence of the backend, with the names of its values.
fn sentences(source: &str) -> Vec<(String, Vec<String>)> {
    let calls = source.split("said!(").skip(1);
    let all = calls.filter_map(|call| {
        let (id, rest) = call.trim_start().strip_prefix('"')?.split_once('"')?;
        let given = values(rest.get(..closing(rest))?);
        let mut given: Vec<_> = given.map(str::to_owned).collect();
        given.sort();
        Some((format!("said-{id}"), given))
    });
    all.collect()
}

/// Place of the bracket that closes a call.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    let end = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    end.unwrap_or(text.len())
}

/// Names of the values in `, sum, room = booking.room(a, b)`.
fn values(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = text.split(move |c| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        c == ',' && depth == 0
    });
    let names = parts.map(|part| part.split('=').next().unwrap_or_default().trim());
    names.filter(|name| !name.is_empty())
}

/// Words of a text as ids have them.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_ascii_lowercase()
}

/// Number of parts in which the words of an entry stand in the source; entries are put together of few.
fn parts(entry: &str, source: &str) -> Option<usize> {
    let (mut left, mut count) = (entry, 0);
    while !left.is_empty() {
        let mut ends = left
            .match_indices('-')
            .map(|(at, _)| at)
            .collect::<Vec<_>>();
        ends.push(left.len());
        let found = |end: &&usize| source.contains(&format!("-{}-", &left[..**end]));
        let end = *ends.iter().rev().find(found)?;
        (left, count) = (left[end..].trim_start_matches('-'), count + 1);
    }
    Some(count)
}

#[test]
fn message_files_parse_without_duplicates() {
    for entry in fs::read_dir(folder().join("locales")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if let Err((_, errors)) = FluentResource::try_new(text) {
            panic!("{}: {errors:?}", path.display());
        }
        let tag = path.file_stem().unwrap().to_str().unwrap();
        let language = Language::named(tag).unwrap();
        let mut seen = BTreeSet::new();
        for (id, _) in language.messages() {
            assert!(seen.insert(id), "{tag}: {id} is there twice");
        }
    }
    assert!(Language::all().count() >= 2);
}

#[test]
fn every_language_has_every_message_with_the_same_variables() {
    let english: BTreeMap<_, _> = Language::english().messages().collect();
    for language in Language::all() {
        let own: BTreeMap<_, _> = language.messages().collect();
        for (id, variables) in &english {
            let there = own.get(id);
            assert_eq!(there, Some(variables), "{}: {id}", language.tag());
        }
    }
}

#[test]
fn sentences_of_the_backend_have_their_message_with_its_values() {
    let source = read(&BACKEND);
    let english: BTreeMap<_, _> = Language::english().messages().collect();
    let sentences = sentences(&source);
    assert!(sentences.len() > 100, "{}", sentences.len());
    for (id, values) in &sentences {
        assert_eq!(english.get(id.as_str()), Some(values), "{id}");
    }
    for id in english.keys().filter(|id| id.starts_with("said-")) {
        let used =
            sentences.iter().any(|(used, _)| used == id) || source.contains(&format!("\"{id}\""));
        assert!(used, "the backend does not write {id}");
    }
}

#[test]
fn messages_of_other_languages_only_are_errors_and_entries_of_lists() {
    let source = read(&BACKEND);
    let text = words(&source);
    let lists: BTreeSet<&str> = ["named(", "named_with(", "fill("]
        .into_iter()
        .flat_map(|call| first_texts(&source, call))
        .collect();
    let error = |id: &str| {
        id.strip_prefix("error-")
            .is_some_and(|code| source.contains(&format!("= \"{code}\", ")))
    };
    let entry = |id: &str| {
        let mut lists = lists.iter();
        lists.any(|list| {
            let entry = id.strip_prefix(list).and_then(|id| id.strip_prefix('-'));
            let count = entry.and_then(|entry| parts(entry, &text));
            count.is_some_and(|count| count <= 3)
        })
    };
    for language in Language::all() {
        for (id, _) in language.messages() {
            let known = Language::english().has(id) || error(id) || entry(id);
            assert!(known, "{}: the backend does not write {id}", language.tag());
        }
    }
}

#[test]
fn used_and_defined_messages_are_the_same() {
    let source = read(&USERS);
    let own = fs::read_to_string(folder().join("src/language.rs")).unwrap();
    let english = Language::english();
    // Ids that are put together: values of the hotel's own lists
    let lists = ["named(", "message_of("];
    let lists = lists.iter().flat_map(|call| first_texts(&source, call));
    let beginnings: Vec<String> = lists.map(|list| format!("{list}-")).collect();
    for (id, _) in english.messages() {
        let used = source.contains(&format!("\"{id}\""))
            || own.contains(&format!("\"{id}\""))
            || beginnings.iter().any(|beginning| id.starts_with(beginning))
            || id.starts_with("said-");
        assert!(used, "nothing uses {id}");
    }
    for call in ["t!(", "rich("] {
        for id in first_texts(&source, call) {
            assert!(english.has(id), "there is no message {id}");
        }
    }
}

#[test]
fn counts_have_their_plurals_and_sentences_their_values() {
    let spanish = Language::named("es-MX").unwrap();
    assert_eq!(spanish.format("nights", &[("count", 1.into())]), "1 noche");
    assert_eq!(spanish.format("nights", &[("count", 3.into())]), "3 noches");
    let days = [("day", "2 dic".to_owned()), ("count", "1".to_owned())];
    let lost = spanish.translation("said-fact-early", &days).unwrap();
    assert!(
        lost.contains("2 dic") && lost.contains("1 noche y"),
        "{lost}"
    );
    assert_eq!(spanish.translation("said-never", &[]), None);
}

#[test]
fn the_language_of_a_text_is_detected() {
    let language_of = |text| Language::of_text(text).map(Language::tag);
    assert_eq!(language_of("Necesito toallas, por favor"), Some("es"));
    assert_eq!(language_of("¿Cuánto debo?"), Some("es"));
    assert_eq!(language_of("I need towels, please"), Some("en"));
    assert_eq!(language_of("Could I have two more towels?"), Some("en"));
    assert_eq!(language_of("302"), None);
    assert_eq!(language_of(""), None);
}
