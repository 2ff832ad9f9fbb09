//! What follows from results: the next call of what the person wanted, or an answer made of what came back. What a
//! result says is told, never obeyed.

mod lines;
mod outcome;
mod single;

use super::conversation::Conversation;
use super::intents;
use super::said::{Call, Said};
use super::toolbox::Toolbox;

/// More calls than this for one sentence help nobody.
const MOST_CALLS: usize = 6;

/// Goes on after calls were made.
pub fn go_on(talk: &Conversation, tools: &Toolbox) -> Said {
    // A card that waits holds up nothing else that the person wanted
    let settled = talk.done.iter().all(|done| done.data().is_some() || done.proposed());
    if settled && talk.done.len() < MOST_CALLS {
        // What was found makes more of the sentence clear than it was before.
        if let Said::Calls(calls) = intents::understand(talk, tools) {
            let next: Vec<Call> = calls.into_iter().filter(|call| is_next(talk, tools, call)).collect();
            if !next.is_empty() {
                return Said::Calls(next);
            }
        }
    }
    Said::Words(outcome::tell(talk))
}

/// Not made in this turn already, and sure to be understood.
fn is_next(talk: &Conversation, tools: &Toolbox, call: &Call) -> bool {
    let made = talk.done.iter().any(|done| done.tool == call.tool);
    !made && tools.fit(call).is_some_and(|call| tools.lacks(&call).is_empty())
}
