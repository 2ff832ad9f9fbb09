//! Budget, usage and the on/off switch. The runtime enforces the limits; the model doesn't know
//! them.

use dewy_domain::{
    caller::Caller,
    concierge::{ConciergeSwitch, UsageTotals},
    ports::{ModelAnswer, UsageView},
    said,
    sentence::Sentence,
};
use jiff::Timestamp;
use serde_json::json;

use crate::{
    concierge_service::{Inner, require_manager},
    failure::Failure,
};

/// Key of the switch among the installation's facts.
const SWITCH_KEY: &str = "concierge_switch";

impl Inner {
    /// Date in the hotel's time zone.
    pub fn day(&self, at: Timestamp) -> String {
        at.to_zoned(self.parts.settings.time_zone.clone())
            .date()
            .to_string()
    }

    /// Reason why this person's next model request is refused, as a message that says when it is
    /// allowed again; `None` when it is allowed.
    pub async fn over_budget(&self, caller: &Caller) -> Result<Option<Sentence>, Failure> {
        let now = self.now();
        let (own, all) = self
            .store()
            .model_usage(&self.day(now), &caller.key())
            .await?;
        let budget = &self.parts.settings.budget;
        let hours = self.hours_left(now);
        let over = if own.tokens() >= budget.tokens_per_person(caller.persona) {
            Some(said!("talk-limit", hours))
        } else if all.micros >= budget.micros_per_day && budget.micros_per_day > 0 {
            Some(said!("talk-all-limit", hours))
        } else {
            None
        };
        Ok(over)
    }

    /// Hours until the next day begins, rounded up.
    fn hours_left(&self, now: Timestamp) -> i64 {
        let now = now.to_zoned(self.parts.settings.time_zone.clone());
        let next = now.tomorrow().and_then(|next| next.start_of_day());
        let seconds = next.map_or(0, |next| now.duration_until(&next).as_secs());
        (seconds + 3599) / 3600
    }

    /// Records the usage of an answer. If the server doesn't report it, it is estimated: four
    /// characters per token.
    pub async fn record_usage(
        &self,
        caller: &Caller,
        asked: usize,
        answer: &ModelAnswer,
        turns: u64,
        millis: u64,
    ) -> UsageTotals {
        let about = |characters: usize| {
            u64::try_from(characters / 4)
                .unwrap_or(u64::MAX)
                .saturating_add(1)
        };
        let input = if answer.input_tokens > 0 {
            answer.input_tokens
        } else {
            about(asked)
        };
        let wrote = answer.text.len()
            + answer
                .calls
                .iter()
                .map(|call| call.arguments.len())
                .sum::<usize>();
        let output = if answer.output_tokens > 0 {
            answer.output_tokens
        } else {
            about(wrote)
        };
        let micros = self.parts.settings.budget.cost(input, output);
        let spent = UsageTotals {
            turns,
            input,
            output,
            micros,
            millis,
        };
        let day = self.day(self.now());
        if let Err(error) = self
            .store()
            .add_model_usage(&day, &caller.key(), spent)
            .await
        {
            tracing::error!(%error, "the model's usage could not be recorded");
        }
        spent
    }

    /// Whether the concierge is on, and who set the switch.
    pub async fn switch(&self) -> Result<ConciergeSwitch, Failure> {
        if !self.parts.settings.model {
            return Ok(ConciergeSwitch {
                on: false,
                by: String::new(),
                at: None,
            });
        }
        let fact = self.store().get_json(SWITCH_KEY).await?;
        Ok(fact
            .and_then(|fact| serde_json::from_value(fact).ok())
            .unwrap_or(ConciergeSwitch {
                on: true,
                by: String::new(),
                at: None,
            }))
    }

    /// Sets the switch. Off: every answer in progress stops, and no proposal can be approved.
    pub async fn set_switch(&self, caller: &Caller, on: bool) -> Result<(), Failure> {
        require_manager(caller)?;
        let fact = json!(ConciergeSwitch {
            on,
            by: caller.email.to_string(),
            at: Some(self.now()),
        });
        self.store().put_json(SWITCH_KEY, &fact).await?;
        tracing::warn!(on, by = %caller.email, "the concierge's switch was changed");
        if !on {
            self.store().end_all_turns().await?;
            self.store().supersede_all_proposals().await?;
            for room in self.hub.all() {
                room.stop();
            }
        }
        for room in self.hub.all() {
            room.notify();
        }
        Ok(())
    }

    pub async fn usage(&self, caller: &Caller) -> Result<UsageView, Failure> {
        require_manager(caller)?;
        let (_, today) = self.store().model_usage(&self.day(self.now()), "").await?;
        Ok(UsageView {
            switch: self.switch().await?,
            model: self.parts.model.name().to_owned(),
            today,
            micros_per_day: self.parts.settings.budget.micros_per_day,
            tokens_per_guest: self.parts.settings.budget.tokens_per_guest,
            tokens_per_staff: self.parts.settings.budget.tokens_per_staff,
            lines: self.store().list_model_usage().await?,
        })
    }
}
