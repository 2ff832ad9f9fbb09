//! Answers about the hotel from the facts of the system message: breakfast, Wi-Fi, times, the way.
//! What is not among the facts is not known.

use std::sync::LazyLock;

use super::answer_templates;
use super::conversation::Conversation;

/// Words by topic and language: `topic language: phrase, phrase`. `asks` are the words of a
/// question, for languages whose sentences are not classified.
const TOPICS: &str = include_str!("hotel_topics.txt");

static PHRASES: LazyLock<Vec<(&str, &str, Vec<String>)>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let (name, phrases) = line.split_once(": ")?;
        let (topic, language) = name.split_once(' ')?;
        let phrases = phrases.split(", ").map(plain).collect();
        Some((topic, language, phrases))
    };
    TOPICS.lines().filter_map(line).collect()
});

/// Answer in a language to the last message, if it is about one of the topics whose facts are known.
pub fn answer(talk: &Conversation, language: &str) -> Option<String> {
    let said = plain(&talk.said);
    let means = |phrases: &[String]| phrases.iter().any(|phrase| said.contains(phrase));
    let mut of_language = PHRASES.iter().filter(|(_, of, _)| *of == language);
    let mut asks = of_language.clone().filter(|(topic, ..)| *topic == "asks");
    if asks.next().is_some_and(|(.., phrases)| !means(phrases)) {
        return None;
    }
    let (topic, ..) = of_language.find(|(topic, _, phrases)| *topic != "asks" && means(phrases))?;
    let suffix = if language == "en" { "" } else { language };
    let name = format!("information {topic} {suffix}");
    answer_templates::complete(name.trim_end(), &talk.facts_of("hotel_"))
}

/// Lower-case words between single spaces.
fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}
