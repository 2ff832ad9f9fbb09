//! Executes an approved proposal: with the same token on every attempt, followed to its end, then
//! explained by the model.
//!
//! The process may die at any moment. The next reader of the conversation, or the housekeeping job,
//! resumes from the stored state: a started execution is found by the proposal's token; otherwise
//! it is started with that token. A result that doesn't prove that nothing was done is never
//! treated as final.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    caller::{Caller, Interface, Role},
    concierge::{Entry, Proposal, ProposalEvent, ProposalState, Responder},
    error_code::ErrorCode,
    execution_view::ExecutionView,
    tool::ToolCall,
    tool_answer::{FinalAnswer, ToolAnswer},
    tool_catalog::GetExecution,
    vocabulary::ExecutionState,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    concierge_service::Inner, conversation_commands::TURN_LEASE, decide_proposal::with_choice,
    failure::Failure, live_conversations::ExecutionGuard,
};

/// Duration of one wait for a running execution.
const POLL_INTERVAL: Duration = Duration::from_secs(15);
/// An approved execution is not started later than this after the proposal expired: the person has
/// moved on.
const TOO_LATE: SignedDuration = SignedDuration::from_mins(5);
/// Number of attempts without a definite result; the next reader continues after that.
const MAX_ATTEMPTS: u32 = 6;
/// Delay before the second attempt; doubled before each further one.
const PAUSE: Duration = Duration::from_millis(500);

/// Final result.
struct End {
    event: ProposalEvent,
    answer: Value,
    execution_id: Option<String>,
}

/// Result of one attempt.
enum Found {
    End(End),
    /// An execution is in progress or finished.
    Execution(String),
    Unknown,
}

impl Inner {
    /// Executes an approved proposal in its own task, unless this process already does.
    pub fn spawn_execution(self: &Arc<Self>, caller: Caller, proposal: String) {
        let Some(settling) = self.hub.start_execution(&proposal) else {
            return;
        };
        let me = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(Failure(code)) = me.run_to_completion(&caller, &proposal, settling).await {
                tracing::error!(%proposal, code = code.code(), "a proposal could not be executed; it resumes the next time it is read");
            }
        });
    }

    async fn run_to_completion(
        self: &Arc<Self>,
        caller: &Caller,
        proposal: &str,
        settling: ExecutionGuard,
    ) -> Result<(), Failure> {
        let mut pause = PAUSE;
        for _ in 0..MAX_ATTEMPTS {
            let found = self.store().proposal(proposal).await?;
            let Some(proposal) = found.filter(|proposal| proposal.state.under_way()) else {
                return Ok(());
            };
            let end = match self.find_or_start(caller, &proposal).await {
                Found::End(end) => Some(end),
                Found::Execution(id) => self.follow_execution(caller, &proposal, &id).await?,
                Found::Unknown => None,
            };
            if let Some(end) = end {
                self.end(caller, &proposal, end).await?;
                break;
            }
            self.parts.clock.sleep(pause).await;
            pause *= 2;
        }
        drop(settling);
        Ok(())
    }

    /// Finds the proposal's execution by its token, or starts it with that token.
    async fn find_or_start(&self, caller: &Caller, proposal: &Proposal) -> Found {
        if let Some(id) = &proposal.execution_id {
            return Found::Execution(id.clone());
        }
        let call = GetExecution::call_with(json!({ "idempotency_token": proposal.token() }));
        let answer = self.parts.dispatcher.dispatch(caller, call).await;
        match answer.error() {
            None => match answer.result::<ExecutionView>() {
                None => Found::Unknown,
                Some(view) => Found::Execution(view.execution_id),
            },
            Some(ErrorCode::ExecutionNotFound) if self.now() <= late(proposal) => {
                self.begin_execution(caller, proposal).await
            }
            Some(ErrorCode::ExecutionNotFound) => Found::End(End {
                event: ProposalEvent::Expire,
                answer: Value::Null,
                execution_id: None,
            }),
            Some(_) => Found::Unknown,
        }
    }

    async fn begin_execution(&self, caller: &Caller, proposal: &Proposal) -> Found {
        let call = ToolCall {
            tool: proposal.tool.clone(),
            input: with_choice(proposal),
            idempotency_token: Some(proposal.token()),
            wait: Some(Duration::ZERO),
        };
        let answer = self.parts.dispatcher.dispatch(caller, call).await;
        let body = answer.body(caller.persona);
        match answer {
            ToolAnswer::Pending { execution_id, .. } => Found::Execution(execution_id),
            ToolAnswer::Settled {
                settled,
                execution_id,
                ..
            } => {
                let event = match &settled {
                    FinalAnswer::Done { .. } => ProposalEvent::Complete,
                    FinalAnswer::Failed {
                        code: ErrorCode::CheckoutCompensated,
                        ..
                    } => ProposalEvent::Undo,
                    // Without an execution such a result doesn't prove that none was started
                    FinalAnswer::Failed { code, .. }
                        if execution_id.is_none() && code.status() >= 500 =>
                    {
                        return Found::Unknown;
                    }
                    // Nothing was charged: the answer names a page to choose a card
                    FinalAnswer::Failed { .. } | FinalAnswer::ActionNeeded { .. } => {
                        ProposalEvent::Refuse
                    }
                };
                Found::End(End {
                    event,
                    answer: body,
                    execution_id,
                })
            }
        }
    }

    /// Follows an execution until it is at rest; the proposal shows its steps live meanwhile.
    async fn follow_execution(
        &self,
        caller: &Caller,
        proposal: &Proposal,
        id: &str,
    ) -> Result<Option<End>, Failure> {
        self.store()
            .transition_proposal(&proposal.id, ProposalEvent::Begin, Some(id))
            .await?;
        let room = self.hub.room(&proposal.conversation);
        let Some(mut view) = self.parts.execution_feed.execution(caller, id).await else {
            return Ok(None);
        };
        while !view.at_rest {
            room.notify();
            let Some(next) = self
                .parts
                .execution_feed
                .changed(caller, id, view.seq, POLL_INTERVAL)
                .await
            else {
                return Ok(None);
            };
            view = next;
        }
        let event = ended(&view);
        Ok(event.map(|event| End {
            event,
            answer: view.answer.unwrap_or_default(),
            execution_id: Some(id.to_owned()),
        }))
    }

    /// Stores the result, then lets the model explain it. The entry is written first, and only
    /// once: a result that nobody can read doesn't count.
    async fn end(
        self: &Arc<Self>,
        caller: &Caller,
        proposal: &Proposal,
        end: End,
    ) -> Result<(), Failure> {
        let (store, id) = (self.store(), &proposal.conversation);
        let Some(state) = proposal
            .state
            .next(end.event)
            .or_else(|| ProposalState::Running.next(end.event))
        else {
            return Ok(());
        };
        let entry = Entry::Decided {
            proposal: proposal.id.clone(),
            call_id: proposal.call_id.clone(),
            state,
            answer: end.answer,
            execution_id: end.execution_id.clone(),
        };
        self.hub.stays.forget(&proposal.owner);
        let token = format!("end-{}", proposal.id);
        let first = store
            .add_entry(id, self.now(), Some(&token), &entry)
            .await?;
        store
            .transition_proposal(&proposal.id, end.event, end.execution_id.as_deref())
            .await?;
        self.hub.room(id).notify();
        if first {
            self.explain(caller, id).await
        } else {
            Ok(())
        }
    }

    async fn explain(self: &Arc<Self>, caller: &Caller, id: &str) -> Result<(), Failure> {
        let store = self.store();
        let Some(conversation) = store.conversation(id).await? else {
            return Ok(());
        };
        if conversation.responder != Responder::Model || !self.switch().await?.on {
            return Ok(());
        }
        let (Some(turning), turn) = (self.hub.turn(&caller.key()), self.new_id("trn")) else {
            return Ok(());
        };
        if store.take_turn(id, &turn, self.now(), TURN_LEASE).await? {
            self.begin_turn(caller.clone(), id.to_owned(), turn, turning);
        }
        Ok(())
    }

    /// Resumes proposals that a process left behind, and picks up what staff have done about others
    /// since.
    pub async fn resume(self: &Arc<Self>, caller: &Caller, proposals: &[Proposal]) {
        for proposal in proposals
            .iter()
            .filter(|proposal| proposal.owner == caller.key())
        {
            if proposal.state.under_way() {
                self.spawn_execution(caller.clone(), proposal.id.clone());
            } else if proposal.state == ProposalState::NeedsAttention
                && let Some(id) = &proposal.execution_id
                && let Some(view) = self.parts.execution_feed.execution(caller, id).await
                && let Some(event) =
                    ended(&view).filter(|event| proposal.state.next(*event).is_some())
                && let Err(error) = self
                    .store()
                    .transition_proposal(&proposal.id, event, None)
                    .await
            {
                tracing::warn!(%error, "a proposal that staff have dealt with could not be moved");
            }
        }
    }

    /// Resumes approved proposals, whether or not their owners return. Staff act in the role they
    /// have now.
    pub async fn resume_all(self: &Arc<Self>) -> Result<(), Failure> {
        for proposal in self.store().running_proposals().await? {
            if let Some(caller) = self.owner(&proposal.owner).await? {
                self.spawn_execution(caller, proposal.id);
            }
        }
        Ok(())
    }

    /// Caller behind that key; `None` if the account was disabled.
    pub async fn owner(&self, key: &str) -> Result<Option<Caller>, Failure> {
        if let Some(guest) = key.strip_prefix("guest:") {
            return Ok(Some(Caller::one_guest(&guest.into(), Interface::Chat)));
        }
        let Some(email) = key.strip_prefix("staff:") else {
            return Ok(None);
        };
        let account = self.store().staff_by_email(&email.into()).await?;
        let role = account
            .filter(|account| !account.disabled)
            .and_then(|account| Role::from_name(&account.role));
        Ok(role.map(|role| Caller::staff(email, role, Interface::Chat)))
    }
}

fn late(proposal: &Proposal) -> jiff::Timestamp {
    proposal
        .expires_at
        .checked_add(TOO_LATE)
        .unwrap_or(proposal.expires_at)
}

fn ended(view: &ExecutionView) -> Option<ProposalEvent> {
    Some(match view.state {
        ExecutionState::Completed => ProposalEvent::Complete,
        ExecutionState::Compensated => ProposalEvent::Undo,
        ExecutionState::Refused => ProposalEvent::Refuse,
        ExecutionState::NeedsAttention => ProposalEvent::GetStuck,
        ExecutionState::SettledByHand => ProposalEvent::Settle,
        _ => return None,
    })
}
