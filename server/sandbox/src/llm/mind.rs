//! What is answered: understood, then held against what is offered.

use super::conversation::Conversation;
use super::request::ChatRequest;
use super::said::{Call, Said};
use super::{intents, results};

/// The answer to a request.
pub fn reply(asked: &ChatRequest) -> Said {
    let talk = Conversation::read(&asked.messages);
    let said = if talk.done.is_empty() {
        intents::understand(&talk, &asked.tools)
    } else {
        results::go_on(&talk, &asked.tools)
    };
    match said {
        Said::Calls(calls) => possible(&calls, asked),
        words @ Said::Words(_) => words,
    }
}

/// Only calls of offered tools with fields they know go out; where something is missing, it is asked for.
fn possible(calls: &[Call], asked: &ChatRequest) -> Said {
    let mut fitting = Vec::new();
    for call in calls {
        let Some(call) = asked.tools.fit(call) else { continue };
        let lacks = asked.tools.lacks(&call);
        if let Some(missing) = lacks.first() {
            if calls.len() == 1 {
                return Said::Words(question(missing));
            }
            continue;
        }
        if !fitting.contains(&call) {
            fitting.push(call);
        }
    }
    if !asked.parallel {
        fitting.truncate(1);
    }
    if fitting.is_empty() {
        return Said::Words("That is not something I can do from here. The front desk will gladly help.".to_owned());
    }
    Said::Calls(fitting)
}

fn question(missing: &str) -> String {
    match missing {
        "check_in_date" => "Gladly. From which day, and for how many nights?",
        "check_out_date" => "Gladly. For how many nights, or until which day?",
        "room_number" => "Which room is it?",
        "booking_number" => "Which booking do you mean? Its number looks like BK-0042.",
        "guest_email" | "email" => "Which guest is it? Their email address would be best.",
        "guest_first_name" | "guest_last_name" | "first_name" | "last_name" => {
            "What is the guest's first and last name?"
        }
        "reason" => "What is the reason, for the record?",
        "type" | "description" => "What exactly is needed?",
        "payment_intent_id" => "Which payment is it? Its number begins with pi_.",
        "execution_id" => "Which request is it? Its number begins with exe_.",
        "amount" => "What is the amount?",
        "status" => "What is to be its new status?",
        _ => "Could you tell me a little more?",
    }
    .to_owned()
}
