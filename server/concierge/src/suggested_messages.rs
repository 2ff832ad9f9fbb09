//! Suggested messages, from the guest's stay or the staff role.

use dewy_domain::{
    caller::{Caller, Persona, Role},
    hotel_calendar::HotelDay,
    vocabulary::BookingStatus,
};
use jiff::civil::Date;

use crate::stay_cache::StayFacts;

/// At most three suggestions.
pub(crate) fn suggestions(caller: &Caller, stay: &StayFacts, today: HotelDay) -> Vec<String> {
    let words: &[&str] = match (caller.persona, caller.role) {
        (Persona::Guest, _) => {
            let stay = stay.0.as_ref();
            let by_today = |day: Option<Date>| day.is_none_or(|day| today.since(day) >= 0);
            let last = stay.is_some_and(|stay| by_today(stay.check_out_date));
            let first = stay.is_some_and(|stay| by_today(stay.check_in_date));
            let status = stay.map(|stay| stay.booking_status.clone());
            match status.unwrap_or_default() {
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
                BookingStatus::Reserved if first => &[
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
    use jiff::civil::date;

    use super::*;
    use crate::stay_cache::tests::sample;

    #[test]
    fn the_last_day_suggests_check_out() {
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
        let today = date(2026, 3, 10);
        let stay = |out: Date| {
            let stay = sample(BookingStatus::CheckedIn, "302", Some(out));
            StayFacts(Some(stay), Vec::new())
        };
        assert_eq!(
            suggestions(&guest, &stay(today), today.into())[0],
            "I’d like to check out"
        );
        assert_eq!(
            suggestions(&guest, &stay(date(2026, 3, 12)), today.into())[0],
            "What do I owe?"
        );
        assert_eq!(
            suggestions(&guest, &StayFacts::default(), today.into()).len(),
            3
        );
    }
}
