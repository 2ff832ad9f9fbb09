//! Language understanding by hand does not grow: the lists of words, phrases, and examples have a
//! ceiling. Whoever needs more room makes it, or lowers the ceiling after taking some away.

use std::{fs, path::Path};

/// Files and folders of lists, with their size in bytes.
const CEILINGS: [(&str, u64); 5] = [
    ("domain/src/emergency/words.txt", 148_734),
    ("concierge/src/deferral", 3_999),
    ("concierge/src/proposal_questions", 2_671),
    ("concierge/src/wish", 7_394),
    ("sandbox/src/llm", 128_601),
];

/// Sizes of the lists in a folder, or of one.
fn size(path: &Path) -> u64 {
    if path.is_file() {
        let is_list = path.extension().is_some_and(|end| end == "txt");
        return if is_list {
            fs::metadata(path).unwrap().len()
        } else {
            0
        };
    }
    let entries = fs::read_dir(path).unwrap();
    entries.map(|entry| size(&entry.unwrap().path())).sum()
}

#[test]
fn lists_of_words_do_not_grow() {
    for (list, ceiling) in CEILINGS {
        let size = size(&Path::new(env!("CARGO_MANIFEST_DIR")).join(list));
        assert!(
            size <= ceiling,
            "{list} has {size} bytes; at most {ceiling}"
        );
    }
}
