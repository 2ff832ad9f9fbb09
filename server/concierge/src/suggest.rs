//! Suggested messages, from the guest's stay or the staff role.

use dewy_domain::{
    caller::{Caller, Persona, Role},
    vocabulary::BookingStatus,
};

use crate::stays::StayFacts;

/// At most three suggestions.
pub(crate) fn suggestions(caller: &Caller, stay: &StayFacts, today: &str) -> Vec<String> {
    let words: &[&str] = match (caller.persona, caller.role) {
        (Persona::Guest, _) => {
            let text = |name: &str| stay.0[name].as_str().unwrap_or_default();
            let last = text("check_out_date") <= today;
            match BookingStatus::from(text("booking_status")) {
                BookingStatus::CheckedIn if last => &[
                    "I’d like to check out",
                    "What do I owe?",
                    "I need help with my room",
                ],
                BookingStatus::CheckedIn => &[
                    "What do I owe?",
                    "Could I have fresh towels?",
                    "I’d like to stay one more night",
                ],
                BookingStatus::Reserved if text("check_in_date") <= today => &[
                    "I have arrived",
                    "Is my room ready?",
                    "I’d like to change my booking",
                ],
                BookingStatus::Reserved => &[
                    "When can I check in?",
                    "I’d like to change my booking",
                    "Cancel my booking",
                ],
                _ => &[
                    "Book me a room for tomorrow, two nights",
                    "Which rooms do you have?",
                    "Show my past stays",
                ],
            }
        }
        (_, Some(Role::Housekeeping)) => &[
            "Which rooms are dirty?",
            "Room 205 is clean",
            "The lamp in room 110 is broken",
        ],
        (_, Some(Role::Maintenance)) => &[
            "Any urgent maintenance?",
            "What is open on floor 3?",
            "Room 302’s toilet is broken",
        ],
        (_, Some(Role::Manager)) => &[
            "What needs attention?",
            "Any urgent maintenance?",
            "Which bookings arrive today?",
        ],
        (_, _) => &[
            "Which bookings arrive today?",
            "Which rooms are dirty?",
            "What needs attention?",
        ],
    };
    words.iter().map(|words| (*words).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use dewy_domain::caller::Interface;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_day_is_about_leaving() {
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
        let stay = |out: &str| {
            StayFacts(json!({ "booking_status": BookingStatus::CheckedIn, "check_out_date": out }))
        };
        assert_eq!(
            suggestions(&guest, &stay("2026-03-10"), "2026-03-10")[0],
            "I’d like to check out"
        );
        assert_eq!(
            suggestions(&guest, &stay("2026-03-12"), "2026-03-10")[0],
            "What do I owe?"
        );
        assert_eq!(
            suggestions(&guest, &StayFacts::default(), "2026-03-10").len(),
            3
        );
    }
}
