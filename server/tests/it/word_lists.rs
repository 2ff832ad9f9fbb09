//! Language understanding by hand does not grow: the lists of words, phrases, and examples have a
//! ceiling. Whoever needs more room makes it, or lowers the ceiling after taking some away.

use std::{fs, path::Path};

/// Files and folders of lists, with their size in bytes.
const CEILINGS: [(&str, usize); 5] = [
    ("domain/src/emergency/words.txt", 148_734),
    ("concierge/src/deferral", 3_999),
    ("concierge/src/proposal_questions", 2_671),
    ("concierge/src/wish", 7_394),
    ("sandbox/src/llm", 128_601),
];

/// The concierge's code that understands language, with the bytes of the words in it.
const CEILINGS_OF_CODE: [(&str, usize); 6] = [
    ("concierge/src/deferral.rs", 115),
    ("concierge/src/proposal_questions.rs", 220),
    ("concierge/src/wish.rs", 693),
    ("concierge/src/wish/arrangement.rs", 636),
    ("concierge/src/wish/claim.rs", 344),
    ("concierge/src/wish/clause.rs", 309),
];

/// Sizes of the lists in a folder, or of one; of code, the words in it.
fn size(path: &Path) -> usize {
    if path.is_dir() {
        let lists = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let lists = lists.filter(|path| path.extension().is_none_or(|end| end != "rs"));
        return lists.map(|path| size(&path)).sum();
    }
    let text = fs::read_to_string(path).unwrap();
    match path.extension().and_then(|end| end.to_str()) {
        Some("txt") => text.len(),
        Some("rs") => words_in_code(&text),
        _ => 0,
    }
}

/// Bytes of the literals that are words, in code without its comments and tests.
fn words_in_code(code: &str) -> usize {
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(str::trim_start);
    let code: String = lines.filter(|line| !line.starts_with("//")).collect();
    let is_word = |c: char| c.is_lowercase() || " '\\".contains(c);
    let literals = code.split('"').skip(1).step_by(2);
    literals
        .filter(|literal| literal.chars().all(is_word))
        .map(str::len)
        .sum()
}

#[test]
fn lists_of_words_do_not_grow() {
    for (list, ceiling) in CEILINGS.into_iter().chain(CEILINGS_OF_CODE) {
        let size = size(&Path::new(env!("CARGO_MANIFEST_DIR")).join(list));
        assert!(
            size <= ceiling,
            "{list} has {size} bytes; at most {ceiling}"
        );
    }
}
