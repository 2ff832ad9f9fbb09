//! Phrases of the hotel's concepts, in sections: `[name]`, then phrases separated by commas.

/// Name and phrases of each section.
pub fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = include_str!("lexicon/concepts.txt").split('[');
    sections.filter_map(|section| section.split_once(']'))
}

/// All words of the lexicon.
pub fn vocabulary() -> impl Iterator<Item = &'static str> {
    let words = sections().flat_map(|(_, text)| text.split([',', '\n', ' ']));
    words.filter(|word| word.len() > 1)
}
