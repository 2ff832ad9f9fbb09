//! Handover of a conversation to a person.

use super::conversation::Conversation;
use super::model_answer::{Call, ModelAnswer};

/// Tool that hands a conversation to a person, if offered.
const HAND_OVER: &str = "hand_over_to_staff";

/// Hands a conversation to a person, if that is offered.
pub fn hand_over(talk: &Conversation, text: &str, reason: &str) -> Option<ModelAnswer> {
    let reason: String = reason.chars().take(500).collect();
    let call = Call::to(HAND_OVER).with("reason", Some(reason));
    let (text, calls) = (text.to_owned(), vec![call]);
    let offered = talk.tools.offers(HAND_OVER);
    offered.then_some(ModelAnswer { text, calls })
}
