//! Limits of the concierge: budget, and lifetimes of proposals and conversations.

use std::time::Duration;

use dewy_domain::concierge::Budget;

use super::variable_reader::Reader;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConciergeLimits {
    /// `CONCIERGE_*` and `OPENAI_*_CENTS_PER_MILLION`: maximum cost of a turn, a person and a day.
    pub budget: Budget,
    /// `CONCIERGE_PROPOSAL_SECONDS`: how long a proposal can be answered.
    pub proposal_ttl: Duration,
    /// `OPENAI_ANSWER_TOKENS`: maximum length of an answer.
    pub answer_tokens: u32,
    /// `OPENAI_REASONING_TOKENS`: room for reasoning beside the answer, for models that reason.
    pub reasoning_tokens: u32,
    /// `OPENAI_SILENCE_SECONDS`: how long a model may be silent.
    pub silence: Duration,
    /// `CONCIERGE_RETENTION_DAYS`: how long a conversation is kept after its last message.
    pub retention: Duration,
}

impl ConciergeLimits {
    pub(super) fn read(from: &mut Reader<'_>) -> Self {
        // A real model costs money. Without configured prices it is assumed to be expensive, so
        // that the daily limit holds
        let live = from.text("OPENAI_API_KEY").is_some();
        let (input, output) = if live { (500, 2_000) } else { (0, 0) };
        // One cent is ten thousand millionths of a dollar
        let mut cents =
            |name: &str, default: u64| from.number(name, default, 0..=100_000_000) * 10_000;
        let (input, output) = (
            cents("OPENAI_INPUT_CENTS_PER_MILLION", input),
            cents("OPENAI_OUTPUT_CENTS_PER_MILLION", output),
        );
        let day = cents("CONCIERGE_CENTS_PER_DAY", 2_000);
        let mut tokens = |name: &str, default: u64| from.number(name, default, 100..=1_000_000_000);
        let (tokens_per_guest, tokens_per_staff) = (
            tokens("CONCIERGE_TOKENS_PER_GUEST_AND_DAY", 400_000),
            // A message of the front desk takes some 15,000 tokens, and a long shift some 200
            tokens("CONCIERGE_TOKENS_PER_STAFF_AND_DAY", 3_000_000),
        );
        Self {
            budget: Budget {
                rounds_per_turn: u32::try_from(from.number("CONCIERGE_ROUNDS_PER_TURN", 8, 1..=50))
                    .unwrap_or(8),
                tokens_per_turn: from.number("CONCIERGE_TOKENS_PER_TURN", 60_000, 100..=10_000_000),
                seconds_per_turn: from.number("CONCIERGE_SECONDS_PER_TURN", 120, 5..=3_600),
                tokens_per_guest,
                tokens_per_staff,
                micros_per_day: day,
                micros_per_million_in: input,
                micros_per_million_out: output,
            },
            answer_tokens: u32::try_from(from.number("OPENAI_ANSWER_TOKENS", 1_500, 100..=100_000))
                .unwrap_or(1_500),
            reasoning_tokens: u32::try_from(from.number(
                "OPENAI_REASONING_TOKENS",
                16_000,
                0..=200_000,
            ))
            .unwrap_or(16_000),
            silence: from.seconds("OPENAI_SILENCE_SECONDS", 60, 5..=600),
            proposal_ttl: from.seconds("CONCIERGE_PROPOSAL_SECONDS", 900, 1..=86_400),
            retention: Duration::from_secs(
                from.number("CONCIERGE_RETENTION_DAYS", 90, 1..=3_650) * 86_400,
            ),
        }
    }
}
