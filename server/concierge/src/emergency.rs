//! Emergency messages always reach people: no switch, budget, turn, length limit or number of
//! conversations stops them.
//!
//! ```text
//! message ─► domain::emergency ─► one conversation with staff: the message, the answer, the alarm, in one transaction
//!                                     └─► an urgent case, in parallel
//! ```

use std::sync::Arc;

use dewy_domain::{
    caller::{Caller, Persona},
    concierge::{Conversation, Entry, Standing},
    emergency::Emergency,
    error_code::ErrorCode,
    tool::ToolCall,
    vocabulary::CaseStatus,
};
use serde_json::json;

use crate::{
    commands::titled,
    service::{Inner, internal, is_front_desk},
};

/// Maximum length of the message in a case.
const MAX_CHARS: usize = 1500;

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
        let conversation = self.thread_of_danger(caller, id, token, &text).await?;
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
        room.ring();
        self.hub.desk.ring();
        if new {
            tracing::warn!(conversation = %id, languages = ?danger.languages, "a message reported an emergency");
            // One case per conversation and alarm; whoever answered it is there already
            if !conversation.emergency {
                let (me, caller, id, token) = (
                    Arc::clone(self),
                    caller.clone(),
                    id.clone(),
                    token.to_owned(),
                );
                tokio::spawn(async move { me.open_urgent_case(&caller, &id, &token, &text).await });
            }
        }
        Ok(id)
    }

    /// Marks an emergency as handled, and closes the case that it opened.
    pub async fn handled(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode> {
        if caller.read_only || !is_front_desk(caller) {
            return Err(ErrorCode::ConversationNotFound);
        }
        let found = self.seen(caller, id).await?;
        if !self.parts.store.end_emergency(id).await.map_err(internal)? {
            return Err(ErrorCode::InvalidTransition);
        }
        self.hub.room(id).ring();
        self.hub.desk.ring();
        let Some(number) = found.case_number else {
            return Ok(());
        };
        // A new case is taken up before it is closed; somebody may have done so already
        for status in [CaseStatus::InProgress, CaseStatus::Closed] {
            let token = format!("handled-{id}-{number}-{}", status.as_str());
            let call = ToolCall {
                tool: "manage_cases".to_owned(),
                input: json!({ "case_number": number, "status": status }),
                idempotency_token: Some(token),
                wait: None,
            };
            let answer = self.parts.dispatcher.dispatch(caller, call).await;
            if let (CaseStatus::Closed, Some(code)) = (&status, answer.error()) {
                // It stays in the list of cases, where somebody closes it
                tracing::warn!(
                    conversation = id,
                    code = code.code(),
                    "the case of a handled emergency was not closed"
                );
            }
        }
        Ok(())
    }

    /// Whether staff answer another guest there: they know of the emergency already.
    pub async fn is_reply(&self, caller: &Caller, id: Option<&str>) -> bool {
        let Some(id) = id.filter(|id| !id.is_empty() && caller.persona == Persona::Staff) else {
            return false;
        };
        let found = self.seen(caller, id).await;
        found.is_ok_and(|found| found.owner != caller.key())
    }

    /// Staff conversation for a guest's emergency: the current one if staff answer there, otherwise
    /// the latest one where they do.
    async fn thread_of_danger(
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
        let with_staff = || own.iter().find(|one| one.standing == Standing::Staff);
        let open = named
            .filter(|one| one.standing == Standing::Staff)
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

    async fn open_urgent_case(&self, caller: &Caller, id: &str, token: &str, text: &str) {
        let words: String = text.chars().take(MAX_CHARS).collect();
        let description = format!("EMERGENCY in the chat: {words}");
        let (tool, input) = match caller.persona {
            Persona::Guest => (
                "submit_guest_service_request",
                json!({ "type": "Concierge", "priority": "Urgent", "description": description }),
            ),
            Persona::Staff => (
                "manage_cases",
                json!({ "type": "Concierge", "priority": "Urgent",
                    "subject": format!("EMERGENCY: written by {}", caller.email),
                    "description": description }),
            ),
        };
        let call = ToolCall {
            tool: tool.to_owned(),
            input,
            idempotency_token: Some(format!("danger-{id}-{token}")),
            wait: None,
        };
        let body = self
            .parts
            .dispatcher
            .dispatch(caller, call)
            .await
            .body(caller.persona);
        let case_number = body["data"]["case_number"].as_str().map(str::to_owned);
        match &case_number {
            None => {
                tracing::error!(conversation = id, code = %body["error_code"], "no case was opened for an emergency")
            }
            Some(number) => {
                if let Err(error) = self.parts.store.conversation_case(id, number).await {
                    tracing::error!(%error, "an emergency's case was not recorded in its conversation");
                }
            }
        }
        let reason = match caller.persona {
            Persona::Guest => "The guest reported an emergency.",
            Persona::Staff => "A colleague reported an emergency.",
        }
        .to_owned();
        // A failure is logged; the front desk has the conversation
        let _ = self
            .add(
                id,
                &Entry::HandedOver {
                    reason,
                    case_number,
                    call_id: None,
                },
            )
            .await;
    }
}
