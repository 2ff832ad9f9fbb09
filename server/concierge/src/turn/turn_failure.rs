//! Failure of a turn: reported in the conversation, and to a person when it repeats.

use dewy_domain::{
    caller::{Caller, Persona},
    concierge::Entry,
    sentence::Sentence,
};

use crate::{concierge_service::Inner, failure::Failure};

/// Number of consecutive failures after which a person is called.
const FAILURES_BEFORE_HAND_OVER: usize = 2;

impl Inner {
    /// Reports the failure. After several in a row a person is called, for guests.
    pub(super) async fn report_failure(
        &self,
        caller: &Caller,
        id: &str,
        turn: &str,
        text: Sentence,
    ) -> Result<(), Failure> {
        self.add(id, Entry::Trouble { text }).await?;
        let entries = self.store().entries(id).await?;
        let troubles = entries
            .iter()
            .rev()
            .take_while(|placed| {
                !matches!(
                    placed.entry,
                    Entry::Answered { .. } | Entry::HandedBack { .. }
                )
            })
            .filter(|placed| matches!(placed.entry, Entry::Trouble { .. }))
            .count();
        if troubles > FAILURES_BEFORE_HAND_OVER && caller.persona == Persona::Guest {
            self.store().end_turn(id, Some(turn)).await?;
            self.hand_over(
                caller,
                id,
                "The concierge failed several times in a row.",
                None,
            )
            .await?;
        }
        Ok(())
    }
}
