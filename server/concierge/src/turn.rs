//! Turn of the model: it is asked, its calls are executed or become proposals, and it is asked
//! again until it answers with text. Rounds, tokens and time are limited. Every round starts by
//! renewing the turn's lease; a turn that lost it writes nothing more.

mod failure_text;
mod model_request;
mod request_size;
mod turn_failure;
mod unchanged_note;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use dewy_domain::{
    blank_text::is_blank,
    caller::Caller,
    concierge::{Entry, RequestedCall},
    payment_card_number::{fields_with_card_number, without_card_numbers},
    ports::{ModelAnswer, ModelMessage},
    said,
    sentence::Sentence,
};
use futures::{FutureExt, join, try_join};
use jiff::Timestamp;
use serde_json::{Value, json};

use self::model_request::{ModelOutcome, request};
use crate::{
    concierge_service::Inner,
    conversation_commands::TURN_LEASE,
    failure::Failure,
    live_conversations::{LiveConversation, TurnGuard},
    model_history,
    proposal_guard::without_unasked_offers,
};

enum Round {
    /// The model continues after its calls.
    Again,
    Over,
    /// Failed; message for the person.
    Trouble(Sentence),
}

impl Inner {
    /// Runs a turn whose lease was taken, in its own task: a disconnect doesn't stop it.
    pub fn begin_turn(
        self: &Arc<Self>,
        caller: Caller,
        id: String,
        turn: String,
        turning: TurnGuard,
    ) {
        let me = Arc::clone(self);
        tokio::spawn(async move {
            let room = me.hub.room(&id);
            // A tool's panic is answered by the call boundary. This one is of the loop itself
            // (history, prompt, answer of the model), which no call contains: the turn must end
            // here, or the person would wait until its lease expires.
            let rounds = AssertUnwindSafe(me.rounds(&caller, &id, &turn, &room)).catch_unwind();
            match rounds.await {
                Ok(Ok(())) => {}
                Ok(Err(Failure(code))) => {
                    tracing::error!(conversation = %id, code = code.code(), "the concierge's turn failed")
                }
                Err(_) => {
                    tracing::error!(conversation = %id, "the concierge's turn panicked; it can be retried")
                }
            }
            drop(turning);
            if let Err(error) = me.store().end_turn(&id, Some(&turn)).await {
                tracing::warn!(%error, "a turn could not be ended; it will expire");
            }
            room.clear_stored_text(&turn);
        });
    }

    async fn rounds(
        self: &Arc<Self>,
        caller: &Caller,
        id: &str,
        turn: &str,
        room: &LiveConversation,
    ) -> Result<(), Failure> {
        let stop = room.new_cancellation_token();
        let budget = self.parts.settings.budget;
        let until = self
            .now()
            .checked_add(Duration::from_secs(budget.seconds_per_turn))
            .unwrap_or(Timestamp::MAX);
        let mut instructions = None;
        let mut tokens = 0;
        for round in 0..budget.rounds_per_turn {
            if tokens >= budget.tokens_per_turn {
                break;
            }
            // Everything needed before the model can be asked, read in parallel: the person waits
            // for the first word
            let stay = async {
                if round == 0 {
                    Some(self.stay(caller).await)
                } else {
                    None
                }
            };
            let (on, over, stay, said) = join!(
                self.still_on(id, turn),
                self.over_budget(caller),
                stay,
                self.messages_so_far(id)
            );
            // Stopped, handed over, or switched off: write nothing more
            if !on? {
                return Ok(());
            }
            if let Some(words) = over? {
                return self.report_failure(caller, id, turn, words).await;
            }
            let said = said?;
            instructions = stay
                .map(|stay| self.instructions(caller, &stay, &said))
                .or(instructions);
            let request = request(
                caller,
                id,
                instructions.clone().into_iter().chain(said).collect(),
            );
            let size = request_size::of(&request);
            let asked_at = self.now();
            let left = until
                .duration_since(asked_at)
                .try_into()
                .unwrap_or(Duration::ZERO);
            let asked = tokio::select! {
                biased;
                () = stop.cancelled() => ModelOutcome::Stopped(room.partial_text(turn)),
                () = self.parts.clock.sleep(left) => ModelOutcome::Late,
                asked = self.request_answer(caller, request, (turn, until), room) => asked,
            };
            let millis =
                u64::try_from(self.now().duration_since(asked_at).as_millis()).unwrap_or(0);
            // What was cut off is paid for as far as it came; what was not answered is not
            let partial = |text: String| ModelAnswer {
                text,
                ..ModelAnswer::default()
            };
            let answer = match &asked {
                ModelOutcome::Answer(answer) => answer.clone(),
                ModelOutcome::Stopped(text) => partial(text.clone()),
                ModelOutcome::Late | ModelOutcome::Trouble(_) => partial(room.partial_text(turn)),
            };
            if matches!(asked, ModelOutcome::Answer(_)) || !is_blank(&answer.text) {
                let first = u64::from(round == 0);
                let used = self
                    .record_usage(caller, size, &answer, first, millis)
                    .await;
                tokens += used.tokens();
            }
            match self.process_answer(caller, id, turn, room, asked).await? {
                Round::Again => {}
                Round::Over => return Ok(()),
                Round::Trouble(words) => {
                    return self.report_failure(caller, id, turn, words).await;
                }
            }
        }
        self.report_failure(caller, id, turn, said!("talk-steps"))
            .await
    }

    /// Renews the turn's lease; false when the turn must end.
    async fn still_on(&self, id: &str, turn: &str) -> Result<bool, Failure> {
        let mine = self
            .store()
            .renew_turn(id, turn, self.now(), TURN_LEASE)
            .await?;
        Ok(mine && self.switch().await?.on)
    }

    async fn messages_so_far(&self, id: &str) -> Result<Vec<ModelMessage>, Failure> {
        let (entries, proposals) = try_join!(self.store().entries(id), self.store().proposals(id))?;
        Ok(model_history::messages(&entries, &proposals, self.now()))
    }

    async fn process_answer(
        self: &Arc<Self>,
        caller: &Caller,
        id: &str,
        turn: &str,
        room: &LiveConversation,
        asked: ModelOutcome,
    ) -> Result<Round, Failure> {
        let answer = match asked {
            ModelOutcome::Answer(answer) => answer,
            ModelOutcome::Stopped(text) => {
                self.stopped(id, &text).await?;
                return Ok(Round::Over);
            }
            ModelOutcome::Late => {
                return Ok(Round::Trouble(said!("talk-late")));
            }
            ModelOutcome::Trouble(error) => {
                return Ok(Round::Trouble(failure_text::of(&error, caller.persona)));
            }
        };
        // Stopped elsewhere, switched off or handed over meanwhile: write nothing more and start
        // nothing
        if !self.store().has_turn(id, turn).await? {
            self.stopped(id, &answer.text).await?;
            return Ok(Round::Over);
        }
        let (entries, proposals) = try_join!(self.store().entries(id), self.store().proposals(id))?;
        let text = without_card_numbers(answer.text.trim());
        let text = without_unasked_offers(text, caller.persona, &entries);
        if answer.calls.is_empty() {
            if answer.truncated && text.is_empty() {
                return Ok(Round::Trouble(said!("talk-cut-at-once")));
            }
            let (text, note) = match answer.truncated {
                true => (format!("{text} …"), Some(said!("talk-cut"))),
                false if text.is_empty() && !answer.text.trim().is_empty() => {
                    (text, Some(said!("talk-unoffered")))
                }
                false => {
                    let under_way = proposals.iter().any(|one| one.state.under_way());
                    let note = unchanged_note::of(&text, caller.persona, &entries, under_way);
                    (text, note)
                }
            };
            let lines = Some(text).filter(|text| !text.is_empty());
            let lines: Vec<_> = lines
                .into_iter()
                .chain(note.as_ref().map(Sentence::to_string))
                .collect();
            let entry = Entry::Answered {
                text: lines.join("\n"),
                stopped: false,
                opaque: without_card(answer.opaque),
                said: note.into_iter().collect(),
            };
            self.add(id, entry).await?;
            room.clear_stored_text(turn);
            return Ok(Round::Over);
        }
        let calls: Vec<RequestedCall> = answer
            .calls
            .iter()
            .map(|call| RequestedCall {
                id: call.id.clone(),
                tool: call.name.clone(),
                arguments: arguments(&call.arguments),
            })
            .collect();
        let entry = Entry::Asked {
            text,
            calls: calls.clone(),
            opaque: without_card(answer.opaque),
        };
        self.add(id, entry).await?;
        room.clear_stored_text(turn);
        self.run_tool_calls(caller, id, turn, calls).await?;
        Ok(Round::Again)
    }

    /// Keeps the text written before the stop.
    async fn stopped(&self, id: &str, text: &str) -> Result<(), Failure> {
        let text = without_card_numbers(text.trim());
        let silent = self.store().conversation(id).await?;
        let handed = silent.is_none_or(|c| c.responder != dewy_domain::concierge::Responder::Model);
        if !handed {
            let entry = Entry::Answered {
                text,
                stopped: true,
                opaque: Value::Null,
                said: Vec::new(),
            };
            self.add(id, entry).await?;
        }
        Ok(())
    }

    /// Appends an entry and notifies.
    pub async fn add(&self, id: &str, entry: Entry) -> Result<(), Failure> {
        self.store().add_entry(id, self.now(), None, &entry).await?;
        self.hub.room(id).notify();
        Ok(())
    }
}

/// Opaque parts of an answer, which can't be changed: none if a payment card number is in them.
fn without_card(opaque: Value) -> Value {
    if fields_with_card_number(&opaque).is_empty() {
        opaque
    } else {
        Value::Null
    }
}

/// Arguments as the model wrote them, without invisible characters; text if they are not JSON, so
/// that everybody can see them. Some servers send none as `null` or an empty list, and some models
/// write the object as a string once more.
fn arguments(text: &str) -> Value {
    let parsed = |text: &str| serde_json::from_str(text).ok();
    let written = match parsed(text) {
        _ if text.trim().is_empty() => json!({}),
        Some(Value::Null) => json!({}),
        Some(Value::Array(items)) if items.is_empty() => json!({}),
        Some(Value::String(inner)) => {
            let object = parsed(&inner).filter(Value::is_object);
            object.unwrap_or(Value::String(inner))
        }
        Some(written) => written,
        None => json!(text),
    };
    model_history::visible_to_model(&written)
}
