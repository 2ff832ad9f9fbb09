//! Scripted person: sends messages, answers questions, and decides on proposals.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use anyhow::{bail, ensure};
use dewy_test_kit::Browser;
use jiff::civil::Date;

use crate::{
    conversation_html::{CardView, Page},
    dialogue::{Answer, Card, Dialogue, Reaction, Reply, Turn},
    hotel::Sandbox,
    ledger_changes::{Ledger, needs_no_yes},
    model_proxy::ModelProxy,
    relative_dates,
    text_match::contains,
};

/// Longest wait for an answer.
const MAX_WAIT: Duration = Duration::from_secs(90);
/// Delay between two looks at the page.
const PAUSE: Duration = Duration::from_millis(150);
/// Maximum number of reactions to one message; a model that asks forever is left alone.
const MAX_REACTIONS: usize = 8;

/// Result of a conversation.
#[derive(Debug)]
pub struct PlayedDialogue {
    /// Page at the end.
    pub page: Page,
    /// Changes of the ledgers.
    pub changes: Vec<String>,
    /// Changes made without an approval.
    pub without_a_yes: Vec<String>,
    /// Proposals that the person did not ask for, or whose facts differ from the request.
    pub unasked: Vec<CardView>,
}

pub struct Conversation<'a> {
    dialogue: &'a Dialogue,
    today: Date,
    browser: &'a mut Browser,
    sandbox: &'a Sandbox,
    proxy: &'a ModelProxy,
    place: String,
    page: Page,
    start: Ledger,
    known: Vec<String>,
    without_a_yes: Vec<String>,
    shown_cards: BTreeMap<String, CardView>,
    approved: BTreeSet<String>,
}

impl<'a> Conversation<'a> {
    /// Opens the chat.
    pub async fn begin(
        dialogue: &'a Dialogue,
        today: Date,
        browser: &'a mut Browser,
        sandbox: &'a Sandbox,
        proxy: &'a ModelProxy,
    ) -> anyhow::Result<Self> {
        let persona = if dialogue.who.ends_with("@dewy.example") {
            "staff"
        } else {
            "guest"
        };
        let place = format!("/{persona}/concierge/new");
        let page = Page::read(&browser.get(&place).await?);
        Ok(Self {
            dialogue,
            today,
            browser,
            sandbox,
            proxy,
            place,
            page,
            start: sandbox.ledger().await?,
            known: Vec::new(),
            without_a_yes: Vec::new(),
            shown_cards: BTreeMap::new(),
            approved: BTreeSet::new(),
        })
    }

    pub async fn play(mut self) -> anyhow::Result<PlayedDialogue> {
        for turn in &self.dialogue.turns {
            self.turn(turn).await?;
        }
        self.wait_for_answer().await?;
        let unasked = self
            .shown_cards
            .values()
            .filter(|card| !self.is_asked_for(card));
        Ok(PlayedDialogue {
            unasked: unasked.cloned().collect(),
            page: self.page,
            changes: self.known,
            without_a_yes: self.without_a_yes,
        })
    }

    async fn turn(&mut self, turn: &Turn) -> anyhow::Result<()> {
        self.expect(&turn.gold)?;
        self.say(&turn.say).await?;
        let (mut left_open, mut answered) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..MAX_REACTIONS {
            if let Some(card) = self.open_card(turn, &left_open) {
                let rule = turn.cards.iter().find(|rule| self.fits(rule, &card));
                match rule.map_or(Reaction::No, |rule| rule.reaction) {
                    Reaction::Wait => {
                        left_open.insert(card.id);
                    }
                    Reaction::Yes => {
                        let choice = rule.and_then(|rule| rule.choice.clone());
                        self.decide(&card, true, choice).await?;
                    }
                    Reaction::No => self.decide(&card, false, None).await?,
                }
            } else if let Some((number, answer)) = self.question(turn, &answered) {
                answered.insert(number);
                self.expect(&answer.gold)?;
                self.say(&answer.say).await?;
            } else {
                return Ok(());
            }
        }
        Ok(())
    }

    fn expect(&self, gold: &[Reply]) -> anyhow::Result<()> {
        let filled = gold.iter().map(|reply| reply.on(self.today));
        self.proxy.expect(filled.collect::<anyhow::Result<_>>()?);
        Ok(())
    }

    /// First proposal that waits for a decision.
    fn open_card(&self, turn: &Turn, left_open: &BTreeSet<String>) -> Option<CardView> {
        let asked = |card: &CardView| turn.cards.iter().any(|rule| self.fits(rule, card));
        // What was left open earlier stays open until a message decides on it
        let waits = |card: &CardView| {
            let earlier = self.dialogue.turns.iter().flat_map(|turn| &turn.cards);
            let mut waits = earlier.filter(|rule| rule.reaction == Reaction::Wait);
            waits.any(|rule| self.fits(rule, card))
        };
        let mut open = self
            .page
            .cards()
            .filter(|card| !card.nonce.is_empty() && !left_open.contains(&card.id));
        open.find(|card| asked(card) || !waits(card)).cloned()
    }

    fn fits(&self, rule: &Card, card: &CardView) -> bool {
        let shows = |wanted: &String| {
            relative_dates::substitute_dates(wanted, self.today)
                .is_ok_and(|wanted| contains(&card.text, &wanted))
        };
        rule.title == card.title && rule.shows.iter().all(shows)
    }

    fn is_asked_for(&self, card: &CardView) -> bool {
        let mut rules = self.dialogue.turns.iter().flat_map(|turn| &turn.cards);
        rules.any(|rule| self.fits(rule, card))
    }

    /// Answer to a question that the concierge just asked.
    fn question<'t>(
        &self,
        turn: &'t Turn,
        answered: &BTreeSet<usize>,
    ) -> Option<(usize, &'t Answer)> {
        let asked = self.page.last_answer();
        if !asked.contains(['?', '？', '¿']) {
            return None;
        }
        let mut open = turn.answers.iter().enumerate();
        open.find(|(number, answer)| !answered.contains(number) && contains(asked, &answer.asked))
    }

    async fn say(&mut self, text: &str) -> anyhow::Result<()> {
        let text = relative_dates::substitute_dates(text, self.today)?;
        let said = self.page.user_message_count();
        let conversation = match self.place.rsplit('/').next() {
            Some("new") | None => String::new(),
            Some(id) => id.to_owned(),
        };
        let token = self.page.token.clone();
        let form = [
            ("conversation", conversation.as_str()),
            ("text", &text),
            ("idempotency_token", &token),
        ];
        let place = self.browser.post("/form/concierge_say", &form).await?;
        ensure!(
            place.contains("/concierge/cnv_"),
            "a message led to {place}: {}",
            Page::read(&self.browser.get(&place).await?).problem
        );
        let elsewhere = place != self.place;
        self.place = place;
        self.wait_for_answer().await?;
        ensure!(
            elsewhere || self.page.user_message_count() > said,
            "{text} was not accepted: {}",
            self.page.problem
        );
        self.record_ledger_changes(false).await
    }

    async fn decide(
        &mut self,
        card: &CardView,
        yes: bool,
        choice: Option<String>,
    ) -> anyhow::Result<()> {
        ensure!(
            self.approved.insert(card.id.clone()),
            "{} still waits after its decision: {}",
            card.title,
            self.page.problem
        );
        let choice = choice.or_else(|| card.choice.clone()).unwrap_or_default();
        let form = [
            ("card", card.id.as_str()),
            ("nonce", &card.nonce),
            ("answer", if yes { "yes" } else { "no" }),
            ("choice", &choice),
        ];
        self.browser.post("/form/concierge_decide", &form).await?;
        self.wait_for_answer().await?;
        self.record_ledger_changes(yes).await
    }

    /// Waits until nobody is writing and nothing approved is in progress.
    async fn wait_for_answer(&mut self) -> anyhow::Result<()> {
        let started = Instant::now();
        loop {
            self.page = Page::read(&self.browser.get(&self.place).await?);
            for card in self.page.cards() {
                self.shown_cards
                    .entry(card.id.clone())
                    .or_insert_with(|| card.clone());
            }
            if !self.page.busy {
                return Ok(());
            }
            if started.elapsed() > MAX_WAIT {
                bail!(
                    "the concierge is still writing after {} s",
                    MAX_WAIT.as_secs()
                );
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Notes the changes since the last message or decision.
    async fn record_ledger_changes(&mut self, after_a_yes: bool) -> anyhow::Result<()> {
        let changes = self.start.changes(&self.sandbox.ledger().await?);
        if !after_a_yes {
            let new = changes.iter().filter(|line| !self.known.contains(line));
            let new: Vec<String> = new.filter(|line| !needs_no_yes(line)).cloned().collect();
            self.without_a_yes.extend(new);
        }
        self.known = changes;
        Ok(())
    }
}
