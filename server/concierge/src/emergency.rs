//! Emergency messages always reach people: no switch, budget, turn, length limit or number of
//! conversations stops them.
//!
//! ```text
//! message ─► domain::emergency ─► one conversation with staff: the message, the answer, the alarm, in one transaction
//!                                     └─► the case it owes (owed_case.rs), in parallel
//! ```
//!
//! Staff who report danger alert their colleagues in the same way, but are told what to do instead of
//! whom to wait for, and keep their concierge.

use std::sync::Arc;

use dewy_domain::{
    caller::{Caller, Persona},
    concierge::{Conversation, Danger, Entry, Responder},
    emergency::{self, Emergency, with_number},
    error_code::ErrorCode,
};
use dewy_store::HandleResult;
use jiff::Timestamp;

use crate::{concierge_service::Inner, conversation_commands::titled, failure::Failure};

/// What staff are told in case of danger, and of possible danger.
const STAFF_ANSWER: &str = "Call {the emergency number|#} first, then tell the manager. Your colleagues are alerted, and an \
                            urgent case is opened: if your message doesn't say which room it is, add the room to the case.";
const STAFF_ANSWER_POSSIBLE: &str = "Your colleagues are alerted, and an urgent case is opened: if your message doesn't say which room \
                                     it is, add the room to the case. If anyone may be in danger, call {the emergency number|#} \
                                     first, then tell the manager.";

/// Message of a person in an emergency.
pub(crate) struct AlarmingMessage {
    pub seq: i64,
    pub at: Timestamp,
    pub danger: Danger,
    pub text: String,
}

impl Inner {
    /// Alerts staff to the message and returns the conversation it is in: one that staff already
    /// answer in, the one it was written in, or a new one.
    pub async fn raise(
        self: &Arc<Self>,
        caller: &Caller,
        id: Option<&str>,
        token: &str,
        text: String,
        danger: &Emergency,
    ) -> Result<String, Failure> {
        let store = self.store();
        let conversation = self.emergency_thread(caller, id, token, &text).await?;
        let hotel = &self.parts.settings.hotel;
        let number = hotel.emergency_number.as_deref();
        let answer = match (caller.persona, danger.possible) {
            (Persona::Guest, _) => danger.answer(number, &self.hub.languages.of(&caller.key())),
            (Persona::Staff, false) => with_number(STAFF_ANSWER, number),
            (Persona::Staff, true) => with_number(STAFF_ANSWER_POSSIBLE, number),
        };
        let answer = format!("{answer}\n{}", hotel.line());
        let (said, answer) = (
            Entry::Said {
                danger: Some(Danger::of(Some(danger))),
                text: text.clone(),
            },
            Entry::answered(answer),
        );
        let id = conversation.id;
        let new = store
            .raise_emergency(&id, self.now(), &titled(&text), token, &said, &answer)
            .await?;
        let room = self.hub.room(&id);
        room.stop();
        room.notify();
        self.hub.desk.notify();
        if new {
            tracing::warn!(conversation = %id, possible = danger.possible, languages = ?danger.languages, "a message reported an emergency");
            // The message is with staff, whether or not its case can be opened now
            let _ = self.settle_cases(Some((&id, caller))).await;
        }
        Ok(id)
    }

    /// Marks an emergency as handled, unless its person has written after the entry at `seen`. From
    /// a colleague only new danger counts, because the rest is for the concierge. Its case is closed
    /// in the background.
    pub async fn mark_handled(
        self: &Arc<Self>,
        caller: &Caller,
        id: &str,
        seen: i64,
    ) -> Result<bool, Failure> {
        if caller.read_only || !caller.is_front_desk() {
            return Err(ErrorCode::ConversationNotFound.into());
        }
        let found = self.visible_conversation(caller, id).await?;
        let seen = match found.owner.starts_with("staff:") {
            true => match self.read_up_to(id, seen).await? {
                Some(seen) => seen,
                None => return Ok(false),
            },
            false => seen,
        };
        let ended = self.store().end_emergency(id, seen, &caller.key()).await;
        match ended? {
            HandleResult::Nothing => return Err(ErrorCode::InvalidTransition.into()),
            HandleResult::Newer => return Ok(false),
            HandleResult::Handled => {}
        }
        self.hub.room(id).notify();
        self.hub.desk.notify();
        let _ = self.settle_cases(Some((id, caller))).await;
        Ok(true)
    }

    /// Position of the last entry; `None` if any after `seen` reports danger.
    async fn read_up_to(&self, id: &str, seen: i64) -> Result<Option<i64>, Failure> {
        // In this order: what arrives in between is after the last
        let last = self.store().last_entry(id).await?;
        let messages = self.alarming_messages(id).await?;
        let mut newer = messages.iter().filter(|message| message.seq > seen);
        let danger = newer.any(|message| message.danger != Danger::None);
        Ok((!danger).then_some(last.max(seen)))
    }

    /// The person's newest messages that report danger, and their last message; in order. Danger in
    /// what older releases stored is looked for once.
    pub async fn alarming_messages(&self, id: &str) -> Result<Vec<AlarmingMessage>, Failure> {
        let store = self.store();
        let mut messages = Vec::new();
        for mut entry in store.alarming_messages(id).await? {
            let Entry::Said { danger, text } = &mut entry.entry else {
                continue;
            };
            let (noted, text) = (*danger, text.clone());
            let found = noted.unwrap_or_else(|| Danger::of(emergency::find(&text).as_ref()));
            if noted.is_none() {
                *danger = Some(found);
                // After a failure, which is logged, the next reader tries again
                let _ = store.note_danger(id, &entry).await.map_err(Failure::from);
            }
            messages.push(AlarmingMessage {
                seq: entry.seq,
                at: entry.at,
                danger: found,
                text,
            });
        }
        Ok(messages)
    }

    /// Whether staff answer another guest there: they know of the emergency already.
    pub async fn is_reply(&self, caller: &Caller, id: Option<&str>) -> bool {
        let Some(id) = id.filter(|id| !id.is_empty() && caller.persona == Persona::Staff) else {
            return false;
        };
        let found = self.visible_conversation(caller, id).await;
        found.is_ok_and(|found| found.owner != caller.key())
    }

    /// Conversation for an emergency: the current one if staff answer there, otherwise the latest one
    /// where they do, or the current one.
    async fn emergency_thread(
        &self,
        caller: &Caller,
        id: Option<&str>,
        token: &str,
        text: &str,
    ) -> Result<Conversation, Failure> {
        let store = self.store();
        let own = store.conversations_of(&caller.key()).await?;
        let named = id.and_then(|id| own.iter().find(|one| one.id == id));
        let with_staff = || own.iter().find(|one| one.responder == Responder::Staff);
        let open = named
            .filter(|one| one.responder == Responder::Staff)
            .or_else(with_staff)
            .or(named);
        if let Some(open) = open {
            return Ok(open.clone());
        }
        match self.begin(caller, token, text).await {
            // No more conversations allowed: the latest one is good enough
            Err(failure) => own.into_iter().next().ok_or(failure),
            new => new,
        }
    }
}
