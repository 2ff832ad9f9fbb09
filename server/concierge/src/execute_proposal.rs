//! A card that was said yes to, carried out: the same token however often it is tried, followed to
//! its end, then explained.
//!
//! The process may die at any moment. Whoever opens the conversation next, or the housekeeper, goes
//! on from the stored state: an execution that has begun is found by the card's token; one that has
//! not is begun under it. An answer that does not say for certain that nothing was done is never
//! believed to be the end.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    answer::{Settled, ToolAnswer},
    caller::{Caller, Interface, Role},
    concierge::{Entry, Proposal, ProposalEvent, ProposalState, Standing},
    error_code::ErrorCode,
    tool::ToolCall,
    view::ExecutionView,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{
    broadcast::Settling,
    commands::TURN_LASTS,
    decide::with_choice,
    service::{Inner, internal},
};

/// One look at an execution that is under way.
const LOOK: Duration = Duration::from_secs(15);
/// A yes whose execution never began is not begun later than this after it was last possible: the
/// person has moved on.
const TOO_LATE: SignedDuration = SignedDuration::from_mins(5);
/// So often it is tried where nothing certain was answered; after that the next look goes on.
const TRIES: u32 = 6;
/// Before the second try; doubled before each after that.
const PAUSE: Duration = Duration::from_millis(500);

/// How it ended.
struct End {
    event: ProposalEvent,
    answer: Value,
    execution_id: Option<String>,
}

/// What one try found.
enum Found {
    /// It came to an end.
    End(End),
    /// An execution is under way, or was.
    Execution(String),
    /// Nothing certain.
    Unknown,
}

impl Inner {
    /// Carries a confirmed card out in a task of its own, unless this process does so already.
    pub fn begin_settling(self: &Arc<Self>, caller: Caller, card: String) {
        let Some(settling) = self.hub.settle(&card) else {
            return;
        };
        let me = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(code) = me.settle(&caller, &card, settling).await {
                tracing::error!(%card, code = code.code(), "a proposal could not be executed; it resumes the next time it is read");
            }
        });
    }

    async fn settle(
        self: &Arc<Self>,
        caller: &Caller,
        card: &str,
        settling: Settling,
    ) -> Result<(), ErrorCode> {
        let mut pause = PAUSE;
        for _ in 0..TRIES {
            let found = self.parts.store.card(card).await.map_err(internal)?;
            let Some(card) = found.filter(|card| card.state.under_way()) else {
                return Ok(());
            };
            let end = match self.look(caller, &card).await {
                Found::End(end) => Some(end),
                Found::Execution(id) => self.follow(caller, &card, &id).await?,
                Found::Unknown => None,
            };
            if let Some(end) = end {
                self.end(caller, &card, end).await?;
                break;
            }
            self.parts.clock.sleep(pause).await;
            pause *= 2;
        }
        drop(settling);
        Ok(())
    }

    /// Finds the card's execution by its token, or begins it under that token.
    async fn look(&self, caller: &Caller, card: &Proposal) -> Found {
        if let Some(id) = &card.execution_id {
            return Found::Execution(id.clone());
        }
        let call = ToolCall {
            tool: "get_execution".to_owned(),
            input: json!({ "idempotency_token": card.token() }),
            idempotency_token: None,
            wait: None,
        };
        let answer = self.parts.dispatcher.dispatch(caller, call).await;
        match answer.error() {
            None => match answer.body(caller.persona)["data"]["execution_id"].as_str() {
                Some(id) => Found::Execution(id.to_owned()),
                None => Found::Unknown,
            },
            Some(ErrorCode::ExecutionNotFound) if self.now() <= late(card) => {
                self.begin_execution(caller, card).await
            }
            Some(ErrorCode::ExecutionNotFound) => Found::End(End {
                event: ProposalEvent::Expire,
                answer: Value::Null,
                execution_id: None,
            }),
            Some(_) => Found::Unknown,
        }
    }

    async fn begin_execution(&self, caller: &Caller, card: &Proposal) -> Found {
        let call = ToolCall {
            tool: card.tool.clone(),
            input: with_choice(card),
            idempotency_token: Some(card.token()),
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
                    Settled::Done { .. } => ProposalEvent::Complete,
                    Settled::Failed {
                        code: ErrorCode::CheckoutCompensated,
                        ..
                    } => ProposalEvent::Undo,
                    // Without an execution such an answer does not say that none was begun
                    Settled::Failed { code, .. }
                        if execution_id.is_none() && code.status() >= 500 =>
                    {
                        return Found::Unknown;
                    }
                    // Nothing was charged: a page is named on which a card is chosen
                    Settled::Failed { .. } | Settled::ActionNeeded { .. } => ProposalEvent::Refuse,
                };
                Found::End(End {
                    event,
                    answer: body,
                    execution_id,
                })
            }
        }
    }

    /// Follows an execution until it rests; its steps are live on the card meanwhile.
    async fn follow(
        &self,
        caller: &Caller,
        card: &Proposal,
        id: &str,
    ) -> Result<Option<End>, ErrorCode> {
        self.parts
            .store
            .move_card(&card.id, ProposalEvent::Begin, Some(id))
            .await
            .map_err(internal)?;
        let room = self.hub.room(&card.conversation);
        let Some(mut view) = self.parts.watch.execution(caller, id).await else {
            return Ok(None);
        };
        while !view.at_rest {
            room.ring();
            let Some(next) = self.parts.watch.changed(caller, id, view.seq, LOOK).await else {
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

    /// Stores the end, then lets the model explain it. The entry comes first, and once: an end that
    /// nobody can read of is none.
    async fn end(
        self: &Arc<Self>,
        caller: &Caller,
        card: &Proposal,
        end: End,
    ) -> Result<(), ErrorCode> {
        let (store, id) = (&self.parts.store, &card.conversation);
        let Some(state) = card
            .state
            .next(end.event)
            .or_else(|| ProposalState::Running.next(end.event))
        else {
            return Ok(());
        };
        let entry = Entry::Decided {
            card: card.id.clone(),
            call_id: card.call_id.clone(),
            state,
            answer: end.answer,
            execution_id: end.execution_id.clone(),
        };
        self.hub.stays.forget(&card.owner);
        let token = format!("end-{}", card.id);
        let first = store
            .add_entry(id, self.now(), Some(&token), &entry)
            .await
            .map_err(internal)?;
        store
            .move_card(&card.id, end.event, end.execution_id.as_deref())
            .await
            .map_err(internal)?;
        self.hub.room(id).ring();
        if first {
            self.explain(caller, id).await
        } else {
            Ok(())
        }
    }

    async fn explain(self: &Arc<Self>, caller: &Caller, id: &str) -> Result<(), ErrorCode> {
        let store = &self.parts.store;
        let Some(conversation) = store.conversation(id).await.map_err(internal)? else {
            return Ok(());
        };
        if conversation.standing != Standing::Model || !self.switch().await?.on {
            return Ok(());
        }
        let (Some(turning), turn) = (self.hub.turn(&caller.key()), self.fresh("trn")) else {
            return Ok(());
        };
        if store
            .take_turn(id, &turn, self.now(), TURN_LASTS)
            .await
            .map_err(internal)?
        {
            self.begin_turn(caller.clone(), id.to_owned(), turn, turning);
        }
        Ok(())
    }

    /// Goes on with cards that a process left behind, and notices what staff have put right since.
    pub async fn resume(self: &Arc<Self>, caller: &Caller, cards: &[Proposal]) {
        for card in cards.iter().filter(|card| card.owner == caller.key()) {
            if card.state.under_way() {
                self.begin_settling(caller.clone(), card.id.clone());
            } else if card.state == ProposalState::NeedsAttention
                && let Some(id) = &card.execution_id
                && let Some(view) = self.parts.watch.execution(caller, id).await
                && let Some(event @ (ProposalEvent::Complete | ProposalEvent::Undo)) = ended(&view)
                && let Err(error) = self.parts.store.move_card(&card.id, event, None).await
            {
                tracing::warn!(%error, "a repaired proposal could not be updated");
            }
        }
    }

    /// Goes on with what people said yes to, whether or not they look again. Staff do so in the
    /// role they have now.
    pub async fn take_up(self: &Arc<Self>) -> Result<(), ErrorCode> {
        for card in self.parts.store.cards_under_way().await.map_err(internal)? {
            if let Some(caller) = self.owner(&card.owner).await? {
                self.begin_settling(caller, card.id);
            }
        }
        Ok(())
    }

    /// Who that key stands for; nobody whose account was shut.
    async fn owner(&self, key: &str) -> Result<Option<Caller>, ErrorCode> {
        if let Some(email) = key.strip_prefix("guest:") {
            return Ok(Some(Caller::guest(email, Interface::Chat)));
        }
        let Some(email) = key.strip_prefix("staff:") else {
            return Ok(None);
        };
        let account = self
            .parts
            .store
            .staff_by_email(email)
            .await
            .map_err(internal)?;
        let role = account
            .filter(|account| !account.disabled)
            .and_then(|account| Role::from_name(&account.role));
        Ok(role.map(|role| Caller::staff(email, role, Interface::Chat)))
    }
}

fn late(card: &Proposal) -> jiff::Timestamp {
    card.expires_at
        .checked_add(TOO_LATE)
        .unwrap_or(card.expires_at)
}

fn ended(view: &ExecutionView) -> Option<ProposalEvent> {
    Some(match view.state.as_str() {
        "completed" => ProposalEvent::Complete,
        "compensated" => ProposalEvent::Undo,
        "refused" => ProposalEvent::Refuse,
        "needs_attention" | "settled_by_hand" => ProposalEvent::GetStuck,
        _ => return None,
    })
}
