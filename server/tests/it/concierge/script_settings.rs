//! Settings of a script: `with proposal_ttl=300 demo=false`.

use std::{num::NonZeroU32, time::Duration};

use dewy_concierge::Settings;

use super::scripted_hotel::emergency_settings;

/// The settings of these pairs; else the default ones, where nobody writes too often.
pub fn settings_of(pairs: &str) -> Settings {
    let mut settings = Settings {
        messages_at_once: NonZeroU32::MIN.saturating_add(9_999),
        ..Settings::default()
    };
    for (name, value) in pairs
        .split_whitespace()
        .filter_map(|pair| pair.split_once('='))
    {
        let (number, budget) = (value.parse().unwrap_or_default(), &mut settings.budget);
        match name {
            "rounds_per_turn" => budget.rounds_per_turn = u32::try_from(number).unwrap(),
            "seconds_per_turn" => budget.seconds_per_turn = number,
            "tokens_per_turn" => budget.tokens_per_turn = number,
            "tokens_per_guest" => budget.tokens_per_guest = number,
            "micros_per_token" => budget.micros_per_million_in = number * 1_000_000,
            "micros_per_day" => budget.micros_per_day = number,
            "proposal_ttl" => settings.proposal_ttl = Duration::from_millis(number),
            "demo" => settings.demo = value == "true",
            "new_cards" => settings.new_cards = value == "true",
            "model" => settings.model = value == "true",
            "hotel" => settings.hotel = emergency_settings().hotel,
            other => panic!("no setting {other}"),
        }
    }
    settings
}
