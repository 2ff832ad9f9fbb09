//! Every language has every message, none is unused, and the backend's sentences are recognized.

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
const BACKEND: [&str; 5] = [
    "../domain/src",
    "../orchestrators/src",
    "../concierge/src",
    "../src",
    "../../app/src",
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

/// Number of parts in which the words are found in the source; sentences are put together of few.
fn parts(words: &str, source: &str) -> Option<usize> {
    let mut pieces = Vec::new();
    for word in words.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let letters = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        pieces.extend([letters, word.get(letters.len()..)?]);
    }
    let words: Vec<&str> = pieces.into_iter().filter(|one| !one.is_empty()).collect();
    let (mut from, mut count) = (0, 0);
    while from < words.len() {
        let found = (from + 1..=words.len())
            .rev()
            .find(|to| source.contains(words.get(from..*to).unwrap().concat().trim()))?;
        (from, count) = (found, count + 1);
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
        for id in own.keys() {
            assert!(
                english.contains_key(id),
                "{}: {id} is not in English",
                language.tag()
            );
        }
    }
}

#[test]
fn used_and_defined_messages_are_the_same() {
    let source = read(&USERS);
    let own = fs::read_to_string(folder().join("src/language.rs")).unwrap();
    let english = Language::english();
    // Ids that are put together: `error-{code}`, and values of the hotel's own lists
    let mut beginnings: Vec<String> = first_texts(&source, "known_value(")
        .into_iter()
        .map(|list| format!("{list}-"))
        .collect();
    beginnings.push("error-".to_owned());
    assert!(source.contains("\"error-{}\""));
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
fn the_backend_still_writes_the_sentences_that_are_translated() {
    // A long sentence goes on in the next line of its file
    let mut source = String::new();
    for (n, part) in read(&BACKEND).split("\\\n").enumerate() {
        source.push_str(if n == 0 { part } else { part.trim_start() });
    }
    let source = source.to_lowercase();
    let english = Language::english();
    for (id, variables) in english.messages() {
        if !id.starts_with("said-") {
            continue;
        }
        let values: Vec<_> = variables
            .iter()
            .map(|name| (name.as_str(), "\u{1}".into()))
            .collect();
        let text = english.format(id, &values);
        for piece in text.split('\u{1}') {
            let piece = piece.trim();
            // Marks at the end are put there by whoever joins the parts
            let words = piece.to_lowercase();
            let words = words.trim_matches(['?', '.', ',', ' ']);
            let found = parts(words, &source);
            assert!(
                found.is_some_and(|count| count <= 4),
                "{id}: the backend does not write {piece:?}"
            );
        }
    }
}

#[test]
fn counts_have_their_plurals_and_sentences_their_values() {
    let spanish = Language::named("es-MX").unwrap();
    assert_eq!(spanish.format("nights", &[("count", 1.into())]), "1 noche");
    assert_eq!(spanish.format("nights", &[("count", 3.into())]), "3 noches");
    assert_eq!(
        spanish.translated(
            "Too many tries. Please wait 5 minutes and try again.",
            |_| None
        ),
        "Demasiados intentos. Espere 5 minutos e intente de nuevo."
    );
    assert_eq!(
        spanish.translated("Checked out. $250.00 was paid.", |_| None),
        "Salida registrada. Se pagaron $250.00."
    );
    assert_eq!(
        spanish.translated("Never heard of", |_| None),
        "Never heard of"
    );
    assert_eq!(
        spanish.translated("Your card was declined. You were not charged.", |_| None),
        "Su tarjeta fue rechazada. No se le cobró nada."
    );
    for (proposal, said) in [
        (
            "Send this request to Housekeeping: “Towels”?",
            "a Housekeeping? “Towels”",
        ),
        (
            "Send this request to Housekeeping for room 302: “Towels”?",
            "la habitación 302? “Towels”",
        ),
    ] {
        let translated = spanish.translated(proposal, |_| None);
        assert!(translated.ends_with(said), "{translated}");
    }
    let english = Language::english();
    assert_eq!(
        spanish.translated("Room: 302, instead of 205.", |value| (value == "302")
            .then(|| "la 302".to_owned())),
        "Habitación: la 302, en lugar de 205."
    );
    assert_eq!(english.translated("Checked out.", |_| None), "Checked out.");
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
