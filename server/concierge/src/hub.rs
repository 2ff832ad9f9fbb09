//! What goes on in this process: the words that are being written, and a bell for whoever follows a conversation.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// What followers hear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pulse {
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
    pulse: watch::Sender<Pulse>,
    stop: Mutex<CancellationToken>,
}

impl Room {
    fn new() -> Self {
        Self { pulse: watch::Sender::new(Pulse::default()), stop: Mutex::new(CancellationToken::new()) }
    }

    /// Something was stored.
    pub fn ring(&self) {
        self.pulse.send_modify(|pulse| pulse.bell += 1);
    }

    /// The model begins to speak, or begins anew.
    pub fn begin(&self) {
        self.pulse.send_modify(|pulse| {
            pulse.round += 1;
            pulse.text.clear();
        });
    }

    /// It said so much more.
    pub fn hear(&self, words: &str) {
        self.pulse.send_modify(|pulse| pulse.text.push_str(words));
    }

    /// What it said so far.
    pub fn words(&self) -> String {
        self.pulse.borrow().text.clone()
    }

    /// What it said is stored now, and nothing is being said.
    pub fn written(&self) {
        self.pulse.send_modify(|pulse| {
            pulse.bell += 1;
            pulse.text.clear();
        });
    }

    /// To follow it.
    pub fn follow(&self) -> watch::Receiver<Pulse> {
        self.pulse.subscribe()
    }

    /// A fresh token that `stop` cancels.
    pub fn stoppable(&self) -> CancellationToken {
        let token = CancellationToken::new();
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = token.clone();
        token
    }

    /// Stops what is being said.
    pub fn stop(&self) {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }
}

/// All conversations that somebody follows or something happens in.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// Cards that are being carried out by this process.
    settling: Mutex<HashMap<String, ()>>,
}

impl Hub {
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
        if settling.insert(card.to_owned(), ()).is_some() {
            return None;
        }
        Some(Settling { hub: Arc::clone(self), card: card.to_owned() })
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gone when the card is no longer carried out here.
#[derive(Debug)]
pub(crate) struct Settling {
    hub: Arc<Hub>,
    card: String,
}

impl Drop for Settling {
    fn drop(&mut self) {
        self.hub.settling.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.card);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_nobody_holds_are_forgotten() {
        let hub = Hub::default();
        let kept = hub.room("a");
        for n in 0..1000 {
            drop(hub.room(&n.to_string()));
        }
        assert_eq!(hub.all().len(), 2, "the one that is held, and the last");
        kept.hear("Good ");
        assert_eq!(hub.room("a").words(), "Good ");
    }

    #[test]
    fn a_card_is_settled_by_one() {
        let hub = Arc::new(Hub::default());
        let first = hub.settle("k");
        assert!(first.is_some() && hub.settle("k").is_none());
        drop(first);
        assert!(hub.settle("k").is_some());
    }
}
