//! Wordings of all phrases, found in one pass over a message, however many phrases share them.
//!
//! ```text
//! message ─► words ─► one automaton ─► where each element stands ─► phrases (phrase.rs)
//! ```

use std::collections::HashMap;

use aho_corasick::AhoCorasick;

use super::text_folding::{END, fold, tokens, writes_no_spaces};

/// Id of a wording: one or more words, as `knocked out` or `bleed*`.
pub(super) type Wording = usize;
/// Id of an element: any of several wordings.
pub(super) type Element = usize;

/// All wordings, and the elements that contain them.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    ids: HashMap<String, Wording>,
    entries: Vec<Entry>,
    elements: Vec<Vec<Wording>>,
    automaton: Option<AhoCorasick>,
}

#[derive(Debug, Default)]
struct Entry {
    letters: String,
    /// Number of words; 0 for a text that matches anywhere, in scripts without spaces.
    words: usize,
    elements: Vec<Element>,
    singles: Vec<Wording>,
    /// Lists of phrases that it is a single word of, one bit each.
    lists: u128,
}

impl Lexicon {
    /// Adds a wording; only its last word may be open (`word*`).
    pub(super) fn wording(&mut self, written: &str) -> Wording {
        let folded = fold(written.trim_end_matches('*'));
        let words = tokens(&folded);
        let end = if written.ends_with('*') { "" } else { " " };
        let whole = self.entry(format!(" {}{end}", words.join(" ")), words.len());
        let singles = words.iter().enumerate().map(|(n, word)| {
            let end = if n + 1 == words.len() { end } else { " " };
            self.entry(format!(" {word}{end}"), 1)
        });
        let singles = singles.collect();
        self.entries[whole].singles = singles;
        whole
    }

    fn entry(&mut self, key: String, words: usize) -> Wording {
        *self.ids.entry(key).or_insert_with_key(|key| {
            let letters = key.replace(' ', "");
            self.entries.push(Entry {
                letters,
                words,
                ..Entry::default()
            });
            self.entries.len() - 1
        })
    }

    pub(super) fn element(&mut self, wordings: Vec<Wording>) -> Element {
        let id = self.elements.len();
        for wording in &wordings {
            self.entries[*wording].elements.push(id);
        }
        self.elements.push(wordings);
        id
    }

    /// Adds an element that matches anywhere: every text that these spell, one after the other.
    /// Returns the texts too.
    pub(super) fn spelled(&mut self, elements: &[Element]) -> (Element, Vec<String>) {
        let mut texts = vec![String::new()];
        for element in elements {
            let wordings = &self.elements[*element];
            let letters = |wording: &Wording| self.entries[*wording].letters.as_str();
            let longer = texts.iter().flat_map(|text| {
                let letters = wordings.iter().map(letters);
                letters.map(move |letters| format!("{text}{letters}"))
            });
            texts = longer.collect();
        }
        let ids = texts.iter().map(|text| self.entry(text.clone(), 0));
        let ids = ids.collect();
        (self.element(ids), texts)
    }

    /// Notes that a list of phrases has the words of an element.
    pub(super) fn note(&mut self, element: Element, list: usize) {
        for wording in self.elements[element].clone() {
            for single in self.entries[wording].singles.clone() {
                self.entries[single].lists |= 1 << list;
            }
        }
    }

    /// Compiles the wordings, once all are added.
    #[expect(clippy::expect_used, reason = "the words are compiled in, and tested")]
    pub(super) fn compile(&mut self) {
        let mut keys = vec![""; self.entries.len()];
        for (key, id) in &self.ids {
            keys[*id] = key;
        }
        let automaton = AhoCorasick::new(keys).expect("some thousand short wordings");
        self.automaton = Some(automaton);
    }

    /// Finds the elements in these words.
    pub(super) fn read(&self, words: &[&str]) -> Reading {
        let mut reading = Reading {
            places: vec![Vec::new(); self.elements.len()],
            lists: vec![0; words.len()],
            words: words.iter().map(|word| Word::of(word)).collect(),
        };
        // Every wording begins with the space before its first word
        let mut text = String::new();
        let mut begins = Vec::with_capacity(words.len());
        for word in words {
            begins.push(text.len());
            text.push(' ');
            text.push_str(word);
        }
        text.push(' ');
        // What matches anywhere needs such a script
        let anywhere = text.chars().any(writes_no_spaces);
        let joined = words.iter().filter(|word| anywhere && **word != END);
        let joined: String = joined.copied().collect();
        let automaton = self.automaton.iter();
        for found in automaton
            .clone()
            .flat_map(|it| it.find_overlapping_iter(&joined))
        {
            self.place(found.pattern().as_usize(), 0, &mut reading);
        }
        for found in automaton.flat_map(|it| it.find_overlapping_iter(&text)) {
            let at = begins.partition_point(|begin| *begin < found.start());
            self.place(found.pattern().as_usize(), at, &mut reading);
        }
        reading
    }

    fn place(&self, wording: Wording, at: usize, reading: &mut Reading) {
        let entry = &self.entries[wording];
        for element in &entry.elements {
            reading.places[*element].push((at, entry.words));
        }
        if let Some(lists) = reading.lists.get_mut(at) {
            *lists |= entry.lists;
        }
    }

    /// The fewest bytes of an element.
    #[cfg(test)]
    pub(super) fn shortest(&self, element: Element) -> usize {
        let letters = |wording: &Wording| self.entries[*wording].letters.len();
        let of = self.elements[element].iter().map(letters);
        of.min().unwrap_or_default()
    }
}

/// What stands at a position of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Present,
    TakenOut,
    /// The end of a sentence.
    End,
}

impl Word {
    fn of(word: &str) -> Self {
        match word {
            "" => Self::TakenOut,
            END => Self::End,
            _ => Self::Present,
        }
    }
}

/// What stands where in a message.
pub(super) struct Reading {
    words: Vec<Word>,
    /// Position and number of words of each element's wordings.
    places: Vec<Vec<(usize, usize)>>,
    /// Lists of phrases that have the word, for each word.
    lists: Vec<u128>,
}

impl Reading {
    pub(super) const fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether any wording of the element is there, or was before it was taken out.
    pub(super) fn has(&self, element: Element) -> bool {
        !self.places[element].is_empty()
    }

    /// Where the wordings of an element begin, and how many words they have.
    pub(super) fn places(&self, element: Element) -> impl Iterator<Item = (usize, usize)> {
        let whole = |(at, words): &(usize, usize)| (*at..at + words).all(|at| self.is_word(at));
        self.places[element].iter().copied().filter(whole)
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.words[at] == Word::Present
    }

    pub(super) fn is_taken_out(&self, at: usize) -> bool {
        self.words[at] == Word::TakenOut
    }

    pub(super) fn is_end(&self, at: usize) -> bool {
        self.words[at] == Word::End
    }

    /// Takes these words out. They leave a gap, so that the words around them do not join.
    pub(super) fn take_out(&mut self, words: std::ops::Range<usize>) {
        self.words[words].fill(Word::TakenOut);
    }

    /// Number of words that a list of phrases has.
    pub(super) fn known(&self, list: usize) -> usize {
        let known = |lists: &&u128| *lists >> list & 1 == 1;
        self.lists.iter().filter(known).count()
    }
}
