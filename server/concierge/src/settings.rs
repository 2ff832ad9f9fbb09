//! Settings.

use std::{num::NonZeroU32, time::Duration};

use dewy_domain::{
    concierge::Budget,
    hotel_profile::HotelProfile,
    money::{Cents, Currency, Money},
    stored_token::TokenKey,
};
use jiff::{civil::Time, tz::TimeZone};

/// Default of [`Settings::messages_at_once`]: more than anybody types.
pub const MESSAGES_AT_ONCE: NonZeroU32 = NonZeroU32::MIN.saturating_add(29);

/// Timeouts and limits.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Profile of the hotel, as shown to guests.
    pub hotel: HotelProfile,
    /// Decides the current date.
    pub time_zone: TimeZone,
    /// Time of day at which the hotel's day begins.
    pub day_changes_at: Time,
    /// Currency of the hotel's charges.
    pub currency: Currency,
    /// Demo mode: test cards may be chosen.
    pub demo: bool,
    /// Stripe is live: guests may enter a payment card on a pay page. Never in a demo, whose cards
    /// are test cards.
    pub new_cards: bool,
    /// Whether there is a model. Without one the concierge is off, whatever the switch says.
    pub model: bool,
    pub budget: Budget,
    /// Messages that a person may send at once.
    pub messages_at_once: NonZeroU32,
    pub proposal_ttl: Duration,
    /// Retention of conversations after the last message.
    pub retention: Duration,
    /// Key of what is stored of tokens that look like card numbers.
    pub token_key: TokenKey,
}

impl Settings {
    /// Amount in the hotel's locale.
    #[must_use]
    pub fn money(&self, cents: i64) -> String {
        self.hotel.locale.money(Money {
            cents: Cents(cents),
            currency: self.currency,
        })
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hotel: HotelProfile::default(),
            time_zone: TimeZone::UTC,
            day_changes_at: Time::midnight(),
            currency: Currency::USD,
            demo: true,
            new_cards: false,
            model: true,
            budget: Budget {
                rounds_per_turn: 8,
                tokens_per_turn: 60_000,
                seconds_per_turn: 120,
                tokens_per_guest: 400_000,
                tokens_per_staff: 3_000_000,
                micros_per_day: 20_000_000,
                micros_per_million_in: 0,
                micros_per_million_out: 0,
            },
            messages_at_once: MESSAGES_AT_ONCE,
            proposal_ttl: Duration::from_secs(15 * 60),
            retention: Duration::from_secs(90 * 24 * 3600),
            token_key: TokenKey::default(),
        }
    }
}
