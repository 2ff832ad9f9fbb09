//! What goes on in this process: the words that are being written, and a bell for whoever follows a
//! conversation.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::stays::Stays;

/// Turns of one person at a time, in all their conversations: what they may use is counted when it
/// is over.
const MOST_TURNS: usize = 2;

/// What followers hear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BroadcastState {
    /// Rises whenever something was stored.
    pub bell: u64,
    /// Which answer the words belong to.
    pub round: u64,
    /// The words so far.
    pub text: String,
}

/// One conversation.
#[derive(Debug)]
pub(crate) struct Room {
    state: watch::Sender<BroadcastState>,
    stop: Mutex<CancellationToken>,
    /// Whose words they are: a turn that was stopped must not touch the next one's.
    speaker: Mutex<String>,
}

impl Room {
    fn new() -> Self {
        Self {
            state: watch::Sender::new(BroadcastState::default()),
            stop: Mutex::new(CancellationToken::new()),
            speaker: Mutex::default(),
        }
    }

    /// Something was stored.
    pub fn ring(&self) {
        self.state.send_modify(|state| state.bell += 1);
    }

    /// The model begins to speak in that turn, or begins anew.
    pub fn begin(&self, turn: &str) {
        turn.clone_into(&mut self.speaker.lock().unwrap_or_else(PoisonError::into_inner));
        self.state.send_modify(|state| {
            state.round += 1;
            state.text.clear();
        });
    }

    /// It said so much more.
    pub fn hear(&self, turn: &str, words: &str) {
        if !self.speaks(turn) {
            return;
        }
        self.state.send_modify(|state| state.text.push_str(words));
    }

    /// What it said so far.
    pub fn words(&self, turn: &str) -> String {
        if self.speaks(turn) {
            self.state.borrow().text.clone()
        } else {
            String::new()
        }
    }

    fn speaks(&self, turn: &str) -> bool {
        *self.speaker.lock().unwrap_or_else(PoisonError::into_inner) == turn
    }

    /// What it said is stored now, and nothing is being said.
    pub fn written(&self, turn: &str) {
        let mine = self.speaks(turn);
        self.state.send_modify(|state| {
            state.bell += 1;
            if mine {
                state.text.clear();
            }
        });
    }

    /// To follow it.
    pub fn follow(&self) -> watch::Receiver<BroadcastState> {
        self.state.subscribe()
    }

    /// A fresh token that `stop` cancels.
    pub fn stoppable(&self) -> CancellationToken {
        let token = CancellationToken::new();
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = token.clone();
        token
    }

    /// Stops what is being said.
    pub fn stop(&self) {
        self.stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .cancel();
    }
}

/// Rings whenever a guest's conversation with staff changes.
#[derive(Debug)]
pub(crate) struct DeskBell(watch::Sender<u64>);

impl Default for DeskBell {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl DeskBell {
    /// Something changed.
    pub fn ring(&self) {
        self.0.send_modify(|rung| *rung += 1);
    }

    /// Returns when it rings next.
    pub async fn rings(&self) {
        // The sender lives as long as the hub
        let _ = self.0.subscribe().changed().await;
    }
}

/// All conversations that somebody follows or something happens in.
#[derive(Debug, Default)]
pub(crate) struct Broadcast {
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// Cards that are being carried out by this process.
    settling: Mutex<HashSet<String>>,
    /// How many turns of each person are under way in this process.
    turns: Mutex<HashMap<String, usize>>,
    /// For those who answer guests.
    pub desk: DeskBell,
    /// What guests' stays were a moment ago.
    pub stays: Stays,
}

impl Broadcast {
    /// The room of a conversation. Those nobody holds any more are forgotten on the way.
    pub fn room(&self, id: &str) -> Arc<Room> {
        let mut rooms = self.rooms();
        if let Some(room) = rooms.get(id) {
            return Arc::clone(room);
        }
        rooms.retain(|_, room| Arc::strong_count(room) > 1);
        let room = Arc::new(Room::new());
        rooms.insert(id.to_owned(), Arc::clone(&room));
        room
    }

    /// Every room there is.
    pub fn all(&self) -> Vec<Arc<Room>> {
        self.rooms().values().map(Arc::clone).collect()
    }

    /// Marks a card as being carried out here; `None` when it is already.
    pub fn settle(self: &Arc<Self>, card: &str) -> Option<Settling> {
        let mut settling = self.settling.lock().unwrap_or_else(PoisonError::into_inner);
        if !settling.insert(card.to_owned()) {
            return None;
        }
        Some(Settling {
            hub: Arc::clone(self),
            card: card.to_owned(),
        })
    }

    /// Counts a turn of that person; `None` when enough are under way.
    pub fn turn(self: &Arc<Self>, person: &str) -> Option<Turning> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let count = turns.entry(person.to_owned()).or_default();
        if *count >= MOST_TURNS {
            return None;
        }
        *count += 1;
        Some(Turning {
            hub: Arc::clone(self),
            person: person.to_owned(),
        })
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gone when the turn is over.
#[derive(Debug)]
pub(crate) struct Turning {
    hub: Arc<Broadcast>,
    person: String,
}

impl Drop for Turning {
    fn drop(&mut self) {
        let mut turns = self
            .hub
            .turns
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = turns.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                turns.remove(&self.person);
            }
        }
    }
}

/// Gone when the card is no longer carried out here.
#[derive(Debug)]
pub(crate) struct Settling {
    hub: Arc<Broadcast>,
    card: String,
}

impl Drop for Settling {
    fn drop(&mut self) {
        self.hub
            .settling
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.card);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_nobody_holds_are_forgotten() {
        let hub = Broadcast::default();
        let kept = hub.room("a");
        for n in 0..1000 {
            drop(hub.room(&n.to_string()));
        }
        assert_eq!(hub.all().len(), 2, "the one that is held, and the last");
        kept.begin("t1");
        kept.hear("t1", "Good ");
        kept.hear("t0", "Bad ");
        kept.written("t0");
        assert_eq!(
            hub.room("a").words("t1"),
            "Good ",
            "a turn that is over touches nothing"
        );
    }

    #[test]
    fn a_person_has_so_many_turns_at_once() {
        let hub = Arc::new(Broadcast::default());
        let turns: Vec<_> = (0..MOST_TURNS).map(|_| hub.turn("a")).collect();
        assert!(
            turns.iter().all(Option::is_some) && hub.turn("a").is_none() && hub.turn("b").is_some()
        );
        drop(turns);
        assert!(hub.turn("a").is_some());
    }

    #[test]
    fn a_card_is_settled_by_one() {
        let hub = Arc::new(Broadcast::default());
        let first = hub.settle("k");
        assert!(first.is_some() && hub.settle("k").is_none());
        drop(first);
        assert!(hub.settle("k").is_some());
    }
}
