//! Subscription to a conversation: text as it is written, and notifications of stored entries.

use std::time::Duration;

use dewy_domain::{
    caller::Caller,
    concierge::{LiveState, ProposalState},
};

use crate::concierge_service::Inner;

/// Interval of store polls while the model answers: other instances write to it, too.
const ACTIVE_POLL: Duration = Duration::from_secs(1);
/// Interval of store polls while idle.
const IDLE_POLL: Duration = Duration::from_secs(5);
/// Interval between text updates: no reader is faster, and every subscriber costs.
const TEXT_UPDATE_INTERVAL: Duration = Duration::from_millis(40);

impl Inner {
    /// See [`dewy_domain::ports::Concierge::changed`].
    pub async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        seen: &LiveState,
        at_most: Duration,
    ) -> Option<LiveState> {
        let room = self.hub.room(id);
        let mut changes = room.subscribe();
        let until = self
            .now()
            .checked_add(at_most)
            .unwrap_or(jiff::Timestamp::MAX);
        let mut stored = self.fresh_enough(seen, changes.borrow().bell);
        loop {
            // Mark as seen first, then read: an entry stored during the read notifies again, and is
            // noticed below
            let now = changes.borrow_and_update().clone();
            let bell = now.bell;
            let live = match stored
                .take()
                .filter(|live: &LiveState| live.last_read.0 == bell)
            {
                Some(live) => live,
                None => LiveState {
                    last_read: (bell, self.now().as_millisecond()),
                    ..self.stored(caller, id).await?
                },
            };
            let live = LiveState {
                round: now.round,
                text: if now.text.is_empty() {
                    now.notice
                } else {
                    now.text
                },
                ..live
            };
            let left: Duration = until
                .duration_since(self.now())
                .try_into()
                .unwrap_or(Duration::ZERO);
            if live.differs(seen) || left.is_zero() {
                return Some(live);
            }
            let look = if live.busy { ACTIVE_POLL } else { IDLE_POLL };
            let change = tokio::select! {
                biased;
                changed = changes.changed() => changed.is_ok(),
                () = self.parts.clock.sleep(look.min(left)) => false,
            };
            if change && changes.borrow().bell == bell {
                // Text only: the stored state is unchanged. The first words are sent at once,
                // because the reader waits for them
                let first = changes.borrow().round != seen.round || seen.text.is_empty();
                if !first {
                    self.parts.clock.sleep(TEXT_UPDATE_INTERVAL).await;
                }
                stored = Some(live);
            }
        }
    }

    /// State from the previous read, if nothing was stored since and it is recent.
    fn fresh_enough(&self, seen: &LiveState, bell: u64) -> Option<LiveState> {
        let (rang, at) = seen.last_read;
        let age = self.now().as_millisecond().saturating_sub(at);
        let lasts = if seen.busy { ACTIVE_POLL } else { IDLE_POLL };
        (rang == bell
            && seen.seq != i64::MIN
            && u128::try_from(age).is_ok_and(|age| age < lasts.as_millis()))
        .then(|| seen.clone())
    }

    pub async fn stored(&self, caller: &Caller, id: &str) -> Option<LiveState> {
        let conversation = self.visible_conversation(caller, id).await.ok()?;
        let store = self.store();
        let mut seq = store.last_entry(id).await.ok()?;
        // A proposal's state, and the steps of its execution, change without an entry
        for proposal in store.proposals(id).await.ok()? {
            let state = proposal.state_at(self.now());
            let place = ProposalState::ALL
                .iter()
                .position(|other| *other == state)
                .unwrap_or_default();
            seq = seq
                .wrapping_mul(31)
                .wrapping_add(i64::try_from(place).unwrap_or_default());
            if let (true, Some(execution)) = (proposal.state.under_way(), &proposal.execution_id)
                && proposal.owner == caller.key()
                && let Some(view) = self.parts.execution_feed.execution(caller, execution).await
            {
                seq = seq.wrapping_add(view.seq);
            }
        }
        Some(LiveState {
            seq,
            busy: conversation.busy(self.now()),
            ..LiveState::default()
        })
    }
}
