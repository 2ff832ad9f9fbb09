//! Hotel whose concierge follows a script instead of a model.

use std::{
    collections::VecDeque,
    num::NonZeroU32,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use dewy_concierge::{ConciergeService, Parts, Settings};
use dewy_connectors::{ChatModel, ModelConfig, OsEntropy, RealClock};
use dewy_domain::{
    caller::{Caller, Interface, Role},
    concierge::{ConversationItem, ConversationView, LiveState, ProposalState, ProposalView},
    error_code::ErrorCode,
    ports::{Clock, Concierge, Decision, Model, ModelAnswer, ModelCall, ModelError, ModelRequest},
};
use serde_json::{Value, json};

use crate::test_hotel::TestHotel;

/// What the model does when it is asked next.
#[derive(Clone, Debug)]
pub enum ScriptStep {
    /// It says so.
    Words(&'static str),
    /// It asks for these calls, side by side.
    Calls(Vec<(&'static str, Value)>),
    /// The same, with arguments as it wrote them.
    Raw(&'static str, &'static str),
    /// Sends this text, then hangs.
    Hangs(&'static str),
    /// It says so and breaks off.
    Breaks(&'static str),
    /// It is busy.
    Busy,
    /// It refuses.
    Refuses,
}

/// The script. When it is at its end, the model says "Fine.".
#[derive(Debug, Default)]
pub struct Script {
    lines: Mutex<VecDeque<ScriptStep>>,
    pub asked: Mutex<Vec<ModelRequest>>,
}

#[async_trait]
impl Model for Script {
    async fn answer(
        &self,
        request: ModelRequest,
        hear: &(dyn for<'a> Fn(&'a str) + Send + Sync),
    ) -> Result<ModelAnswer, ModelError> {
        let n = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(request);
            asked.len()
        };
        let line = self
            .lines
            .lock()
            .unwrap()
            .pop_front()
            .unwrap_or(ScriptStep::Words("Fine."));
        let call = |at: usize, name: &str, arguments: String| ModelCall {
            id: format!("call_{n}_{at}"),
            name: name.to_owned(),
            arguments,
        };
        let mut answer = ModelAnswer {
            input_tokens: 100,
            output_tokens: 10,
            ..ModelAnswer::default()
        };
        match line {
            ScriptStep::Words(words) => {
                for word in words.split_inclusive(' ') {
                    hear(word);
                }
                words.clone_into(&mut answer.text);
            }
            ScriptStep::Calls(calls) => {
                let calls = calls.iter().enumerate();
                answer.calls = calls
                    .map(|(at, (name, arguments))| call(at, name, arguments.to_string()))
                    .collect();
            }
            ScriptStep::Raw(name, arguments) => {
                answer.calls = vec![call(0, name, arguments.to_owned())]
            }
            ScriptStep::Hangs(words) => {
                hear(words);
                RealClock.sleep(Duration::from_secs(600)).await;
            }
            ScriptStep::Breaks(words) => {
                hear(words);
                return Err(ModelError::Broken("cut".to_owned()));
            }
            ScriptStep::Busy => {
                return Err(ModelError::Busy {
                    status: 429,
                    reason: "slow down".to_owned(),
                    after: None,
                });
            }
            ScriptStep::Refuses => {
                return Err(ModelError::Refused {
                    status: 401,
                    reason: "no".to_owned(),
                });
            }
        }
        Ok(answer)
    }

    fn name(&self) -> &str {
        "script"
    }

    fn offline(&self) -> bool {
        true
    }
}

/// A hotel and its concierge.
pub struct ScriptedHotel {
    pub hotel: TestHotel,
    pub script: Arc<Script>,
    pub concierge: ConciergeService,
    pub settings: Settings,
}

impl ScriptedHotel {
    pub async fn open(lines: Vec<ScriptStep>) -> Self {
        let settings = Settings {
            messages_at_once: NonZeroU32::MIN.saturating_add(9_999),
            ..Settings::default()
        };
        Self::with(lines, settings).await
    }

    pub async fn with(lines: Vec<ScriptStep>, settings: Settings) -> Self {
        Self::inside(TestHotel::open().await, lines, settings)
    }

    /// In this hotel.
    pub fn inside(hotel: TestHotel, lines: Vec<ScriptStep>, settings: Settings) -> Self {
        let script = Arc::new(Script {
            lines: Mutex::new(lines.into()),
            ..Script::default()
        });
        let concierge = concierge(&hotel, Arc::clone(&script) as _, &settings);
        Self {
            hotel,
            script,
            concierge,
            settings,
        }
    }

    /// With the sandbox's model instead of a script.
    pub async fn offline() -> Self {
        let mut scripted = Self::open(vec![]).await;
        let sandbox = scripted.hotel.server.sandbox_url.as_deref().unwrap();
        let config = ModelConfig {
            base_url: format!("{sandbox}/v1"),
            api_key: "sandbox".into(),
            model: "dewy-offline".to_owned(),
            silence: Duration::from_secs(60),
            answer_tokens: 1_500,
            reasoning_tokens: 0,
            reasoning_effort: None,
            offline: true,
        };
        let model = ChatModel::new(config, Arc::new(RealClock)).unwrap();
        scripted.concierge = concierge(&scripted.hotel, Arc::new(model), &scripted.settings);
        scripted
    }

    /// The same in a conversation of its own, after the person has deleted the others.
    pub async fn say_anew(&self, caller: &Caller, words: &str) -> ConversationView {
        let id = self.concierge.conversation(caller, None).await.unwrap().id;
        if !id.is_empty() {
            self.concierge.delete(caller, &id).await.unwrap();
        }
        self.say(caller, words).await
    }

    /// The process that held the conversations is gone; another one opens the same store.
    pub fn restart(&mut self) {
        self.concierge = concierge(&self.hotel, Arc::clone(&self.script) as _, &self.settings);
    }

    /// Another process of the same house.
    pub fn projections(&self) -> ConciergeService {
        concierge(&self.hotel, Arc::clone(&self.script) as _, &self.settings)
    }

    pub fn then(&self, lines: Vec<ScriptStep>) {
        self.script.lines.lock().unwrap().extend(lines);
    }

    /// Says something and waits for the end of the turn.
    pub async fn say(&self, caller: &Caller, words: &str) -> ConversationView {
        let thread = self.concierge.conversation(caller, None).await.unwrap();
        let id = Some(thread.id.as_str()).filter(|id| !id.is_empty());
        let token = format!("t{}", thread.seq);
        let id = self
            .concierge
            .post_message(caller, id, &token, words)
            .await
            .unwrap_or_else(|code| panic!("{code:?}: {token} {words}"));
        self.quiet(caller, &id).await
    }

    /// Waits until the model is silent, and nothing runs.
    pub async fn quiet(&self, caller: &Caller, id: &str) -> ConversationView {
        let mut seen = LiveState::unseen();
        for _ in 0..600 {
            let live = self
                .concierge
                .changed(caller, id, &seen, Duration::from_millis(100))
                .await
                .unwrap();
            let thread = self.concierge.conversation(caller, Some(id)).await.unwrap();
            let running = proposals(&thread)
                .iter()
                .any(|proposal| proposal.state.under_way());
            if !live.busy && !running && !live.differs(&seen) {
                return thread;
            }
            seen = live;
        }
        panic!("it never became quiet");
    }

    pub async fn decide(
        &self,
        caller: &Caller,
        proposal: &ProposalView,
        yes: bool,
        choice: Option<&str>,
    ) -> Result<ConversationView, ErrorCode> {
        let decision = Decision {
            proposal: proposal.id.clone(),
            nonce: proposal.nonce.clone(),
            yes,
            choice: choice.map(str::to_owned),
        };
        let id = self.concierge.decide(caller, &decision).await?;
        Ok(self.quiet(caller, &id).await)
    }

    /// Payments that took money.
    pub fn charges(&self) -> usize {
        let state = self.hotel.state();
        let all = state["stripe"]["payment_intents"].as_array().unwrap();
        all.iter()
            .filter(|one| one["status"] == "succeeded")
            .count()
    }

    /// Everything of the outside systems that an act could have changed.
    pub fn ledger(&self) -> Value {
        let state = self.hotel.state();
        json!([
            state["salesforce"],
            state["stripe"]["payment_intents"],
            state["stripe"]["refunds"],
            state["twilio"]
        ])
    }
}

fn concierge(hotel: &TestHotel, model: Arc<dyn Model>, settings: &Settings) -> ConciergeService {
    let server = &hotel.server;
    ConciergeService::new(Parts {
        store: server.store.clone(),
        model,
        dispatcher: Arc::clone(&server.hotel) as _,
        confirmations: Arc::clone(&server.hotel) as _,
        execution_feed: Arc::clone(&server.hotel) as _,
        clock: Arc::new(RealClock),
        entropy: Arc::new(OsEntropy),
        settings: settings.clone(),
    })
}

pub fn beth() -> Caller {
    Caller::guest("beth.gibbs@email.com", Interface::Form)
}

pub fn sarah() -> Caller {
    Caller::guest("sarah@example.com", Interface::Form)
}

pub fn front_desk() -> Caller {
    Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form)
}

pub fn manager() -> Caller {
    Caller::staff("manager@dewy.example", Role::Manager, Interface::Form)
}

pub fn proposals(thread: &ConversationView) -> Vec<ProposalView> {
    let cards = thread.items.iter().filter_map(|item| match item {
        ConversationItem::Proposal(card) => Some((**card).clone()),
        _ => None,
    });
    cards.collect()
}

pub fn states(thread: &ConversationView) -> Vec<ProposalState> {
    proposals(thread)
        .into_iter()
        .map(|proposal| proposal.state)
        .collect()
}

/// Everything said and done, a line each.
pub fn lines(thread: &ConversationView) -> Vec<String> {
    let line = |item: &ConversationItem| match item {
        ConversationItem::Said { text, .. } => format!("said: {text}"),
        ConversationItem::Answered {
            text,
            stopped: false,
            ..
        } => format!("answered: {text}"),
        ConversationItem::Answered {
            text,
            stopped: true,
            ..
        } => format!("stopped: {text}"),
        ConversationItem::Call { title, state, .. } => {
            format!("call: {title} {}", state.map_or("-", |state| state.name()))
        }
        ConversationItem::Proposal(proposal) => {
            format!("card: {} {}", proposal.title, proposal.state.name())
        }
        ConversationItem::Trouble { .. } => "trouble".to_owned(),
        ConversationItem::Staff { by, text, .. } => format!("staff {by}: {text}"),
        ConversationItem::Note { .. } => "note".to_owned(),
    };
    thread.items.iter().map(line).collect()
}
