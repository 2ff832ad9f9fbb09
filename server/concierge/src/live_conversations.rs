//! Live state of conversations in this process: the text being written, and change notifications
//! for subscribers.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{language_cache::Languages, mutex::locked, stay_cache::Stays};

/// Maximum number of concurrent turns per person, across all conversations: usage is counted only
/// when a turn ends.
const MAX_TURNS: usize = 2;

/// State published to subscribers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BroadcastState {
    /// Increases whenever something was stored.
    pub bell: u64,
    /// Answer that the text belongs to.
    pub round: u64,
    /// Text so far.
    pub text: String,
    /// Why there is none yet.
    pub notice: String,
}

#[derive(Debug)]
pub(crate) struct LiveConversation {
    state: watch::Sender<BroadcastState>,
    stop: Mutex<CancellationToken>,
    /// Turn that writes the text: a stopped turn must not touch the next one's.
    speaker: Mutex<String>,
}

impl LiveConversation {
    fn new() -> Self {
        Self {
            state: watch::Sender::new(BroadcastState::default()),
            stop: Mutex::new(CancellationToken::new()),
            speaker: Mutex::default(),
        }
    }

    /// Notifies that something was stored.
    pub fn notify(&self) {
        self.state.send_modify(|state| state.bell += 1);
    }

    /// Starts, or restarts, the model's text in a turn.
    pub fn begin(&self, turn: &str) {
        turn.clone_into(&mut locked(&self.speaker));
        self.state.send_modify(|state| {
            state.round += 1;
            state.text.clear();
            state.notice.clear();
        });
    }

    /// Says, until the next text, why there is none. It is never stored.
    pub fn set_notice(&self, turn: &str, notice: String) {
        if self.speaks(turn) {
            self.state.send_modify(|state| {
                state.round += 1;
                state.text.clear();
                state.notice = notice;
            });
        }
    }

    pub fn append_text(&self, turn: &str, words: &str) {
        if !self.speaks(turn) {
            return;
        }
        self.state.send_modify(|state| state.text.push_str(words));
    }

    /// Text so far.
    pub fn partial_text(&self, turn: &str) -> String {
        if self.speaks(turn) {
            self.state.borrow().text.clone()
        } else {
            String::new()
        }
    }

    fn speaks(&self, turn: &str) -> bool {
        *locked(&self.speaker) == turn
    }

    /// Clears the text after it was stored.
    pub fn clear_stored_text(&self, turn: &str) {
        let mine = self.speaks(turn);
        self.state.send_modify(|state| {
            state.bell += 1;
            if mine {
                state.text.clear();
                state.notice.clear();
            }
        });
    }

    pub fn subscribe(&self) -> watch::Receiver<BroadcastState> {
        self.state.subscribe()
    }

    /// Returns a new token that `stop` cancels.
    pub fn new_cancellation_token(&self) -> CancellationToken {
        let token = CancellationToken::new();
        *locked(&self.stop) = token.clone();
        token
    }

    /// Stops the current turn.
    pub fn stop(&self) {
        locked(&self.stop).cancel();
    }
}

/// Notifies whenever a guest's conversation with staff changes.
#[derive(Debug)]
pub(crate) struct StaffNotifier(watch::Sender<u64>);

impl Default for StaffNotifier {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl StaffNotifier {
    pub fn notify(&self) {
        self.0.send_modify(|rung| *rung += 1);
    }

    /// Number of notifications so far.
    pub fn count(&self) -> u64 {
        *self.0.borrow()
    }

    /// Returns at the next notification.
    pub async fn notified(&self) {
        // The sender lives as long as the broadcast
        let _ = self.0.subscribe().changed().await;
    }
}

/// All conversations with a subscriber or activity.
#[derive(Debug, Default)]
pub(crate) struct Broadcast {
    rooms: Mutex<HashMap<String, Arc<LiveConversation>>>,
    /// Proposals being executed by this process.
    settling: Mutex<HashSet<String>>,
    /// Number of turns in progress per person, in this process.
    turns: Mutex<HashMap<String, usize>>,
    /// Notifications for staff who answer guests.
    pub desk: StaffNotifier,
    /// Cache of guests' stays.
    pub stays: Stays,
    /// Languages of guests' pages.
    pub languages: Languages,
}

impl Broadcast {
    /// State of a conversation. Drops conversations without users.
    pub fn room(&self, id: &str) -> Arc<LiveConversation> {
        let mut rooms = locked(&self.rooms);
        if let Some(room) = rooms.get(id) {
            return Arc::clone(room);
        }
        rooms.retain(|_, room| Arc::strong_count(room) > 1);
        let room = Arc::new(LiveConversation::new());
        rooms.insert(id.to_owned(), Arc::clone(&room));
        room
    }

    pub fn all(&self) -> Vec<Arc<LiveConversation>> {
        locked(&self.rooms).values().map(Arc::clone).collect()
    }

    /// Marks a proposal as being executed here; `None` when it already is.
    pub fn start_execution(self: &Arc<Self>, proposal: &str) -> Option<ExecutionGuard> {
        let mut settling = locked(&self.settling);
        if !settling.insert(proposal.to_owned()) {
            return None;
        }
        Some(ExecutionGuard {
            hub: Arc::clone(self),
            proposal: proposal.to_owned(),
        })
    }

    /// Counts a turn of that person; `None` at the limit.
    pub fn turn(self: &Arc<Self>, person: &str) -> Option<TurnGuard> {
        let mut turns = locked(&self.turns);
        let count = turns.entry(person.to_owned()).or_default();
        if *count >= MAX_TURNS {
            return None;
        }
        *count += 1;
        Some(TurnGuard {
            hub: Arc::clone(self),
            person: person.to_owned(),
        })
    }
}

/// Guard of a turn in progress.
#[derive(Debug)]
pub(crate) struct TurnGuard {
    hub: Arc<Broadcast>,
    person: String,
}

impl Drop for TurnGuard {
    fn drop(&mut self) {
        let mut turns = locked(&self.hub.turns);
        if let Some(count) = turns.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                turns.remove(&self.person);
            }
        }
    }
}

/// Guard of a proposal being executed.
#[derive(Debug)]
pub(crate) struct ExecutionGuard {
    hub: Arc<Broadcast>,
    proposal: String,
}

impl Drop for ExecutionGuard {
    fn drop(&mut self) {
        locked(&self.hub.settling).remove(&self.proposal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_without_subscribers_are_dropped() {
        let hub = Broadcast::default();
        let kept = hub.room("a");
        for n in 0..1000 {
            drop(hub.room(&n.to_string()));
        }
        assert_eq!(hub.all().len(), 2, "the one that is held, and the last");
        kept.begin("t1");
        kept.append_text("t1", "Good ");
        kept.append_text("t0", "Bad ");
        kept.clear_stored_text("t0");
        assert_eq!(
            hub.room("a").partial_text("t1"),
            "Good ",
            "a turn that is over touches nothing"
        );
    }

    #[test]
    fn turns_per_person_are_limited() {
        let hub = Arc::new(Broadcast::default());
        let turns: Vec<_> = (0..MAX_TURNS).map(|_| hub.turn("a")).collect();
        assert!(
            turns.iter().all(Option::is_some) && hub.turn("a").is_none() && hub.turn("b").is_some()
        );
        drop(turns);
        assert!(hub.turn("a").is_some());
    }

    #[test]
    fn a_proposal_is_settled_by_one_task() {
        let hub = Arc::new(Broadcast::default());
        let first = hub.start_execution("k");
        assert!(first.is_some() && hub.start_execution("k").is_none());
        drop(first);
        assert!(hub.start_execution("k").is_some());
    }
}
