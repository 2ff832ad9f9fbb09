//! Budgets and usage of the model.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::caller::Persona;

/// Spending limits per turn, per person and for the whole hotel. The runtime enforces them; no
/// model is asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Maximum number of model requests per turn.
    pub rounds_per_turn: u32,
    /// Maximum number of tokens per turn, input and output.
    pub tokens_per_turn: u64,
    /// Maximum duration of a turn, in seconds.
    pub seconds_per_turn: u64,
    /// Maximum number of tokens per guest and day.
    pub tokens_per_guest: u64,
    /// Maximum number of tokens per staff member and day; a front desk works with it all day.
    pub tokens_per_staff: u64,
    /// Maximum cost of the whole hotel per day, in millionths of a dollar.
    pub micros_per_day: u64,
    /// Price of a million input tokens, in millionths of a dollar.
    pub micros_per_million_in: u64,
    /// Price of a million output tokens, in millionths of a dollar.
    pub micros_per_million_out: u64,
}

impl Budget {
    /// Maximum number of tokens per day for a person of this kind.
    #[must_use]
    pub const fn tokens_per_person(&self, persona: Persona) -> u64 {
        match persona {
            Persona::Guest => self.tokens_per_guest,
            Persona::Staff => self.tokens_per_staff,
        }
    }

    /// Cost of these tokens, in millionths of a dollar, rounded up.
    #[must_use]
    pub fn cost(&self, input: u64, output: u64) -> u64 {
        let part = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let sum =
            part(input, self.micros_per_million_in) + part(output, self.micros_per_million_out);
        u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageTotals {
    pub turns: u64,
    pub input: u64,
    pub output: u64,
    /// Cost in millionths of a dollar.
    pub micros: u64,
    /// Duration in milliseconds.
    pub millis: u64,
}

impl UsageTotals {
    /// Sum of both.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            turns: self.turns.saturating_add(other.turns),
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            micros: self.micros.saturating_add(other.micros),
            millis: self.millis.saturating_add(other.millis),
        }
    }

    #[must_use]
    pub const fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// One person's usage on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRow {
    /// Day, in the hotel's time zone.
    pub day: String,
    /// Caller key of the person.
    pub person: String,
    pub spent: UsageTotals,
}

/// The switch that pauses the concierge everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConciergeSwitch {
    pub on: bool,
    /// Who last changed it; empty if nobody did.
    pub by: String,
    /// Time of the change.
    pub at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_is_rounded_up_and_never_overflows() {
        let budget = Budget {
            rounds_per_turn: 1,
            tokens_per_turn: 1,
            seconds_per_turn: 1,
            tokens_per_guest: 1,
            tokens_per_staff: 1,
            micros_per_day: 1,
            micros_per_million_in: 150_000,
            micros_per_million_out: 600_000,
        };
        assert_eq!(budget.cost(1_000_000, 0), 150_000);
        assert_eq!(budget.cost(1, 0), 1);
        assert_eq!(budget.cost(1000, 100), 210);
        assert!(budget.cost(u64::MAX, u64::MAX) > u64::MAX / 2);
    }
}
