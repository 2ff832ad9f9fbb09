//! Words, as written and corrected.

use super::spelling;

/// Punctuation after a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
pub enum Pause {
    #[default]
    None,
    /// Comma, dash or colon.
    Short,
    /// End of a sentence.
    Stop,
    Question,
}

/// Word.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// Lowercase, without accents, corrected.
    pub text: String,
    /// As written; empty for all but the first word of an expanded abbreviation.
    pub raw: String,
    pub pause: Pause,
    /// Whether it starts a sentence.
    pub first: bool,
    pub corrected: bool,
    /// Whether it is a possessive: `Sarah's`.
    pub owner: bool,
}

impl Word {
    /// Whether it is one of these words, separated by spaces, or a plural of one.
    pub fn is(&self, list: &str) -> bool {
        one_of(&self.text, list)
            || self.text.len() > 3
                && self
                    .text
                    .strip_suffix('s')
                    .is_some_and(|one| one_of(one, list))
    }
}

/// Whether a text is in a list separated by spaces.
pub fn one_of(text: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == text)
}

/// Word at an index; empty outside the sentence.
pub fn at(words: &[Word], place: usize) -> &str {
    words.get(place).map_or("", |word| word.text.as_str())
}

/// Splits a text into words.
pub fn read(source: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let outside = |letter: char| !letter.is_alphanumeric() && !"$+@".contains(letter);
    for chunk in source.split_whitespace() {
        let first = words.last().is_none_or(|last| last.pause >= Pause::Stop);
        let core = chunk
            .trim_matches(outside)
            .trim_end_matches(['+', '@', '$']);
        let before = words.len();
        match chunk {
            "+" | "&" => push(&mut words, "and", chunk, false),
            "-" | "–" | "->" => push(&mut words, "to", "", false),
            _ if !core.is_empty() => split(core, first, &mut words),
            _ => {}
        }
        if let Some(word) = words.get_mut(before) {
            word.first = first;
        }
        if let Some(last) = words.last_mut().filter(|last| last.pause < pause(chunk)) {
            last.pause = pause(chunk);
        }
    }
    words
}

fn push(words: &mut Vec<Word>, text: &str, raw: &str, owner: bool) {
    let corrected = !owner && text != fold(raw).replace('-', " ");
    for (place, part) in text.split(' ').enumerate() {
        words.push(Word {
            text: part.to_owned(),
            raw: if place == 0 { raw } else { "" }.to_owned(),
            corrected,
            owner,
            ..Word::default()
        });
    }
}

fn pause(chunk: &str) -> Pause {
    let tail = chunk.rsplit(char::is_alphanumeric).next().unwrap_or(chunk);
    match () {
        () if one_of(chunk, "Mr. Mrs. Ms. Dr.") => Pause::None,
        () if tail.contains('?') => Pause::Question,
        () if tail.contains(['.', '!']) => Pause::Stop,
        () if tail.contains([',', ';', ':', '—']) => Pause::Short,
        () => Pause::None,
    }
}

/// Adds the words of one written word.
fn split(core: &str, first: bool, words: &mut Vec<Word>) {
    let plain = fold(core);
    let short = spelling::short(&plain);
    let owner = plain.strip_suffix("'s").or(plain.strip_suffix('\''));
    let owner = owner.filter(|_| short.is_none());
    let id = plain.contains(['@', '_']) || plain.starts_with("bk-") || plain.starts_with("pt-");
    if owner.is_some() || id {
        return push(words, owner.unwrap_or(&plain), core, owner.is_some());
    }
    if let (Some(stem), None) = (plain.strip_suffix("n't"), short) {
        return push(words, &format!("{stem} not"), core, false);
    }
    let hyphen = plain.split_once('-');
    if let Some((left, right)) =
        hyphen.filter(|(left, right)| !left.is_empty() && !right.is_empty())
    {
        const DAYS: &str = "mon tue wed thu fri sat sun";
        let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if number(left) && number(right) || one_of(left, DAYS) && one_of(right, DAYS) {
            return push(words, &format!("{left} to {right}"), core, false);
        }
        if !plain.contains(|letter: char| letter.is_ascii_digit()) {
            return push(words, &plain.replace('-', " "), core, false);
        }
    }
    // A capital inside a sentence marks a name, not a misspelling.
    let named =
        !first && core.starts_with(char::is_uppercase) && core.chars().any(char::is_lowercase);
    let meant = short.or_else(|| spelling::correct(&plain).filter(|_| !named || plain.len() > 7));
    push(words, meant.unwrap_or(&plain), core, false);
}

/// Lowercase text without accents.
pub fn fold(text: &str) -> String {
    const PLAIN: &str =
        "áa àa âa äa åa ãa ée èe êe ëe íi ìi îi ïi óo òo ôo öo øo õo úu ùu ûu üu ñn çc ’' ‘' `' –-";
    let plain = |letter| {
        PLAIN
            .split(' ')
            .find_map(|pair| pair.strip_prefix(letter)?.chars().next())
            .unwrap_or(letter)
    };
    text.to_lowercase().chars().map(plain).collect()
}

/// Words as readable text: misspellings corrected, everything else as written.
pub fn tidy(words: &[Word]) -> String {
    let (mut text, mut as_meant) = (String::new(), false);
    for word in words {
        if !word.raw.is_empty() {
            as_meant = word.corrected && word.raw.chars().all(char::is_alphabetic);
        } else if !as_meant {
            continue;
        }
        text.push_str(if as_meant { &word.text } else { &word.raw });
        text.push_str(match word.pause {
            Pause::None => " ",
            Pause::Short => ", ",
            Pause::Stop => ". ",
            Pause::Question => "? ",
        });
    }
    let mut letters = text.trim_end_matches([' ', ',', '.']).chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
