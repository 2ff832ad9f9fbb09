//! Emergency messages always reach people: no switch, budget, turn, length limit or number of
//! conversations stops them.
//!
//! ```text
//! message ─► domain::emergency ─► one conversation with staff: the message, the answer, the alarm, in one transaction
//!                                     └─► the case it owes (emergency_case.rs), in parallel
//! ```

use std::sync::Arc;

use dewy_domain::{
    caller::{Caller, Persona},
    concierge::{Conversation, Entry, Responder},
    emergency::Emergency,
    error_code::ErrorCode,
};
use dewy_store::HandleResult;

use crate::{
    concierge_service::{Inner, internal, is_front_desk},
    conversation_commands::titled,
};

impl Inner {
    /// Hands the message to staff and returns the conversation it is in: one that staff already
    /// answer in, the one it was written in, or a new one.
    pub async fn raise(
        self: &Arc<Self>,
        caller: &Caller,
        id: Option<&str>,
        token: &str,
        text: String,
        danger: &Emergency,
    ) -> Result<String, ErrorCode> {
        let store = &self.parts.store;
        let conversation = self.emergency_thread(caller, id, token, &text).await?;
        let hotel = &self.parts.settings.hotel;
        let answer = format!(
            "{}\n{}",
            danger.answer(hotel.emergency_number.as_deref()),
            hotel.line()
        );
        let (said, answer) = (
            Entry::Said { text: text.clone() },
            Entry::Answered {
                text: answer,
                stopped: false,
            },
        );
        let id = conversation.id;
        let new = store
            .raise_emergency(&id, self.now(), &titled(&text), token, &said, &answer)
            .await
            .map_err(internal)?;
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

    /// Marks an emergency as handled, unless its guest has written after the entry at `seen`; its
    /// case is closed in the background.
    pub async fn mark_handled(
        self: &Arc<Self>,
        caller: &Caller,
        id: &str,
        seen: i64,
    ) -> Result<bool, ErrorCode> {
        if caller.read_only || !is_front_desk(caller) {
            return Err(ErrorCode::ConversationNotFound);
        }
        self.visible_conversation(caller, id).await?;
        let ended = self
            .parts
            .store
            .end_emergency(id, seen, &caller.key())
            .await;
        match ended.map_err(internal)? {
            HandleResult::Nothing => return Err(ErrorCode::InvalidTransition),
            HandleResult::Newer => return Ok(false),
            HandleResult::Handled => {}
        }
        self.hub.room(id).notify();
        self.hub.desk.notify();
        let _ = self.settle_cases(Some((id, caller))).await;
        Ok(true)
    }

    /// Whether staff answer another guest there: they know of the emergency already.
    pub async fn is_reply(&self, caller: &Caller, id: Option<&str>) -> bool {
        let Some(id) = id.filter(|id| !id.is_empty() && caller.persona == Persona::Staff) else {
            return false;
        };
        let found = self.visible_conversation(caller, id).await;
        found.is_ok_and(|found| found.owner != caller.key())
    }

    /// Staff conversation for a guest's emergency: the current one if staff answer there, otherwise
    /// the latest one where they do.
    async fn emergency_thread(
        &self,
        caller: &Caller,
        id: Option<&str>,
        token: &str,
        text: &str,
    ) -> Result<Conversation, ErrorCode> {
        let store = &self.parts.store;
        let own = store
            .conversations_of(&caller.key())
            .await
            .map_err(internal)?;
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
            Err(code) => own.into_iter().next().ok_or(code),
            new => new,
        }
    }
}
