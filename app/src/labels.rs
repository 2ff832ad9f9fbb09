//! Labels of states, reasons and amounts.

mod attention_reasons;

pub use attention_reasons::reason;

use dewy_domain::{
    caller::Persona,
    error_code::ErrorCode,
    money::{Cents, Currency, Money},
    room_number::RoomNumber,
    sentence::Sentence,
    tool_answer::{Problem, message_for},
    tool_output::Folio,
    vocabulary::{CasePriority, CompensationStatus, ExecutionState, StepState},
};

use crate::language::{locale, named, t, told};

/// Separator of facts in a line. The line breaks before it, never after it.
pub const DOT: &str = " ·\u{a0}";

/// The parts that are known, with dots between.
pub fn dotted(parts: impl IntoIterator<Item = Option<String>>) -> String {
    let parts = parts.into_iter().flatten();
    parts.collect::<Vec<_>>().join(DOT)
}

/// `beth.gibbs@email.com · BK-0042 · room 302`, as far as it is known.
pub fn place(email: Option<&str>, booking: Option<&str>, room: Option<&str>) -> String {
    let room = room.map(|room| format!("room {room}"));
    dotted([email.map(str::to_owned), booking.map(str::to_owned), room])
}

/// States of an execution, urgent ones first, with their labels for staff.
pub static STATES: [(ExecutionState, &str); 10] = [
    (ExecutionState::NeedsAttention, "Needs attention"),
    (ExecutionState::Retrying, "Retrying"),
    (ExecutionState::Compensating, "Undoing"),
    (ExecutionState::Waiting, "Waiting"),
    (ExecutionState::Running, "Running"),
    (ExecutionState::Queued, "In line"),
    (ExecutionState::Compensated, "Undone"),
    (ExecutionState::SettledByHand, "Settled by hand"),
    (ExecutionState::Refused, "Refused"),
    (ExecutionState::Completed, "Done"),
];

fn find(list: &[(&'static str, &'static str)], name: &str) -> &'static str {
    list.iter()
        .find(|(n, _)| *n == name)
        .map_or("Unknown", |(_, word)| word)
}

/// State of an execution in one or two words, for staff.
pub fn state(state: &ExecutionState) -> &'static str {
    let label = STATES.iter().find(|(one, _)| one == state);
    label.map_or("Unknown", |(_, label)| label)
}

pub fn state_for_guest(state: &ExecutionState) -> &'static str {
    match state {
        ExecutionState::Retrying => t!("state-retrying"),
        ExecutionState::Waiting => t!("state-waiting"),
        ExecutionState::Compensating => t!("state-compensating"),
        ExecutionState::Refused => t!("state-refused"),
        ExecutionState::Compensated => t!("state-compensated"),
        ExecutionState::NeedsAttention => t!("state-needs-attention"),
        ExecutionState::SettledByHand => t!("settled-at-desk"),
        ExecutionState::Running => t!("state-running"),
        ExecutionState::Queued => t!("state-queued"),
        ExecutionState::Completed => t!("state-completed"),
        ExecutionState::Other(_) => t!("step-other"),
    }
}

/// States of a compensation with their labels, urgent ones first.
pub fn compensations() -> Vec<(&'static str, &'static str)> {
    use CompensationStatus as Status;
    const ALL: &[CompensationStatus] = &[
        Status::NeedsAttention,
        Status::Refunding,
        Status::RefundedReverting,
        Status::Compensated,
        Status::Solved,
    ];
    let one = |status: &'static Status| (status.as_str(), compensation(status));
    ALL.iter().map(one).collect()
}

pub const fn compensation(status: &CompensationStatus) -> &'static str {
    match status {
        CompensationStatus::NeedsAttention => "Needs attention",
        CompensationStatus::Refunding => "Refunding",
        CompensationStatus::RefundedReverting => "Refunded, reverting",
        CompensationStatus::Compensated => "Undone",
        CompensationStatus::Solved => "Solved by hand",
        CompensationStatus::Other(_) => "Unknown",
    }
}

pub fn step_state(state: &StepState) -> &'static str {
    match state {
        StepState::Pending => t!("step-pending"),
        StepState::Running => t!("state-running"),
        StepState::Retrying => t!("state-retrying"),
        StepState::Waiting => t!("step-waiting"),
        StepState::Done => t!("state-completed"),
        StepState::Refused => t!("step-refused"),
        StepState::Unknown => t!("step-unknown"),
        StepState::Skipped => t!("step-skipped"),
        StepState::Other(_) => t!("step-other"),
    }
}

/// Caller, formatted from values such as `staff:frontdesk@… through form`.
pub fn asked_by(user: &str) -> String {
    if let Some((who, door)) = user.split_once(" through ") {
        return format!("{}, through {}", asked_by(who), self::interface(door));
    }
    match user.split_once(':') {
        Some(("staff", email)) => format!("{email} (staff)"),
        Some(("guest", email)) => format!("{email}, the guest"),
        _ => match user {
            "saga" => "the check-out".to_owned(),
            "sweep" => "the sweep".to_owned(),
            "webhook" => "Stripe webhook".to_owned(),
            "watch" => "refund monitoring".to_owned(),
            other => other.to_owned(),
        },
    }
}

/// Priorities of cases, in ascending order.
pub fn priorities() -> Vec<(&'static str, &'static str)> {
    pairs(CasePriority::WORDS)
}

pub fn pairs(words: &[&'static str]) -> Vec<(&'static str, &'static str)> {
    words.iter().map(|word| (*word, *word)).collect()
}

pub const INTERFACES: [(&str, &str); 6] = [
    ("form", "A page"),
    ("chat", "The concierge"),
    ("mcp", "MCP"),
    ("rest", "REST"),
    ("cli", "The command line"),
    ("clock", "The clock"),
];

pub const ROLES: [(&str, &str); 4] = [
    ("manager", "Manager"),
    ("front_desk", "Front desk"),
    ("housekeeping", "Housekeeping"),
    ("maintenance", "Maintenance"),
];

pub fn role(name: &str) -> &'static str {
    find(&ROLES, name)
}

pub fn interface(name: &str) -> &str {
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

/// `$250.00`, in the reader's locale.
pub fn money(cents: Cents, currency: Currency) -> String {
    locale().money(Money { cents, currency })
}

/// A balance with what it is: to pay, or paid too much.
pub fn balance(cents: Cents, currency: Currency) -> (&'static str, String) {
    match cents.0 {
        ..0 => (t!("bill-overpaid"), money(Cents(-cents.0), currency)),
        _ => (t!("bill-balance"), money(cents, currency)),
    }
}

/// The balance of a folio, or that it is not known.
pub fn folio_balance(folio: &Folio) -> (&'static str, String) {
    let unknown = || (t!("bill-balance"), t!("bill-unknown").to_owned());
    let known = |cents| balance(cents, folio.currency);
    folio.balance.map_or_else(unknown, known)
}

pub fn balance_sentence(cents: Cents, currency: Currency) -> String {
    match cents.0 {
        0 => "Nothing to pay".to_owned(),
        1.. => format!("{} to pay", money(cents, currency)),
        _ => format!("Overpaid by {}", money(Cents(-cents.0), currency)),
    }
}

pub fn error_text(code: ErrorCode, persona: Persona) -> String {
    told(&Sentence::of_error(code, persona))
}

/// What is wrong with a field.
pub fn problem_text(problem: &Problem) -> String {
    let (field, words) = (&problem.field, &problem.message);
    match words
        .strip_prefix(field.as_str())
        .filter(|_| !field.is_empty())
    {
        Some(words) => format!("{field} {}", named("problem", words.trim_start())),
        None => named("problem", words),
    }
}

/// `ocean`: what a room looks out on.
pub fn room_view_label(view: &str) -> String {
    named("view", &view.to_lowercase())
}

/// `ocean view`.
pub fn view_text(view: &str) -> String {
    t!("view", view = room_view_label(view))
}

/// `Checked In`: status of a booking.
pub fn booking_status(status: &str) -> String {
    named("status", status)
}

/// `1 King`: beds of a room.
pub fn beds_text(beds: &str) -> String {
    named("beds", beds)
}

/// `1 person`, `2 people`.
pub fn people(count: i64) -> String {
    t!("people-count", count = count)
}

/// `1 night`, `3 nights`.
pub fn nights(count: i64) -> String {
    t!("nights", count = count)
}

/// `Beth Gibbs, room 302`, or `Wei Chen, rooms 102 and 103`, for staff.
pub fn guest_in_rooms(guest: &str, rooms: &[RoomNumber]) -> String {
    match rooms {
        [] => guest.to_owned(),
        [room] => format!("{guest}, room {room}"),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(RoomNumber::as_str).collect();
            format!("{guest}, rooms {} and {last}", first.join(", "))
        }
    }
}

pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Error as staff read it, with the next step where that is not about a program's fields.
pub fn error_for_staff(code: ErrorCode) -> String {
    let (message, next) = (message_for(code, Persona::Staff), code.next());
    match next.contains("details.") || next.contains('_') {
        true => message.to_owned(),
        false => format!("{message} {next}"),
    }
}

/// A message for staff that names the record and field that are missing.
pub fn with_problem(message: String, problem: Option<String>) -> String {
    match problem {
        Some(problem) => format!("{message} {problem}"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        caller::{Caller, Interface},
        tool_catalog,
    };

    use super::*;
    use crate::language::Language;

    #[test]
    fn a_count_of_one_is_singular() {
        assert_eq!(
            (people(1), nights(2)),
            ("1 person".to_owned(), "2 nights".to_owned())
        );
    }

    #[test]
    fn all_rooms_of_a_guest_are_named() {
        let rooms = ["102", "103", "201"].map(RoomNumber::from);
        for (count, words) in [
            (0, "Wei Chen"),
            (1, "Wei Chen, room 102"),
            (2, "Wei Chen, rooms 102 and 103"),
            (3, "Wei Chen, rooms 102, 103 and 201"),
        ] {
            assert_eq!(guest_in_rooms("Wei Chen", &rooms[..count]), words);
        }
    }

    #[test]
    fn errors_and_tools_of_guests_are_translated() {
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
        let tools = tool_catalog::all().iter();
        let tools = tools.filter(|tool| tool_catalog::find(&guest, tool.name).is_some());
        let errors = ErrorCode::ALL.iter();
        let errors = errors.map(|code| Sentence::of_error(*code, Persona::Guest));
        let titles = tools.map(|tool| Sentence::named("tool", tool.title));
        for sentence in errors.chain(titles) {
            for language in Language::all().filter(|language| !language.is_english()) {
                let told = sentence.told(|_| None, |id, values| language.translation(id, values));
                assert_ne!(sentence, &*told, "{}", language.tag());
            }
        }
    }

    #[test]
    fn every_state_and_role_has_words() {
        for name in ExecutionState::WORDS {
            assert_ne!(state(&(*name).into()), "Unknown", "{name}");
        }
        for role in dewy_domain::caller::Role::ALL {
            assert_ne!(self::role(role.name()), "Unknown");
        }
        assert_eq!(
            asked_by("staff:frontdesk@dewy.example"),
            "frontdesk@dewy.example (staff)"
        );
        assert_eq!(
            asked_by("guest:beth@x.example through chat"),
            "beth@x.example, the guest, through the concierge"
        );
    }

    #[test]
    fn staff_read_no_field_names_of_programs() {
        for code in ErrorCode::ALL {
            let text = error_for_staff(*code);
            assert!(!text.contains("details.") && !text.contains('_'), "{text}");
        }
        let busy = error_for_staff(ErrorCode::Overloaded);
        assert!(busy.ends_with(ErrorCode::Overloaded.next()), "{busy}");
    }
}
