//! What can be set.

use std::time::Duration;

use dewy_domain::{concierge::Budget, hotel_profile::HotelProfile, money::Currency};
use jiff::tz::TimeZone;

/// Times and limits.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The hotel, as guests are told about it.
    pub hotel: HotelProfile,
    /// Decides what "today" is.
    pub time_zone: TimeZone,
    /// In what the hotel charges.
    pub currency: Currency,
    /// A demo: test cards may be chosen.
    pub demo: bool,
    /// Stripe is live: guests may type a card of theirs on a pay page. Never in a demo, whose cards
    /// are test cards.
    pub new_cards: bool,
    /// There is a model. Without one the concierge is off, whatever the switch says.
    pub model: bool,
    /// What may be spent.
    pub budget: Budget,
    /// How long a card may be answered.
    pub card_lasts: Duration,
    /// How long conversations are kept after the last word.
    pub retention: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hotel: HotelProfile::default(),
            time_zone: TimeZone::UTC,
            currency: Currency::USD,
            demo: true,
            new_cards: false,
            model: true,
            budget: Budget {
                rounds_per_turn: 8,
                tokens_per_turn: 60_000,
                seconds_per_turn: 120,
                tokens_per_person: 400_000,
                micros_per_day: 20_000_000,
                micros_per_million_in: 0,
                micros_per_million_out: 0,
            },
            card_lasts: Duration::from_secs(15 * 60),
            retention: Duration::from_secs(90 * 24 * 3600),
        }
    }
}
