//! Handover to staff and back: a case that says somebody is waiting, and a conversation in which
//! the model is silent.

use std::sync::Arc;

use dewy_domain::{
    caller::{Caller, Persona},
    case::HAND_OVER_SUBJECT,
    concierge::{CallState, Entry, HAND_OVER, Responder},
    error_code::ErrorCode,
    said,
    tool::ToolCall,
    tool_catalog::SubmitGuestServiceRequest,
    tool_output::CaseResult,
    vocabulary::{CasePriority, CaseType},
};
use serde_json::json;

use crate::{concierge_service::Inner, failure::Failure, visible_text::shown};

/// Maximum number of a guest's conversations that wait for staff at once; more would only hide
/// other guests.
const MAX_WAITING_CONVERSATIONS: usize = 2;
/// Maximum length of the reason on the case.
const MAX_REASON: usize = 160;

/// Description of the case: what it is about, so that the team can tell one from another. The
/// conversation itself stays in the chat, because all staff can read cases, and the CRM keeps them.
fn case_description(reason: &str) -> String {
    let reason = shown(reason);
    let reason: String = reason.trim().chars().take(MAX_REASON).collect();
    let about = match reason.is_empty() {
        true => String::new(),
        false => format!(": {reason}"),
    };
    format!("{HAND_OVER_SUBJECT}{about}\nThe conversation is on the concierge page.")
}

impl Inner {
    /// Calls a person. The model goes silent first; if the case can't be opened, nobody is left
    /// waiting, because the conversation is in the front desk's list.
    pub async fn hand_over(
        &self,
        caller: &Caller,
        id: &str,
        reason: &str,
        call_id: Option<&str>,
    ) -> Result<(), Failure> {
        let store = self.store();
        let others = store.conversations_of(&caller.key()).await?;
        let mut waiting = others
            .iter()
            .filter(|other| other.responder == Responder::Staff && other.id != id);
        if let Some(open) = waiting.next()
            && waiting.count() + 1 >= MAX_WAITING_CONVERSATIONS
        {
            return self.pass_on(id, &open.id, call_id).await;
        }
        if !store
            .hand_over_conversation(id, Responder::Model, Responder::Staff, self.now())
            .await?
        {
            return Ok(());
        }
        self.hub.room(id).stop();
        self.hub.desk.notify();
        store.supersede_proposals(id).await?;
        let entries = store.entries(id).await?;
        let reason: String = reason
            .chars()
            .filter(|c| !c.is_control())
            .take(400)
            .collect();
        let call = ToolCall {
            idempotency_token: Some(format!("hand-{id}-{}", entries.len())),
            ..SubmitGuestServiceRequest::call_with(json!({ "type": CaseType::Concierge,
                "priority": CasePriority::High, "description": case_description(&reason) }))
        };
        let answer = self.parts.dispatcher.dispatch(caller, call).await;
        let case_number = answer.result::<CaseResult>().map(|case| case.case_number);
        if case_number.is_none() {
            tracing::warn!(
                conversation = id,
                code = answer.error().map(ErrorCode::code),
                "no case was opened for a handed-over conversation"
            );
        }
        if let Some(number) = &case_number {
            store.hand_over_case_opened(id, number).await?;
        }
        let entry = Entry::HandedOver {
            reason,
            case_number,
            call_id: call_id.map(str::to_owned),
        };
        self.add(id, entry).await
    }

    /// Passes a guest's latest words on to a conversation of theirs in which staff answer.
    async fn pass_on(&self, id: &str, open: &str, call_id: Option<&str>) -> Result<(), Failure> {
        let entries = self.store().entries(id).await?;
        let said = entries.into_iter().rev().map(|placed| placed.entry);
        if let Some(said) = said
            .into_iter()
            .find(|entry| matches!(entry, Entry::Said { .. }))
        {
            self.add(open, said).await?;
            self.hub.desk.notify();
        }
        if let Some(call_id) = call_id {
            let answer = json!({ "success": true, "data": { "handed_over": true } });
            let returned = Entry::Returned {
                call_id: call_id.to_owned(),
                tool: HAND_OVER.to_owned(),
                state: CallState::Done,
                answer,
                execution_id: None,
            };
            self.add(id, returned).await?;
            // The desk answers there, and nobody here
            self.store().end_turn(id, None).await?;
        }
        let text = said!("talk-elsewhere");
        self.add(id, Entry::Trouble { text }).await
    }

    /// Hands the conversation back to the model, by the front desk, which closes its case, or by its
    /// owner. An emergency that is not handled stays with staff.
    pub async fn hand_back(self: &Arc<Self>, caller: &Caller, id: &str) -> Result<(), Failure> {
        if caller.read_only {
            return Err(ErrorCode::ConversationNotFound.into());
        }
        let found = match caller.persona {
            Persona::Guest => self.own_conversation(caller, id).await?,
            Persona::Staff => self.visible_conversation(caller, id).await?,
        };
        if found.emergency {
            return Err(ErrorCode::InvalidTransition.into());
        }
        let back = self
            .store()
            .hand_over_conversation(id, Responder::Staff, Responder::Model, self.now())
            .await;
        if back? {
            let by = caller.email.to_string();
            self.add(id, Entry::HandedBack { by }).await?;
            self.hub.desk.notify();
            if caller.persona == Persona::Staff {
                let (store, by) = (self.store(), caller.key());
                store.close_hand_over_cases(id, &by).await?;
                // A case that can't be closed now is closed by the housekeeping job
                let _ = self.settle_cases(Some((id, caller))).await;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_says_what_it_is_about_briefly_and_without_card_numbers() {
        assert!(
            case_description("noise: a party at 1 am")
                .starts_with("Asked for a person in the chat: noise: a party at 1 am\n")
        );
        assert!(case_description(" ").starts_with("Asked for a person in the chat\n"));
        let card = case_description("charged twice on 4242 4242 4242 4242");
        assert!(card.contains("(card number removed)"), "{card}");
        assert!(case_description(&"x".repeat(900)).chars().count() < 250);
    }
}
