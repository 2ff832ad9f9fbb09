//! Hotel whose concierge follows a script instead of a model.

use std::num::NonZeroU32;

use dewy_concierge::{ConciergeService, Parts, Settings};
use dewy_connectors::{ChatModel, ModelConfig};
use dewy_domain::{
    concierge::{
        ConversationItem, ConversationSummary, ConversationView, LiveState, ProposalState,
        ProposalView,
    },
    hotel_profile::HotelProfile,
    ports::{Decision, Model},
};

use crate::prelude::*;

pub use super::scripted_model::{Script, ScriptStep};

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

    pub fn inside(hotel: TestHotel, lines: Vec<ScriptStep>, settings: Settings) -> Self {
        let script = Arc::new(Script::default());
        let scripted = Self {
            concierge: concierge(&hotel, Arc::clone(&script) as _, &settings),
            hotel,
            script,
            settings,
        };
        scripted.then(lines);
        scripted
    }

    /// With the sandbox's model instead of a script.
    pub async fn offline() -> Self {
        let mut scripted = Self::open(vec![]).await;
        let sandbox = scripted.hotel.server.sandbox_url.as_deref().unwrap();
        let config = ModelConfig {
            model: "dewy-offline".to_owned(),
            reasoning_tokens: 0,
            offline: true,
            ..model_config(format!("{sandbox}/v1"), Duration::from_secs(60))
        };
        scripted.listen_to(Arc::new(
            ChatModel::new(config, Arc::new(RealClock)).unwrap(),
        ));
        scripted
    }

    /// Another model answers from now on.
    pub fn listen_to(&mut self, model: Arc<dyn Model>) {
        self.concierge = concierge(&self.hotel, model, &self.settings);
    }

    /// The process that held the conversations is gone; another one opens the same store.
    pub fn restart(&mut self) {
        self.concierge = self.another_process();
    }

    /// Another process of the same house.
    pub fn another_process(&self) -> ConciergeService {
        concierge(&self.hotel, Arc::clone(&self.script) as _, &self.settings)
    }

    pub fn then(&self, lines: Vec<ScriptStep>) {
        self.script.steps.lock().unwrap().extend(lines);
    }

    /// How often the model was asked.
    pub fn asked(&self) -> usize {
        self.script.asked.lock().unwrap().len()
    }

    /// What the model was told when it was asked last.
    pub fn told(&self) -> String {
        let asked = self.script.asked.lock().unwrap();
        format!("{:?}", asked.last().unwrap().messages)
    }

    /// Says something and waits for the end of the turn.
    pub async fn say(&self, caller: &Caller, words: &str) -> ConversationView {
        let said = self.try_to_say(caller, words).await;
        said.unwrap_or_else(|code| panic!("{code:?}: {words}"))
    }

    pub async fn try_to_say(
        &self,
        caller: &Caller,
        words: &str,
    ) -> Result<ConversationView, ErrorCode> {
        let thread = self.concierge.conversation(caller, None).await?;
        let id = Some(thread.id.as_str()).filter(|id| !id.is_empty());
        let token = format!("t{}", thread.seq);
        let posted = self.concierge.post_message(caller, id, &token, words);
        Ok(self.quiet(caller, &posted.await?).await)
    }

    /// The same in a conversation of its own, after the person has deleted the others.
    pub async fn say_anew(&self, caller: &Caller, words: &str) -> ConversationView {
        let id = self.concierge.conversation(caller, None).await.unwrap().id;
        if !id.is_empty() {
            self.concierge.delete(caller, &id).await.unwrap();
        }
        self.say(caller, words).await
    }

    /// Posts a message, in a conversation or a new one, and does not wait for what comes of it.
    pub async fn post(&self, caller: &Caller, id: Option<&str>, token: &str, text: &str) -> String {
        let posted = self.concierge.post_message(caller, id, token, text);
        posted.await.unwrap()
    }

    pub async fn thread(&self, caller: &Caller, id: &str) -> ConversationView {
        let thread = self.concierge.conversation(caller, Some(id)).await;
        thread.unwrap()
    }

    /// Conversations that wait for the front desk.
    pub async fn waiting(&self) -> Vec<ConversationSummary> {
        let waiting = self.concierge.waiting_for_staff(&front_desk()).await;
        waiting.unwrap()
    }

    /// Waits until the model's words are shown.
    pub async fn shown(&self, caller: &Caller, id: &str) -> LiveState {
        let mut seen = LiveState::unseen();
        while seen.text.is_empty() {
            let changed = self
                .concierge
                .changed(caller, id, &seen, Duration::from_secs(5));
            seen = changed.await.unwrap();
        }
        seen
    }

    /// Waits until the model is silent, and nothing runs.
    pub async fn quiet(&self, caller: &Caller, id: &str) -> ConversationView {
        self.quiet_after(caller, id).await.0
    }

    /// The same, and the texts that were shown meanwhile.
    pub async fn quiet_after(&self, caller: &Caller, id: &str) -> (ConversationView, Vec<String>) {
        let (mut seen, mut texts) = (LiveState::unseen(), Vec::new());
        for _ in 0..600 {
            let time = Duration::from_millis(100);
            let live = self
                .concierge
                .changed(caller, id, &seen, time)
                .await
                .unwrap();
            let thread = self.thread(caller, id).await;
            texts.extend(Some(live.text.clone()).filter(|text| !text.is_empty()));
            let running = proposals(&thread).iter().any(|one| one.state.under_way());
            if !live.busy && !running && !live.differs(&seen) {
                return (thread, texts);
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
        let decided = decision(proposal, yes, choice);
        let id = self.concierge.decide(caller, &decided).await?;
        Ok(self.quiet(caller, &id).await)
    }

    /// Calls a tool as a form does, which must succeed.
    pub async fn call(&self, caller: &Caller, tool: &str, input: Value) {
        let call = ToolCall {
            tool: tool.to_owned(),
            idempotency_token: Some(format!("{tool} {input}")),
            input,
            wait: None,
        };
        let answer = self.hotel.server.hotel.dispatch(caller, call).await;
        assert_eq!(answer.error(), None, "{answer:?}");
    }

    /// Payments that took money.
    pub fn charges(&self) -> usize {
        let state = self.hotel.state();
        let all = state["stripe"]["payment_intents"].as_array().unwrap();
        let paid = all.iter().filter(|one| one["status"] == "succeeded");
        paid.count()
    }

    /// Everything of the outside systems that an act could have changed.
    pub fn ledger(&self) -> Value {
        let state = self.hotel.state();
        let stripe = &state["stripe"];
        json!([
            state["salesforce"],
            stripe["payment_intents"],
            stripe["refunds"],
            state["twilio"]
        ])
    }
}

/// A click on a card.
pub fn decision(proposal: &ProposalView, yes: bool, choice: Option<&str>) -> Decision {
    Decision {
        proposal: proposal.id.clone(),
        nonce: proposal.nonce.clone(),
        yes,
        choice: choice.map(str::to_owned),
    }
}

/// A model's server at this address, whose silence is borne so long.
pub fn model_config(base_url: String, silence: Duration) -> ModelConfig {
    ModelConfig {
        base_url,
        api_key: "sk-of-the-hotel".into(),
        model: "gpt-4o-mini".to_owned(),
        silence,
        answer_tokens: 1_500,
        reasoning_tokens: 16_000,
        reasoning_effort: None,
        offline: false,
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

pub fn person(name: &str) -> Option<Caller> {
    Some(match name {
        "beth" => beth(),
        "sarah" => sarah(),
        "wei" => Caller::guest("wei.chen@example.com", Interface::Form),
        "nora" => Caller::guest("nora.o'brien@example.com", Interface::Form),
        "desk" => front_desk(),
        "manager" => manager(),
        _ => return None,
    })
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

/// Settings of a hotel that says whom to call.
pub fn emergency_settings() -> Settings {
    let hotel = HotelProfile {
        phone: Some("+1 212 555 0190".to_owned()),
        address: Some("1 Lake Road".to_owned()),
        emergency_number: Some("911".to_owned()),
        ..HotelProfile::default()
    };
    Settings {
        hotel,
        ..Settings::default()
    }
}

/// Number of the case that the conversation gets.
pub async fn case_of(scripted: &ScriptedHotel, id: &str) -> String {
    for _ in 0..100 {
        if let Some(case) = scripted.thread(&front_desk(), id).await.case_number {
            return case;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no case was opened");
}

pub async fn until_closed(scripted: &ScriptedHotel, case: &str) {
    let status = || scripted.hotel.record("Case", "CaseNumber", case)["Status"].clone();
    for _ in 0..100 {
        if status() == "Closed" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the case stays {}", status());
}
