//! A card that was said yes to, carried out: the same token however often it is tried, followed to its end, then explained.
//!
//! The process may die at any moment. Whoever opens the conversation next goes on from the stored state: an execution that has
//! begun is found by the card's token; one that has not is begun under it.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    answer::{Settled, ToolAnswer},
    caller::Caller,
    concierge::{Card, CardEvent, CardState, Entry, Standing},
    error_code::ErrorCode,
    tool::ToolCall,
    view::ExecutionView,
};
use jiff::SignedDuration;
use serde_json::Value;

use crate::{
    decide::with_choice,
    hub::Settling,
    say::TURN_LASTS,
    service::{Inner, internal},
};

/// One look at an execution that is under way.
const LOOK: Duration = Duration::from_secs(15);
/// A yes whose execution never began is not begun later than this after it was last possible: the person has moved on.
const TOO_LATE: SignedDuration = SignedDuration::from_mins(5);

/// How it ended.
struct End {
    event: CardEvent,
    answer: Value,
    execution_id: Option<String>,
}

impl Inner {
    /// Carries a confirmed card out in a task of its own, unless this process does so already.
    pub fn begin_settling(self: &Arc<Self>, caller: Caller, card: String) {
        let Some(settling) = self.hub.settle(&card) else { return };
        let me = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(code) = me.settle(&caller, &card, settling).await {
                tracing::error!(%card, code = code.code(), "a card could not be carried out; it goes on when it is looked at next");
            }
        });
    }

    async fn settle(self: &Arc<Self>, caller: &Caller, card: &str, settling: Settling) -> Result<(), ErrorCode> {
        let Some(card) = self.parts.store.card(card).await.map_err(internal)? else { return Ok(()) };
        let state = card.state;
        let end = match self.parts.watch.begun_with(caller, &card.token()).await {
            Some(view) => self.follow(caller, &card, view).await?,
            None if state == CardState::Confirmed && self.now() <= late(&card) => {
                self.begin_execution(caller, &card).await?
            }
            None if state == CardState::Confirmed => {
                let end = End { event: CardEvent::Expire, answer: Value::Null, execution_id: None };
                Some(end)
            }
            None => None,
        };
        if let Some(end) = end {
            self.end(caller, &card, end).await?;
        }
        drop(settling);
        Ok(())
    }

    async fn begin_execution(&self, caller: &Caller, card: &Card) -> Result<Option<End>, ErrorCode> {
        let call = ToolCall {
            tool: card.tool.clone(),
            input: with_choice(card),
            idempotency_token: Some(card.token()),
            wait: Some(Duration::ZERO),
        };
        let answer = self.parts.dispatcher.dispatch(caller, call).await;
        let body = answer.body(caller.persona);
        match answer {
            ToolAnswer::Settled { settled, execution_id, .. } => {
                let event = match &settled {
                    Settled::Done { .. } => CardEvent::Complete,
                    Settled::Failed { code: ErrorCode::CheckoutCompensated, .. } => CardEvent::Undo,
                    // Nothing was charged: a page is named on which a card is chosen
                    Settled::Failed { .. } | Settled::ActionNeeded { .. } => CardEvent::Refuse,
                };
                Ok(Some(End { event, answer: body, execution_id }))
            }
            ToolAnswer::Pending { execution_id, .. } => match self.parts.watch.execution(caller, &execution_id).await {
                Some(view) => self.follow(caller, card, view).await,
                None => Ok(None),
            },
        }
    }

    /// Follows an execution until it rests; its steps are live on the card meanwhile.
    async fn follow(&self, caller: &Caller, card: &Card, mut view: ExecutionView) -> Result<Option<End>, ErrorCode> {
        let id = view.execution_id.clone();
        self.parts.store.move_card(&card.id, CardEvent::Begin, Some(&id)).await.map_err(internal)?;
        let room = self.hub.room(&card.conversation);
        while !view.at_rest {
            room.ring();
            let Some(next) = self.parts.watch.changed(caller, &id, view.seq, LOOK).await else { return Ok(None) };
            view = next;
        }
        Ok(ended(&view).map(|event| End { event, answer: view.answer.unwrap_or_default(), execution_id: Some(id) }))
    }

    /// Stores the end, then lets the model explain it.
    async fn end(self: &Arc<Self>, caller: &Caller, card: &Card, end: End) -> Result<(), ErrorCode> {
        let store = &self.parts.store;
        let moved = store.move_card(&card.id, end.event, end.execution_id.as_deref()).await.map_err(internal)?;
        let Some(now) = store.card(&card.id).await.map_err(internal)?.filter(|_| moved) else { return Ok(()) };
        let id = &card.conversation;
        let entry = Entry::Decided {
            card: card.id.clone(),
            call_id: card.call_id.clone(),
            state: now.state,
            answer: end.answer,
            execution_id: end.execution_id,
        };
        self.add(id, &entry).await?;
        let Some(conversation) = store.conversation(id).await.map_err(internal)? else { return Ok(()) };
        if conversation.standing == Standing::Model && self.switch().await?.on {
            let turn = self.fresh("trn");
            if store.take_turn(id, &turn, self.now(), TURN_LASTS).await.map_err(internal)? {
                self.begin_turn(caller.clone(), id.clone(), turn);
            }
        }
        Ok(())
    }

    /// Goes on with cards that a process left behind, and notices what staff have put right since.
    pub async fn resume(self: &Arc<Self>, caller: &Caller, cards: &[Card]) {
        for card in cards.iter().filter(|card| card.owner == caller.key()) {
            if card.state.under_way() {
                self.begin_settling(caller.clone(), card.id.clone());
            } else if card.state == CardState::NeedsAttention
                && let Some(id) = &card.execution_id
                && let Some(view) = self.parts.watch.execution(caller, id).await
                && let Some(event @ (CardEvent::Complete | CardEvent::Undo)) = ended(&view)
                && let Err(error) = self.parts.store.move_card(&card.id, event, None).await
            {
                tracing::warn!(%error, "a card that was put right could not be moved");
            }
        }
    }
}

fn late(card: &Card) -> jiff::Timestamp {
    card.expires_at.checked_add(TOO_LATE).unwrap_or(card.expires_at)
}

fn ended(view: &ExecutionView) -> Option<CardEvent> {
    Some(match view.state.as_str() {
        "completed" => CardEvent::Complete,
        "compensated" => CardEvent::Undo,
        "refused" => CardEvent::Refuse,
        "needs_attention" => CardEvent::GetStuck,
        _ => return None,
    })
}
