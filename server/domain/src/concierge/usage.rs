//! What the model may cost, and what it did.

use jiff::Timestamp;

/// What one turn, one person and the whole house may spend. The runtime holds them; no model is
/// asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Requests to the model in one turn.
    pub rounds_per_turn: u32,
    /// Tokens in one turn, in and out.
    pub tokens_per_turn: u64,
    /// Seconds for one turn.
    pub seconds_per_turn: u64,
    /// Tokens of one person in one day.
    pub tokens_per_person: u64,
    /// Money of the whole house in one day, in millionths of a dollar.
    pub micros_per_day: u64,
    /// Price of a million tokens read, in millionths of a dollar.
    pub micros_per_million_in: u64,
    /// Price of a million tokens written, in millionths of a dollar.
    pub micros_per_million_out: u64,
}

impl Budget {
    /// What so many tokens cost, in millionths of a dollar, rounded up.
    #[must_use]
    pub fn cost(&self, input: u64, output: u64) -> u64 {
        let part = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let sum =
            part(input, self.micros_per_million_in) + part(output, self.micros_per_million_out);
        u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }
}

/// What was spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Turns.
    pub turns: u64,
    /// Tokens read by the model.
    pub input: u64,
    /// Tokens written by it.
    pub output: u64,
    /// Millionths of a dollar.
    pub micros: u64,
    /// Milliseconds.
    pub millis: u64,
}

impl Spent {
    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            turns: self.turns.saturating_add(other.turns),
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            micros: self.micros.saturating_add(other.micros),
            millis: self.millis.saturating_add(other.millis),
        }
    }

    /// Tokens in all.
    #[must_use]
    pub const fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// What one person spent in one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageLine {
    /// The day, in the hotel's time zone.
    pub day: String,
    /// Who: the caller's key.
    pub person: String,
    /// How much.
    pub spent: Spent,
}

/// The switch that stops the concierge everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Whether it is on.
    pub on: bool,
    /// Who last moved it; empty when nobody did.
    pub by: String,
    /// When.
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
            tokens_per_person: 1,
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
