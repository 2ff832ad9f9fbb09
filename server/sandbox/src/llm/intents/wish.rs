//! What is wished for beside a booking: a quiet room, a cot, a note about a bicycle.

use crate::llm::heard::{Heard, Pause};

/// What is asked for beside a stay.
const THINGS: &str = "extra bed | rollaway | high chair | balcony | smoking | parking | sea side | lake | feather | allergic | allergies | nut | halal | kosher | ground | adjoining | adjacent | near the lift | away from the lift | late check in | early check in | balloon | surprise | rose petals | cake | king bed | double bed | single beds | bath tub | cot | crib | baby bed | quiet | view | pillow | vegan | vegetarian | gluten | allergy \
    | allergic | ground floor | high floor | low floor | late arrival | arriving late | arrive late \
    | late check | early check | wheelchair | accessible | flowers | champagne | anniversary | birthday \
    | honeymoon | dog | twin beds | connecting | special request | parking space";

/// The wish that is told beside a booking: `a quiet one if you can note that`.
pub fn special(heard: &Heard) -> Option<String> {
    const ENDS: [&str; 10] = ["if", "for", "from", "on", "please", "and", "until", "to", "when", "should"];
    let words = &heard.words;
    let at = THINGS.split('|').find_map(|thing| heard.at(thing.trim()))?;
    let free = |place: &usize| words[*place].pause == Pause::None && !ENDS.contains(&words[*place].text.as_str());
    let from = (at.saturating_sub(3)..at).rev().take_while(free).last().unwrap_or(at);
    let mut wish: Vec<&str> = words[from..=at].iter().map(|word| word.text.as_str()).collect();
    if words[at].pause == Pause::None {
        let rest = words[at + 1..].iter().take(4).take_while(|word| !ENDS.contains(&word.text.as_str()));
        wish.extend(rest.map(|word| word.text.as_str()));
    }
    Some(wish.join(" "))
}

/// What is to be written down: after `note _ that`.
fn noted(heard: &Heard) -> Option<String> {
    let that = [
        "note _ that",
        "mention _ that",
        "write _ that",
        "put down _ that",
        "record _ that",
        "remark _ that",
        "add _ that",
    ];
    let from = that.iter().find_map(|lead| {
        let start = heard.at(lead)?;
        heard.words[start..].iter().position(|word| word.text == "that").map(|that| start + that + 1)
    })?;
    let words = heard.words.get(from..)?;
    let end = words.iter().position(|word| word.pause >= Pause::Stop).map_or(words.len(), |end| end + 1);
    let said: Vec<&str> = words[..end].iter().map(|word| word.text.as_str()).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// Something to be noted: what stands after `add`, `note`, `request` or `with`, where no other field has it.
pub fn of_change(heard: &Heard) -> Option<String> {
    if !heard.any(THINGS) {
        return noted(heard);
    }
    let text = heard
        .words
        .iter()
        .filter(|word| !word.text.starts_with("bk-") && !word.text.contains('@'))
        .cloned()
        .collect::<Vec<_>>();
    let begin = text.iter().position(|word| {
        ["add", "note", "have", "with", "need", "want", "wants", "likes"].contains(&word.text.as_str())
    });
    let from = begin.map_or(0, |place| place + 1).min(text.len().saturating_sub(1));
    let end = text.iter().skip(from).position(|word| ["to", "on", "for"].contains(&word.text.as_str()));
    let end = end.map_or(text.len(), |end| from + end);
    let part = if end > from { &text[from..end] } else { &text[from..] };
    let said: Vec<&str> = part.iter().map(|word| word.text.as_str()).filter(|text| *text != "please").collect();
    let said = said.join(" ");
    if THINGS.split('|').any(|thing| said.contains(thing.trim())) {
        return Some(said);
    }
    let all: Vec<&str> = text.iter().map(|word| word.text.as_str()).collect();
    Some(all.join(" "))
}
