//! Cases that conversations owe: that of an emergency is opened for the message that reported it, and
//! closed once somebody has handled it; that of a hand-over is closed once staff hand the conversation
//! back. What can't be done now is done by a later run of the housekeeping job.
//!
//! ```text
//! message ─► row ─► open the case ─► number ─┐
//! hand-over with its case ─► row ────────────┤
//! handled, or handed back, by somebody ──────┴─► close that case ─► row deleted
//! ```

use std::sync::Arc;

use dewy_domain::{
    caller::{Caller, Persona},
    concierge::{Danger, Entry},
    emergency,
    error_code::ErrorCode,
    tool::ToolCall,
    tool_answer::ToolAnswer,
    tool_catalog::{ManageCases, SubmitGuestServiceRequest},
    tool_input::ToolInput,
    tool_output::CaseResult,
    vocabulary::{CasePriority, CaseStatus, CaseType},
};
use dewy_store::OwedCase;
use serde_json::json;

use crate::{concierge_service::Inner, failure::Failure};

/// Reason stored when an emergency hands a conversation over.
pub(crate) const EMERGENCY_REASON: &str = "The guest reported an emergency.";
/// Maximum length of the message in a case.
const MAX_CHARS: usize = 1500;

/// What became of an attempt.
enum Attempt<T> {
    Done(T),
    /// An outside system does not answer, for example.
    Later,
    /// It can't be done; the reason.
    Never(&'static str),
}

impl<T> Attempt<T> {
    /// After an answer without the result.
    fn failed(answer: &ToolAnswer) -> Self {
        match answer.error() {
            Some(code) if code.status() < 500 && !code.retry_safe() => Self::Never(code.code()),
            _ => Self::Later,
        }
    }
}

impl Inner {
    /// Opens and closes the cases that are owed, in tasks of their own: all of them, or those of one
    /// conversation, with the caller who is there.
    pub async fn settle_cases(
        self: &Arc<Self>,
        only: Option<(&str, &Caller)>,
    ) -> Result<(), Failure> {
        let store = self.store();
        for case in store.owed_cases(only.map(|(id, _)| id)).await? {
            let name = format!("{} {}", case.conversation, case.token);
            // This process is at it already
            let Some(settling) = self.hub.start_execution(&name) else {
                continue;
            };
            let (me, caller) = (Arc::clone(self), only.map(|(_, caller)| caller.clone()));
            tokio::spawn(async move {
                if let Err(Failure(code)) = me.settle_case(case, caller.as_ref()).await {
                    tracing::error!(%name, code = code.code(), "a conversation's case has to wait");
                }
                drop(settling);
            });
        }
        Ok(())
    }

    async fn settle_case(
        self: &Arc<Self>,
        mut case: OwedCase,
        caller: Option<&Caller>,
    ) -> Result<(), Failure> {
        let store = self.store();
        if case.case_number.is_none() {
            match self.open_urgent_case(&case, caller).await? {
                Attempt::Done(number) => {
                    store.owed_case_opened(&case, &number).await?;
                    self.tell_case(&case, Some(number)).await;
                }
                Attempt::Later => return Ok(()),
                Attempt::Never(why) => {
                    tracing::error!(
                        conversation = case.conversation,
                        why,
                        "no case was opened for an emergency"
                    );
                    self.tell_case(&case, None).await;
                    return Ok(store.forget_owed_case(&case).await?);
                }
            }
            // Somebody may have handled it meanwhile
            let now = store.owed_cases(Some(&case.conversation)).await?;
            let Some(now) = now.into_iter().find(|one| one.token == case.token) else {
                return Ok(());
            };
            case = now;
        }
        let (Some(number), Some(by)) = (&case.case_number, &case.handled_by) else {
            return Ok(());
        };
        match self
            .close_case(&case.conversation, number, by, caller)
            .await?
        {
            Attempt::Later => return Ok(()),
            Attempt::Done(()) => {}
            // It stays in the list of cases, where somebody closes it
            Attempt::Never(why) => tracing::warn!(
                conversation = case.conversation,
                number,
                why,
                "the case of a conversation was not closed"
            ),
        }
        Ok(store.forget_owed_case(&case).await?)
    }

    async fn open_urgent_case(
        &self,
        case: &OwedCase,
        caller: Option<&Caller>,
    ) -> Result<Attempt<String>, Failure> {
        let (id, token) = (&case.conversation, &case.token);
        let store = self.store();
        let found = store.conversation(id).await?;
        let entry = store.entry_of(id, token).await?;
        let (Some(found), Some(Entry::Said { danger, text })) = (found, entry) else {
            return Ok(Attempt::Never("the message is gone"));
        };
        let Some(caller) = self.caller_for(&found.owner, caller).await? else {
            return Ok(Attempt::Never("the account is disabled"));
        };
        let words: String = text.chars().take(MAX_CHARS).collect();
        let danger = danger.unwrap_or_else(|| Danger::of(emergency::find(&text).as_ref()));
        let possible = danger == Danger::Possible;
        let description = emergency::case_description(&words, possible);
        let label = emergency::case_label(possible);
        let mut input = json!({ "type": CaseType::Concierge, "priority": CasePriority::Urgent, "description": description });
        let call = match caller.persona {
            Persona::Guest => SubmitGuestServiceRequest::call_with(input),
            Persona::Staff => {
                input["subject"] = json!(format!("{label}: written by {}", caller.email));
                ManageCases::call_with(input)
            }
        };
        let answer = self
            .call(&caller, call, format!("danger-{id}-{token}"))
            .await;
        Ok(match answer.result::<CaseResult>() {
            None => Attempt::failed(&answer),
            Some(case) => Attempt::Done(case.case_number),
        })
    }

    /// A new case is taken up before it is closed.
    async fn close_case(
        &self,
        id: &str,
        number: &str,
        by: &str,
        caller: Option<&Caller>,
    ) -> Result<Attempt<()>, Failure> {
        let Some(caller) = self.caller_for(by, caller).await? else {
            return Ok(Attempt::Never("the account is disabled"));
        };
        let mut last = Attempt::Later;
        let ways = [
            CaseStatus::Closed,
            CaseStatus::InProgress,
            CaseStatus::Closed,
        ];
        for (n, status) in ways.into_iter().enumerate() {
            let call = ManageCases {
                case_number: Some(number.to_owned()),
                status: Some(status.clone()),
                ..ManageCases::default()
            };
            let token = format!("handled-{id}-{number}-{n}");
            let answer = self.call(&caller, call.call(), token).await;
            let done = answer.result::<CaseResult>().is_some();
            last = match answer.error() {
                None if done && status == CaseStatus::Closed => return Ok(Attempt::Done(())),
                None if done => Attempt::Later,
                Some(ErrorCode::InvalidTransition) if n == 0 => Attempt::Later,
                _ => return Ok(Attempt::failed(&answer)),
            };
        }
        Ok(last)
    }

    /// Caller with that key: the current caller if it is theirs, or else one from their account.
    async fn caller_for(
        &self,
        key: &str,
        there: Option<&Caller>,
    ) -> Result<Option<Caller>, Failure> {
        match there.filter(|caller| caller.key() == key) {
            Some(caller) => Ok(Some(caller.clone())),
            None => self.owner(key).await,
        }
    }

    async fn call(&self, caller: &Caller, call: ToolCall, token: String) -> ToolAnswer {
        let call = ToolCall {
            idempotency_token: Some(token),
            ..call
        };
        self.parts.dispatcher.dispatch(caller, call).await
    }

    async fn tell_case(&self, case: &OwedCase, case_number: Option<String>) {
        let found = self.store().conversation(&case.conversation).await;
        let by_guest = matches!(found, Ok(Some(found)) if found.owner.starts_with("guest:"));
        let entry = match (by_guest, case_number) {
            (true, case_number) => Entry::HandedOver {
                reason: EMERGENCY_REASON.to_owned(),
                case_number,
                call_id: None,
            },
            (false, None) => Entry::answered("No case was opened: please open one."),
            (false, Some(number)) => Entry::answered(format!("The urgent case is {number}.")),
        };
        // A failure is logged; the front desk has the conversation
        let _ = self.add(&case.conversation, entry).await;
    }
}
