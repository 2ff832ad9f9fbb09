//! Labels of states, reasons and amounts.

use dewy_domain::{
    hotel_profile::HotelProfile,
    locale::Locale,
    money::{Cents, Currency, Money},
    vocabulary::AttentionReason,
};
use leptos::prelude::with_context;

/// States of an execution, urgent ones first, with their labels for staff.
pub const STATES: [(&str, &str); 10] = [
    ("needs_attention", "Needs attention"),
    ("retrying", "Retrying"),
    ("compensating", "Undoing"),
    ("waiting", "Waiting"),
    ("running", "Running"),
    ("queued", "In line"),
    ("compensated", "Undone"),
    ("settled_by_hand", "Settled by hand"),
    ("refused", "Refused"),
    ("completed", "Done"),
];

/// States of a compensation, urgent ones first.
pub const COMPENSATIONS: [(&str, &str); 5] = [
    ("needs_attention", "Needs attention"),
    ("refunding", "Refunding"),
    ("refunded_reverting", "Refunded, reverting"),
    ("compensated", "Undone"),
    ("solved", "Solved by hand"),
];

fn find(list: &[(&'static str, &'static str)], name: &str) -> &'static str {
    list.iter()
        .find(|(n, _)| *n == name)
        .map_or("Unknown", |(_, word)| word)
}

/// State of an execution in one or two words, for staff.
pub fn state(name: &str) -> &'static str {
    find(&STATES, name)
}

/// State of an execution, for guests.
pub fn state_for_guest(name: &str) -> &'static str {
    match name {
        "retrying" => "Trying again",
        "waiting" => "Waiting for you",
        "compensating" => "Being corrected",
        "refused" => "Not done",
        "compensated" => "Refunded",
        "needs_attention" => "With our front desk",
        "settled_by_hand" => "Settled at the front desk",
        other => state(other),
    }
}

/// State of a compensation.
pub fn compensation(name: &str) -> &'static str {
    find(&COMPENSATIONS, name)
}

/// State of a step.
pub fn step_state(state: &str) -> &'static str {
    match state {
        "pending" => "To come",
        "running" => "Running",
        "retrying" => "Trying again",
        "waiting" => "Waiting",
        "done" => "Done",
        "refused" => "Refused",
        "unknown" => "No answer",
        "skipped" => "Left out",
        _ => "Unknown",
    }
}

/// Reason why an execution needs a person.
pub fn reason(reason: &str) -> &str {
    match AttentionReason::from(reason) {
        AttentionReason::RevertFailed => {
            "The payment was refunded, but what had moved could not be put back"
        }
        AttentionReason::ForeignEdit => {
            "Someone else had changed a record, so it was left as found"
        }
        AttentionReason::RefundRefused => "Stripe refused the refund, so nothing was put back",
        AttentionReason::RefundFailedLater => {
            "The refund was accepted and failed later: the guest has no money back"
        }
        AttentionReason::UnknownOutcome => "The outcome of a request could not be determined",
        AttentionReason::OpenBalance => {
            "A charge was posted while the payment ran and is still open"
        }
        AttentionReason::OrphanOverLimit => {
            "A payment without a check-out is over the limit, so a manager decides"
        }
        AttentionReason::CompensatedByAnother => {
            "Another execution has a compensation of the same payment on record"
        }
        // Recorded by releases that asked for a person for each payment of another program
        AttentionReason::ForeignPayment => {
            "Another program took this payment, so it was not touched"
        }
        AttentionReason::RefundedElsewhere => {
            "The payment of a completed check-out was refunded outside this program"
        }
        AttentionReason::PaymentDisputed => "The card's owner disputes a payment",
        AttentionReason::DisputeLost => "A dispute was lost: the bank has taken the money back",
        AttentionReason::SecondPayment => "One check-out has taken two payments",
        AttentionReason::RecordIncomplete => {
            "A record in Salesforce is incomplete, so a payment can't be matched to its stay"
        }
        AttentionReason::PaymentNotJudged => {
            "The purpose of a payment could not be determined for weeks"
        }
        AttentionReason::Stuck => {
            "It failed repeatedly at the same point, so it was taken out of the queue"
        }
        AttentionReason::DefinitionMissing => {
            "It was started by a version of this program that is no longer installed"
        }
        AttentionReason::RecordUnreadable => {
            "A row of its record is damaged, so it can’t continue by itself"
        }
        AttentionReason::LatePayment => {
            "A payment turned up after somebody had settled this by hand"
        }
        AttentionReason::SolvedByHand => "Somebody settled it by hand",
        AttentionReason::Other(_) => reason,
    }
}

/// Caller, formatted from values such as `staff:frontdesk@… through form`.
pub fn asked_by(who: &str) -> String {
    if let Some((who, door)) = who.split_once(" through ") {
        return format!("{}, through {}", asked_by(who), self::door(door));
    }
    match who.split_once(':') {
        Some(("staff", email)) => format!("{email} at the desk"),
        Some(("guest", email)) => format!("{email}, the guest"),
        _ => match who {
            "saga" => "the check-out itself".to_owned(),
            "sweep" => "the sweep".to_owned(),
            "webhook" => "Stripe's notice".to_owned(),
            "watch" => "the watch over refunds".to_owned(),
            other => other.to_owned(),
        },
    }
}

/// All interfaces.
pub const DOORS: [(&str, &str); 6] = [
    ("form", "A page"),
    ("chat", "The concierge"),
    ("mcp", "MCP"),
    ("rest", "REST"),
    ("cli", "The command line"),
    ("clock", "The clock"),
];

/// All roles.
pub const ROLES: [(&str, &str); 4] = [
    ("manager", "Manager"),
    ("front_desk", "Front desk"),
    ("housekeeping", "Housekeeping"),
    ("maintenance", "Maintenance"),
];

/// Label of a role.
pub fn role(name: &str) -> &'static str {
    find(&ROLES, name)
}

/// Interface of a call.
pub fn door(name: &str) -> &str {
    match name {
        "form" => "a page",
        "chat" => "the concierge",
        "mcp" => "MCP",
        "rest" => "REST",
        "cli" => "the command line",
        "clock" => "the clock",
        other => other,
    }
}

/// `$250.00`, in the hotel's locale.
pub fn money(cents: Cents, currency: Currency) -> String {
    locale().money(Money { cents, currency })
}

/// Locale of the hotel of this request.
pub fn locale() -> Locale {
    with_context(|hotel: &HotelProfile| hotel.locale.clone()).unwrap_or_default()
}

/// Capitalized word.
pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_and_reason_has_words() {
        for (name, _) in STATES {
            assert_ne!(state_for_guest(name), "Unknown", "{name}");
        }
        for name in "REVERT_FAILED FOREIGN_EDIT REFUND_REFUSED REFUND_FAILED_LATER UNKNOWN_OUTCOME OPEN_BALANCE \
                     ORPHAN_OVER_LIMIT FOREIGN_PAYMENT COMPENSATED_BY_ANOTHER DEFINITION_MISSING RECORD_UNREADABLE \
                     STUCK RECORD_INCOMPLETE"
            .split_whitespace()
        {
            assert_ne!(reason(name), name);
        }
        for role in dewy_domain::caller::Role::ALL {
            assert_ne!(self::role(role.name()), "Unknown");
        }
        assert_eq!(
            asked_by("staff:frontdesk@dewy.example"),
            "frontdesk@dewy.example at the desk"
        );
        assert_eq!(
            asked_by("guest:beth@x.example through chat"),
            "beth@x.example, the guest, through the concierge"
        );
    }
}
