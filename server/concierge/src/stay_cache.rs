//! Cache of guests' stays.

use std::{collections::HashMap, sync::Mutex};

use dewy_domain::tool_output::OwnStay;
use jiff::{SignedDuration, Timestamp};

use crate::mutex::locked;

/// Maximum age of a cached stay.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(30);

/// Relevant stay of a guest, the current one or else the next, and their other stays.
#[derive(Clone, Debug, Default)]
pub(crate) struct StayFacts(pub Option<OwnStay>, pub Vec<OwnStay>);

/// Stays by person, with the time they were read.
#[derive(Debug, Default)]
pub(crate) struct Stays(Mutex<HashMap<String, (Timestamp, StayFacts)>>);

impl Stays {
    /// Cached stay of a person, if it is fresh.
    pub fn known(&self, person: &str, now: Timestamp) -> Option<StayFacts> {
        let stays = locked(&self.0);
        stays
            .get(person)
            .filter(|(at, _)| fresh(*at, now))
            .map(|(_, stay)| stay.clone())
    }

    /// Caches a stay and drops old ones.
    pub fn keep(&self, person: String, stay: StayFacts, now: Timestamp) {
        let mut stays = locked(&self.0);
        stays.retain(|_, (at, _)| fresh(*at, now));
        stays.insert(person, (now, stay));
    }

    /// Drops a person's stay after an action, which may have changed it.
    pub fn forget(&self, person: &str) {
        locked(&self.0).remove(person);
    }
}

fn fresh(at: Timestamp, now: Timestamp) -> bool {
    now.duration_since(at) < MAX_AGE
}

#[cfg(test)]
pub(crate) mod tests {
    use dewy_domain::{money::Currency, vocabulary::BookingStatus};
    use jiff::civil::Date;

    use super::*;

    /// A stay in that room, until that day.
    pub(crate) fn sample(status: BookingStatus, room: &str, until: Option<Date>) -> OwnStay {
        OwnStay {
            booking_number: "BK-0042".into(),
            booking_status: status,
            check_in_date: None,
            check_out_date: until,
            room_number: Some(room.into()),
            room_type: None,
            beds: None,
            view: None,
            number_of_guests: None,
            special_requests: None,
            room_ready: None,
            total: None,
            nightly_rate: None,
            currency: Currency::USD,
        }
    }

    #[test]
    fn a_stay_is_cached_briefly_and_until_a_write() {
        let (stays, at) = (Stays::default(), |second| {
            Timestamp::from_second(second).unwrap()
        });
        let stay = |room: &str| {
            StayFacts(
                Some(sample(BookingStatus::CheckedIn, room, None)),
                Vec::new(),
            )
        };
        stays.keep("a".to_owned(), stay("302"), at(0));
        assert_eq!(
            stays
                .known("a", at(29))
                .and_then(|stay| stay.0?.room_number),
            Some("302".into())
        );
        assert!(stays.known("a", at(30)).is_none() && stays.known("b", at(1)).is_none());
        stays.keep("b".to_owned(), stay("205"), at(40));
        assert_eq!(stays.0.lock().unwrap().len(), 1, "the old one went");
        stays.forget("b");
        assert!(stays.known("b", at(41)).is_none());
    }
}
