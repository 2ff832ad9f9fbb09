//! Intents that are answered in words, and those that a person must take over.

use super::Ask;
use crate::llm::answers;
use crate::llm::conversation::Conversation;
use crate::llm::said::{Call, Said};
use crate::llm::sentence::{Kind, one_of};
use crate::llm::toolbox::Toolbox;

/// Tool that hands a conversation to a person, if offered.
const HAND_OVER: &str = "hand_over_to_staff";
/// Intents that call a person.
const PRESSING: &str = "safety person complaint noise lost-key money_back";

/// Errors that only the front desk can settle.
const DESK_ONLY: &str = "SHARED_FOLIO BALANCE_NEEDS_DESK";

/// Answer in a language the model does not speak: it says so and calls a person.
pub fn in_language(talk: &Conversation, tools: &Toolbox, language: &str) -> Said {
    let text = answers::text(&format!("foreign {language}"));
    hand_over(tools, &text, &format!("{language}: {}", talk.said)).unwrap_or(Said::Words(text))
}

/// Hands over what only the front desk can do, by the error code of a failed call.
pub fn beyond(talk: &Conversation, tools: &Toolbox) -> Option<Said> {
    let failed = talk.done.iter().map(|done| &done.answer()["error_code"]);
    let mut codes = failed.filter_map(|code| code.as_str());
    let code = codes.find(|code| one_of(code, DESK_ONLY))?;
    let reason = format!("{code}: {}", talk.said);
    hand_over(tools, &answers::text(&format!("after {code}")), &reason)
}

fn hand_over(tools: &Toolbox, text: &str, reason: &str) -> Option<Said> {
    let reason: String = reason.chars().take(500).collect();
    let call = Call::to(HAND_OVER).with("reason", Some(reason));
    tools
        .offers(HAND_OVER)
        .then(|| Said::Calls(text.to_owned(), vec![call]))
}

/// Text for an intent without a tool; calls a person if that is offered and the intent needs it.
pub fn words(ask: &Ask<'_>, wish: &str) -> Option<Said> {
    let text = |name: &str| Some(Said::Words(answers::text(name)));
    if one_of(wish, PRESSING) {
        let reason = format!("{}: {}", wish.replace(['_', '-'], " "), ask.sentence.tidy());
        if let Some(said) = hand_over(ask.tools, "", &reason) {
            return Some(said);
        }
    }
    if wish == "small_talk" {
        let kinds = ["thanks", "bye", "abilities", "hello"];
        let kind = kinds.into_iter().find(|kind| ask.has(&[kind]));
        let name = ask
            .talk
            .fact("name")
            .and_then(|name| name.split(' ').next());
        let name = name.map(|name| format!(" {name}")).unwrap_or_default();
        let said = answers::text(kind.unwrap_or("chat")).replace("{name}", &name);
        let abilities = answers::abilities(ask.talk);
        return Some(Said::Words(said.replace("{abilities}", &abilities)));
    }
    let tool = wish.split(' ').next().unwrap_or(wish);
    let of_staff = format!("{wish} staff");
    let named = |kind: Kind| ask.sentence.first(kind).is_some();
    match () {
        () if !ask.talk.is_guest() && answers::has(&of_staff) => text(&of_staff),
        () if answers::has(wish) => text(wish),
        () if !ask.tools.offers(tool) => text("not offered"),
        () if tool == "post_charge" && ask.has(&["not-now"]) => text("later"),
        () if tool == "get_execution"
            && !named(Kind::Execution)
            && ask.talk.fact("execution_id").is_none() =>
        {
            text("ask execution_id")
        }
        () if tool == "post_charge" && !named(Kind::Money) && !named(Kind::Charge) => {
            text("ask amount")
        }
        () => None,
    }
}
