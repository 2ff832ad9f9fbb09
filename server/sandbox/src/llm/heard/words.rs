//! Words: as written, and as meant.

use crate::llm::spelling;

/// What follows a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
pub enum Pause {
    /// The next word.
    #[default]
    None,
    /// A comma, a dash, a colon.
    Short,
    /// The end of a sentence.
    Stop,
    /// The end of a question.
    Question,
}

/// A word.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// As meant: lower case, without accents, mended.
    pub text: String,
    /// As written, without what stands around it; empty for all but the first of several words that one written word
    /// means.
    pub raw: String,
    /// What follows.
    pub pause: Pause,
    /// Whether it begins a sentence.
    pub first: bool,
    /// Whether it was mended.
    pub mended: bool,
    /// Whether it owns the next one: `Sarah's`.
    pub owner: bool,
}

impl Word {
    /// Whether it is this word, or the plural of it.
    pub fn is(&self, word: &str) -> bool {
        // By length first: asked of every word by every rule
        match self.text.len().checked_sub(word.len()) {
            Some(0) => self.text == word,
            Some(1) if word.len() > 2 => {
                self.text.ends_with('s') && self.text.starts_with(word) && !matches!(word, "her" | "thi" | "doe")
            }
            _ => false,
        }
    }

    /// Whether it was written with a capital letter.
    pub fn capital(&self) -> bool {
        self.raw.chars().next().is_some_and(char::is_uppercase)
    }

    /// Whether it is letters only, as names are.
    pub fn lettered(&self) -> bool {
        !self.raw.is_empty()
            && self.raw.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '-' | '’'))
    }
}

/// Reads a text.
pub fn read(source: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut first = true;
    let chunks: Vec<&str> = source.split_whitespace().collect();
    for (place, chunk) in chunks.iter().copied().enumerate() {
        let pause = pause(chunk);
        if matches!(chunk, "-" | "–" | "—" | "->")
            && words.last().is_some_and(day_like)
            && chunks.get(place + 1).is_some_and(|next| day_begins(next))
        {
            words.push(Word { text: "to".to_owned(), raw: chunk.to_owned(), ..Word::default() });
            continue;
        }
        let core = chunk.trim_matches(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '$' | '+' | '@'));
        let core = core.trim_end_matches(['+', '@', '$']);
        if core.is_empty() {
            if matches!(chunk, "+" | "&") {
                words.push(Word { text: "and".to_owned(), raw: chunk.to_owned(), ..Word::default() });
            } else if let Some(last) = words.last_mut().filter(|last| last.pause < pause.max_short()) {
                last.pause = pause.max_short();
            }
            continue;
        }
        let from = words.len();
        meant(core, first, &mut words);
        if let Some(word) = words.get_mut(from) {
            word.first = first;
        }
        if let Some(last) = words.last_mut() {
            last.pause = pause;
        }
        first = matches!(pause, Pause::Stop | Pause::Question);
    }
    words
}

/// Whether a day may end with this word: `fri 13 - mon 16`.
fn day_like(word: &Word) -> bool {
    day_begins(&word.text)
}

fn day_begins(text: &str) -> bool {
    const DAYS: [&str; 19] = [
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep",
        "oct", "nov", "dec",
    ];
    let text = text.to_lowercase();
    let number: String = text.chars().take_while(char::is_ascii_digit).collect();
    number.parse::<u8>().is_ok_and(|day| (1..32).contains(&day)) || DAYS.iter().any(|day| text.starts_with(day))
}

impl Pause {
    fn max_short(self) -> Self {
        if self == Self::None { Self::Short } else { self }
    }
}

fn pause(chunk: &str) -> Pause {
    let tail: String = chunk.chars().rev().take_while(|letter| !letter.is_alphanumeric()).collect();
    let title = matches!(chunk, "Mr." | "Mrs." | "Ms." | "Dr.");
    match () {
        () if title => Pause::None,
        () if tail.contains('?') => Pause::Question,
        () if tail.contains(['.', '!']) => Pause::Stop,
        () if tail.contains([',', ';', ':', '–', '—']) => Pause::Short,
        () => Pause::None,
    }
}

fn meant(core: &str, first: bool, words: &mut Vec<Word>) {
    let plain = folded(core);
    let push = |words: &mut Vec<Word>, text: &str, mended: bool, owner: bool| {
        for (place, part) in text.split(' ').enumerate() {
            let raw = if place == 0 { core.to_owned() } else { String::new() };
            words.push(Word { text: part.to_owned(), raw, mended, owner, ..Word::default() });
        }
    };
    if plain.contains(['@', '_']) || plain.starts_with("bk-") || plain.starts_with("pt-") {
        return push(words, plain.strip_suffix("'s").unwrap_or(&plain), false, false);
    }
    if let Some((stem, rest)) = plain.split_once('\'') {
        let whole = match (stem, rest) {
            ("won", "t") => Some("will not".to_owned()),
            ("can", "t") => Some("can not".to_owned()),
            (stem, "t") if stem.ends_with('n') => Some(format!("{} not", &stem[..stem.len() - 1])),
            ("let", "s") => Some("let us".to_owned()),
            ("what" | "who" | "where" | "when" | "how" | "it" | "that" | "there" | "here" | "he" | "she", "s") => {
                Some(format!("{stem} is"))
            }
            (stem, "m") => Some(format!("{stem} am")),
            (stem, "re") => Some(format!("{stem} are")),
            (stem, "ve") => Some(format!("{stem} have")),
            (stem, "ll") => Some(format!("{stem} will")),
            (stem, "d") => Some(format!("{stem} would")),
            _ => None,
        };
        if let Some(whole) = whole {
            return push(words, &whole, false, false);
        }
    }
    if let Some(owner) = plain.strip_suffix("'s").or_else(|| plain.strip_suffix('\'')) {
        return push(words, spelling::mended(owner).unwrap_or(owner), false, true);
    }
    if let Some((left, right)) = plain.split_once('-')
        && [left, right]
            .iter()
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-'))
    {
        let text = plain.replace('-', " ").replace("checking", "check");
        return push(words, &text, false, false);
    }
    // What is written with a capital inside a sentence is rather a name than a slip.
    let named = !first && core.chars().next().is_some_and(char::is_uppercase) && core.chars().any(char::is_lowercase);
    match spelling::mended(&plain).filter(|_| !named || plain.len() > 7 || spelling::short(&plain)) {
        Some(text) => push(words, text, true, false),
        None => push(words, &plain, false, false),
    }
}

/// In lower case, without accents.
pub fn folded(text: &str) -> String {
    let letter = |letter: char| match letter {
        'á' | 'à' | 'â' | 'ä' | 'å' | 'ã' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'ø' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        '’' | '‘' | '`' => '\'',
        other => other,
    };
    text.to_lowercase().chars().map(letter).collect()
}

/// Words as a text for people: slips mended, courtesies kept.
pub fn tidy(words: &[Word]) -> String {
    let mut text = String::new();
    for (place, word) in words.iter().enumerate() {
        let shown = if word.raw.is_empty() && !word.mended {
            continue;
        } else if word.mended {
            &word.text
        } else {
            &word.raw
        };
        if place > 0 {
            text.push(' ');
        }
        text.push_str(shown);
        let last = place + 1 == words.len();
        match word.pause {
            Pause::Short if !last => text.push(','),
            Pause::Stop if !last => text.push('.'),
            Pause::Question => text.push('?'),
            _ => {}
        }
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
