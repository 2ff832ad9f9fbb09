//! The model's turn: it is asked, its calls are carried out or become cards, it is asked again,
//! until it has answered in words. Rounds, tokens and time are bounded here. Every round begins by
//! making the turn's hold longer; whoever lost it is silent.

mod length;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use dewy_domain::{
    caller::{Caller, Persona},
    concierge::{CallAsked, Entry},
    error_code::ErrorCode,
    ports::{ModelAnswer, ModelMessage, ModelRequest, ModelTrouble},
};
use futures::{FutureExt, join, try_join};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    broadcast::{Room, Turning},
    commands::TURN_LASTS,
    history, offer,
    service::{Inner, internal},
};

/// How often one request is tried where trying again may help.
const TRIES: u32 = 3;
/// Before the second try; doubled before the third.
const PAUSE: Duration = Duration::from_millis(400);
/// The longest answer, in tokens.
const MOST_TOKENS: u32 = 1500;
/// So many troubles in a row, and a person is called.
const ENOUGH: usize = 2;

/// How a round ended.
enum Round {
    /// The model wants to go on after its calls.
    Again,
    /// The turn is over.
    Over,
    /// In trouble; in words for the person.
    Trouble(&'static str),
}

/// How asking the model ended.
enum Asked {
    Answer(ModelAnswer),
    /// With what was said until then.
    Stopped(String),
    Late,
    Trouble(ModelTrouble),
}

impl Inner {
    /// Runs a turn that was taken, in a task of its own: whoever hangs up does not stop it.
    pub fn begin_turn(
        self: &Arc<Self>,
        caller: Caller,
        id: String,
        turn: String,
        turning: Turning,
    ) {
        let me = Arc::clone(self);
        tokio::spawn(async move {
            let room = me.hub.room(&id);
            let rounds = AssertUnwindSafe(me.rounds(&caller, &id, &turn, &room)).catch_unwind();
            match rounds.await {
                Ok(Ok(())) => {}
                Ok(Err(code)) => {
                    tracing::error!(conversation = %id, code = code.code(), "the concierge's turn failed")
                }
                Err(_) => {
                    tracing::error!(conversation = %id, "the concierge's turn panicked; it can be retried")
                }
            }
            drop(turning);
            if let Err(error) = me.parts.store.end_turn(&id, Some(&turn)).await {
                tracing::warn!(%error, "a turn could not be ended; it will expire");
            }
            room.written(&turn);
        });
    }

    async fn rounds(
        self: &Arc<Self>,
        caller: &Caller,
        id: &str,
        turn: &str,
        room: &Room,
    ) -> Result<(), ErrorCode> {
        let stop = room.stoppable();
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
            // All that is read before the model can be asked, at once: the person waits for its
            // first word
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
                self.said_so_far(id)
            );
            // Stopped, handed over, or switched off: not a word more
            if !on? {
                return Ok(());
            }
            if let Some(words) = over? {
                return self.trouble(caller, id, turn, words).await;
            }
            instructions = stay
                .map(|stay| self.instructions(caller, &stay))
                .or(instructions);
            let request = request(
                caller,
                id,
                instructions.clone().into_iter().chain(said?).collect(),
            );
            let size = length::of(&request);
            let asked_at = self.now();
            let left = until
                .duration_since(asked_at)
                .try_into()
                .unwrap_or(Duration::ZERO);
            let asked = tokio::select! {
                biased;
                () = stop.cancelled() => Asked::Stopped(room.words(turn)),
                () = self.parts.clock.sleep(left) => Asked::Late,
                asked = self.ask(caller, request, turn, room) => asked,
            };
            let millis =
                u64::try_from(self.now().duration_since(asked_at).as_millis()).unwrap_or(0);
            // What was asked for is paid for, also where nobody heard the end of it
            let heard = match &asked {
                Asked::Answer(answer) => answer.clone(),
                Asked::Stopped(text) => ModelAnswer {
                    text: text.clone(),
                    ..ModelAnswer::default()
                },
                Asked::Late | Asked::Trouble(_) => ModelAnswer {
                    text: room.words(turn),
                    ..ModelAnswer::default()
                },
            };
            tokens += self
                .spend(caller, size, &heard, u64::from(round == 0), millis)
                .await
                .tokens();
            match self.take(caller, id, turn, room, asked).await? {
                Round::Again => {}
                Round::Over => return Ok(()),
                Round::Trouble(words) => return self.trouble(caller, id, turn, words).await,
            }
        }
        self.trouble(
            caller,
            id,
            turn,
            "I could not bring this to an end. Please say it in smaller steps.",
        )
        .await
    }

    /// Makes the turn last longer; false when it is nobody's to go on with any more.
    async fn still_on(&self, id: &str, turn: &str) -> Result<bool, ErrorCode> {
        let mine = self
            .parts
            .store
            .renew_turn(id, turn, self.now(), TURN_LASTS)
            .await
            .map_err(internal)?;
        Ok(mine && self.switch().await?.on)
    }

    async fn said_so_far(&self, id: &str) -> Result<Vec<ModelMessage>, ErrorCode> {
        let (entries, cards) = try_join!(self.parts.store.entries(id), self.parts.store.cards(id))
            .map_err(internal)?;
        Ok(history::messages(&entries, &cards, self.now()))
    }

    /// Asks, and asks again where that may help. What was heard before a break counts for nothing.
    async fn ask(&self, caller: &Caller, request: ModelRequest, turn: &str, room: &Room) -> Asked {
        let mut pause = PAUSE;
        for attempt in 1.. {
            room.begin(turn);
            let hear = |words: &str| room.hear(turn, words);
            match self.parts.model.answer(request.clone(), &hear).await {
                Ok(answer) => return Asked::Answer(answer),
                Err(trouble) => {
                    tracing::warn!(%trouble, attempt, "the model did not answer");
                    if !trouble.passing() || attempt >= TRIES {
                        return Asked::Trouble(trouble);
                    }
                    if matches!(trouble, ModelTrouble::Broken(_)) {
                        let size = length::of(&request);
                        let heard = ModelAnswer {
                            text: room.words(turn),
                            ..ModelAnswer::default()
                        };
                        self.spend(caller, size, &heard, 0, 0).await;
                    }
                    if let ModelTrouble::Busy { after: Some(after) } = trouble {
                        pause = pause.max(after.min(Duration::from_secs(5)));
                    }
                }
            }
            self.parts.clock.sleep(pause).await;
            pause *= 2;
        }
        Asked::Late
    }

    async fn take(
        self: &Arc<Self>,
        caller: &Caller,
        id: &str,
        turn: &str,
        room: &Room,
        asked: Asked,
    ) -> Result<Round, ErrorCode> {
        let answer = match asked {
            Asked::Answer(answer) => answer,
            Asked::Stopped(text) => {
                self.stopped(id, &text).await?;
                return Ok(Round::Over);
            }
            Asked::Late => {
                return Ok(Round::Trouble(
                    "I took too long and stopped. Please ask again.",
                ));
            }
            Asked::Trouble(ModelTrouble::Busy { .. }) => {
                return Ok(Round::Trouble(
                    "I am very busy right now. Please ask again in a moment.",
                ));
            }
            Asked::Trouble(ModelTrouble::Refused { .. }) => {
                return Ok(Round::Trouble(
                    "I cannot answer this. Our pages and the front desk can do everything I can.",
                ));
            }
            Asked::Trouble(ModelTrouble::Broken(_)) => {
                return Ok(Round::Trouble(
                    "My line broke before the answer was complete. Nothing was lost; please ask again.",
                ));
            }
        };
        // Stopped elsewhere, switched off or handed over meanwhile: not a word more, and nothing is
        // begun
        if !self
            .parts
            .store
            .has_turn(id, turn)
            .await
            .map_err(internal)?
        {
            self.stopped(id, &answer.text).await?;
            return Ok(Round::Over);
        }
        if answer.calls.is_empty() {
            let text = if answer.cut {
                format!("{} …", answer.text.trim_end())
            } else {
                answer.text
            };
            self.add(
                id,
                &Entry::Answered {
                    text: text.trim().to_owned(),
                    stopped: false,
                },
            )
            .await?;
            room.written(turn);
            return Ok(Round::Over);
        }
        let calls: Vec<CallAsked> = answer
            .calls
            .iter()
            .map(|call| CallAsked {
                id: call.id.clone(),
                tool: call.name.clone(),
                arguments: arguments(&call.arguments),
            })
            .collect();
        self.add(
            id,
            &Entry::Asked {
                text: answer.text.trim().to_owned(),
                calls: calls.clone(),
            },
        )
        .await?;
        room.written(turn);
        self.act(caller, id, turn, calls).await?;
        Ok(Round::Again)
    }

    /// What was said until it was stopped stays.
    async fn stopped(&self, id: &str, text: &str) -> Result<(), ErrorCode> {
        let text = text.trim().to_owned();
        let silent = self.parts.store.conversation(id).await.map_err(internal)?;
        let handed = silent.is_none_or(|c| c.standing != dewy_domain::concierge::Standing::Model);
        if !handed {
            self.add(
                id,
                &Entry::Answered {
                    text,
                    stopped: true,
                },
            )
            .await?;
        }
        Ok(())
    }

    /// Says what went wrong. After several in a row a person is called, for guests.
    async fn trouble(
        &self,
        caller: &Caller,
        id: &str,
        turn: &str,
        words: &str,
    ) -> Result<(), ErrorCode> {
        self.add(
            id,
            &Entry::Trouble {
                text: words.to_owned(),
            },
        )
        .await?;
        let entries = self.parts.store.entries(id).await.map_err(internal)?;
        let troubles = entries
            .iter()
            .rev()
            .take_while(|placed| {
                !matches!(
                    placed.entry,
                    Entry::Answered { .. } | Entry::HandedBack { .. }
                )
            })
            .filter(|placed| matches!(placed.entry, Entry::Trouble { .. }))
            .count();
        if troubles > ENOUGH && caller.persona == Persona::Guest {
            self.parts
                .store
                .end_turn(id, Some(turn))
                .await
                .map_err(internal)?;
            self.hand_over(
                caller,
                id,
                "The concierge failed several times in a row.",
                None,
            )
            .await?;
        }
        Ok(())
    }

    /// Puts something down and rings.
    pub async fn add(&self, id: &str, entry: &Entry) -> Result<(), ErrorCode> {
        self.parts
            .store
            .add_entry(id, self.now(), None, entry)
            .await
            .map_err(internal)?;
        self.hub.room(id).ring();
        Ok(())
    }
}

/// What it is asked. By a name that leads to nobody: not even a digest of an address is given away.
fn request(caller: &Caller, conversation: &str, messages: Vec<ModelMessage>) -> ModelRequest {
    ModelRequest {
        messages,
        tools: offer::tools(caller),
        most_tokens: MOST_TOKENS,
        person: conversation.to_owned(),
    }
}

/// As it wrote them, without what nobody can see; text where they are no JSON, so that everybody
/// can see what it was.
fn arguments(text: &str) -> Value {
    let written = if text.trim().is_empty() {
        json!({})
    } else {
        serde_json::from_str(text).unwrap_or_else(|_| json!(text))
    };
    history::seen(&written)
}
