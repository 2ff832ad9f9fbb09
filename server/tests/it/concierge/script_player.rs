//! Plays conversations that are written as scripts: a line for each thing said, done or checked.
//!
//! ```text
//! with proposal_ttl=300                       settings other than the default
//! model says TEXT | calls TOOL {…} … | always calls … | writes TOOL RAW | hangs TEXT | breaks TEXT | is busy | refuses
//! beth: TEXT => 1 cards                       says it, waits, and counts the new cards
//! beth posts TOKEN: TEXT                      does not wait; `beth posts TOKEN here: TEXT` in the same conversation
//! beth approves pm_card_visa => CODE          the latest card, or `#0` the first one; `=> CODE` when it is refused
//! states is proposed                          FIELD is | has | lacks | starts | ends | among VALUE; `has A & B`
//! ```
//! `{+20}` is the day in twenty days, and `let name = FIELD` makes `{name}` the field's value.

use dewy_domain::concierge::{ConversationView, LiveState, ProposalView};

use super::{script_settings::settings_of, scripted_hotel::*};
use crate::prelude::*;

/// Tests that play one script each.
macro_rules! scripts {
    ($($(#[doc = $doc:literal])* $name:ident $script:literal)+) => {$(
        $(#[doc = $doc])*
        #[tokio::test(flavor = "multi_thread")]
        async fn $name() {
            $crate::concierge::script_player::play($script).await;
        }
    )+};
}
pub(super) use scripts;

/// Plays a script from its first line to its last.
pub async fn play(script: &str) {
    let settings = script
        .lines()
        .find_map(|line| line.trim().strip_prefix("with "));
    let scripted = ScriptedHotel::with(vec![], settings_of(settings.unwrap_or_default())).await;
    let mut player = ScriptPlayer {
        scripted,
        thread: None,
        cards: Vec::new(),
        asked_before: 0,
        always: None,
        ledger: Value::Null,
        values: Vec::new(),
        seen: 0,
        same: false,
    };
    for line in script.lines().map(str::trim) {
        if !line.is_empty() && !line.starts_with(['#', '/']) && !line.starts_with("with ") {
            // Names the line that fails
            println!("{line}");
            player.step(line).await;
        }
    }
}

/// What was said and done so far.
pub(super) struct ScriptPlayer {
    pub(super) scripted: ScriptedHotel,
    pub(super) thread: Option<ConversationView>,
    /// Every card, as it was when it was first shown.
    pub(super) cards: Vec<ProposalView>,
    pub(super) asked_before: usize,
    pub(super) always: Option<ScriptStep>,
    pub(super) ledger: Value,
    pub(super) values: Vec<(String, String)>,
    /// Position up to which staff have read.
    pub(super) seen: i64,
    /// Whether the latest message went into the conversation that was shown before.
    pub(super) same: bool,
}

impl ScriptPlayer {
    async fn step(&mut self, line: &str) {
        let line = &self.filled(line).replace("\\n", "\n");
        let actor = line.split([' ', ':']).next().unwrap();
        let rest = &line[actor.len()..];
        if let Some(caller) = person(actor) {
            let (act, expected) = rest.rsplit_once(" => ").unwrap_or((rest, ""));
            self.asked_before = self.scripted.asked();
            let before = self
                .thread_of(&caller)
                .await
                .map_or(0, |one| proposals(&one).len());
            let done = self.act(&caller, act).await;
            if let Some(made) = expected.strip_suffix(" cards") {
                let now = self.thread.as_ref().map_or(0, |one| proposals(one).len());
                let shown = self.thread.as_ref().map(lines);
                assert_eq!((now - before).to_string(), made, "{done:?} {shown:?}");
            } else if expected == "5xx" {
                assert!(done.is_err_and(|code| code.status() >= 500));
            } else {
                assert_eq!(done.err().map_or("", ErrorCode::code), expected);
            }
            return;
        }
        let rest = rest.trim();
        match actor {
            "model" => self.model(rest),
            "fault" => match rest.split(' ').collect::<Vec<_>>()[..] {
                [system, operation, kind, count, ms] => {
                    let (count, ms) = (count.parse().unwrap(), ms.parse().unwrap());
                    self.scripted
                        .hotel
                        .fault(system, operation, kind, count, ms)
                        .await;
                }
                _ => {
                    self.scripted
                        .hotel
                        .add_fault(&serde_json::from_str(rest).unwrap())
                        .await
                }
            },
            "heal" => self.scripted.hotel.heal().await,
            "restart" => self.scripted.restart(),
            "tidy" => drop(self.scripted.concierge.clean_up().await.unwrap()),
            "sleep" => tokio::time::sleep(Duration::from_millis(rest.parse().unwrap())).await,
            "remember" => self.ledger = self.scripted.ledger(),
            "unchanged" => assert_eq!(self.scripted.ledger(), self.ledger),
            "panel" if rest.ends_with(" goes") => {
                let guest = self.scripted.hotel.browser().guest(&beth().email).await;
                let path = rest.trim_end_matches(" goes");
                guest
                    .until_gone(path, "You have reported an emergency")
                    .await;
            }
            // To colleagues as to whoever reported it
            "staff" => {
                let id = &self.thread.as_ref().unwrap().id;
                for email in ["manager@dewy.example", "frontdesk@dewy.example"] {
                    let staff = self.scripted.hotel.browser().staff(email).await;
                    for path in ["/staff", &format!("/staff/concierge/{id}")] {
                        let shown = staff
                            .open(path)
                            .await
                            .text
                            .matches("Mark as handled")
                            .count();
                        assert_eq!(shown, 1, "{email} {path}");
                    }
                }
            }
            "closed" => until_closed(&self.scripted, rest).await,
            "let" => {
                let (name, field) = rest.split_once(" = ").unwrap();
                let value = self.field(field).await;
                self.values.push((format!("{{{name}}}"), value));
            }
            _ => self.check(line).await,
        }
    }

    fn filled(&self, line: &str) -> String {
        let mut line = line.to_owned();
        while let Some((before, (ahead, after))) = line
            .split_once("{+")
            .map(|(before, rest)| (before, rest.split_once('}').unwrap()))
        {
            line = format!("{before}{}{after}", day(ahead.parse().unwrap()));
        }
        let fill = |line: String, (name, value): &(String, String)| line.replace(name, value);
        self.values.iter().fold(line, fill)
    }

    fn model(&mut self, rest: &str) {
        let (verb, words) = rest.split_once(' ').unwrap_or((rest, ""));
        let text = || -> &'static str { words.to_owned().leak() };
        let step = match verb {
            "says" => ScriptStep::Words(text()),
            "calls" => ScriptStep::Calls(calls(text())),
            "always" => {
                let all = words
                    .strip_prefix("calls ")
                    .map(|all| calls(all.to_owned().leak()));
                return self.always = all.map(ScriptStep::Calls);
            }
            "writes" => {
                let (name, raw) = text().split_once(' ').unwrap();
                ScriptStep::Raw(name, raw.trim_matches('`'))
            }
            "hangs" => ScriptStep::Hangs(text()),
            "breaks" => ScriptStep::Breaks(text()),
            "is" => ScriptStep::Busy,
            "refuses" => ScriptStep::Refuses,
            other => panic!("no model {other}"),
        };
        self.scripted.then(vec![step]);
    }

    async fn thread_of(&self, caller: &Caller) -> Option<ConversationView> {
        self.scripted
            .concierge
            .conversation(caller, None)
            .await
            .ok()
    }

    async fn act(&mut self, caller: &Caller, act: &str) -> Result<(), ErrorCode> {
        let id = self
            .thread
            .as_ref()
            .map_or_else(String::new, |thread| thread.id.clone());
        let concierge = self.scripted.concierge.clone();
        let act = act.trim_start();
        if let Some(words) = act.strip_prefix(": ") {
            if let Some(always) = self.always.clone() {
                self.scripted.then(vec![always, ScriptStep::Words("Hm.")]);
            }
            let thread = self.scripted.try_to_say(caller, words).await?;
            self.look(thread);
            return Ok(());
        }
        if let Some((how, text)) = act
            .strip_prefix("posts ")
            .and_then(|act| act.split_once(": "))
        {
            let (token, here) = how
                .split_once(' ')
                .map_or((how, None), |(t, _)| (t, Some(&*id)));
            let posted = concierge.post_message(caller, here, token, text).await?;
            self.same = posted == id;
            let thread = self.scripted.thread(caller, &posted).await;
            self.look(thread);
            return Ok(());
        }
        let (verb, rest) = act.split_once([' ', ':']).unwrap_or((act, ""));
        let rest = rest.trim();
        match verb {
            "approves" | "declines" | "starts" | "confirms" => {
                return self.decide(caller, verb, rest).await;
            }
            "asks" => {
                self.model("calls process_guest_checkout {}");
                let thread = self
                    .scripted
                    .try_to_say(caller, "I want to check out")
                    .await?;
                self.look(thread);
            }
            "opens" => {
                let thread = concierge.conversation(caller, Some(&id)).await?;
                self.look(thread);
            }
            "waits" => {
                let thread = self.scripted.quiet(caller, &id).await;
                self.look(thread);
            }
            "retries" => concierge.retry_turn(caller, &id).await?,
            "stops" => concierge.stop(caller, &id).await?,
            "renames" => concierge.rename(caller, &id, rest).await?,
            "deletes" => concierge.delete(caller, &id).await?,
            "leaves" => concierge.hand_back(caller, &id).await?,
            "needs" => concierge.hand_over(caller, &id, rest).await?,
            "switches" => concierge.set_enabled(caller, rest == "on").await?,
            "reads" => self.seen = self.scripted.thread(caller, &id).await.seq,
            // Marks the emergency as handled, as far as they have read
            "handles" => {
                let handled = concierge
                    .mark_emergency_handled(caller, &id, self.seen)
                    .await?;
                assert_eq!(handled, rest != "too early");
            }
            "calls" => {
                let (tool, input) = calls(rest.to_owned().leak()).remove(0);
                self.scripted.call(caller, tool, input).await;
            }
            // On a page of its own
            "pays" => {
                let card = self.cards.last().unwrap();
                assert_eq!(concierge.proposal(caller, &card.id).await?.1, *card);
            }
            "views" => {
                let thread = concierge.conversation(caller, None).await?;
                self.look(thread);
            }
            "lists" => {
                let all = concierge.conversations(caller).await?;
                let titles: Vec<_> = all.into_iter().map(|one| one.title).collect();
                assert_eq!(
                    titles.join(" | "),
                    if rest == "nothing" { "" } else { rest }
                );
            }
            "has" => no_access(&self.scripted, caller, &id).await,
            other => panic!("nobody {other}"),
        }
        Ok(())
    }

    async fn decide(&mut self, caller: &Caller, verb: &str, how: &str) -> Result<(), ErrorCode> {
        let mut card = self.cards.last().cloned();
        let mut choice = None;
        for word in how.split_whitespace() {
            if let Some(n) = word.strip_prefix('#') {
                card = self.cards.get(n.parse::<usize>().unwrap()).cloned();
            } else if let Some(nonce) = word.strip_prefix("nonce=") {
                nonce.clone_into(&mut card.as_mut().unwrap().nonce);
            } else {
                choice = Some(word);
            }
        }
        let card = card.expect("no card was shown");
        match verb {
            // The process that took the click is gone before anything was begun
            "confirms" => {
                let (store, key) = (&self.scripted.hotel.server.store, caller.key());
                let stored = store.confirm_proposal(&card.id, &key, &card.nonce, choice, now());
                assert_eq!(stored.await, Ok(true));
            }
            "starts" => {
                let decided = decision(&card, true, choice);
                self.scripted.concierge.decide(caller, &decided).await?;
            }
            _ => {
                let yes = verb == "approves";
                let thread = self.scripted.decide(caller, &card, yes, choice).await?;
                self.look(thread);
            }
        }
        Ok(())
    }

    fn look(&mut self, thread: ConversationView) {
        for card in proposals(&thread) {
            if !card.nonce.is_empty() && self.cards.iter().all(|known| known.id != card.id) {
                self.cards.push(card);
            }
        }
        self.thread = Some(thread);
    }

    async fn check(&self, line: &str) {
        let words = format!("{line} ");
        let found = [" is ", " has ", " lacks ", " starts ", " ends ", " among "].iter();
        let found = found
            .filter_map(|op| words.find(op).map(|at| (at, *op)))
            .min();
        let (at, op) = found.unwrap_or_else(|| panic!("no check: {line}"));
        let expected = words[at + op.len()..].trim();
        let holds = |actual: &str| {
            let mut parts = expected.split(" & ");
            match op.trim() {
                "is" => actual == expected,
                "has" => parts.all(|part| actual.contains(part)),
                "lacks" => parts.all(|part| !actual.contains(part)),
                "starts" => actual.starts_with(expected),
                "ends" => actual.ends_with(expected),
                _ => expected.split(' ').any(|one| one == actual),
            }
        };
        let mut actual = self.field(&words[..at]).await;
        // A page shows what was read up to a second ago
        for _ in 0..100 {
            if holds(&actual) || !line.starts_with("page ") {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            actual = self.field(&words[..at]).await;
        }
        assert!(holds(&actual), "{line}, but it is {actual:?}");
    }
}

/// Whatever they try with this conversation, it is not there for them.
async fn no_access(scripted: &ScriptedHotel, caller: &Caller, id: &str) {
    let concierge = &scripted.concierge;
    let unseen = LiveState::default();
    let tried = [
        concierge.conversation(caller, Some(id)).await.map(drop),
        concierge
            .post_message(caller, Some(id), "x", "Hello")
            .await
            .map(drop),
        concierge.stop(caller, id).await,
        concierge.retry_turn(caller, id).await,
        concierge.rename(caller, id, "Mine").await,
        concierge.delete(caller, id).await,
        concierge.hand_over(caller, id, "because").await,
        concierge.hand_back(caller, id).await,
    ];
    assert_eq!(tried, [Err(ErrorCode::ConversationNotFound); 8]);
    let followed = concierge.changed(caller, id, &unseen, Duration::ZERO).await;
    assert!(followed.is_none());
    assert!(concierge.conversations(caller).await.unwrap().is_empty());
}

/// `TOOL {…}`, as often as there are calls.
pub fn calls(text: &'static str) -> Vec<(&'static str, Value)> {
    let (mut rest, mut all) = (text.trim(), Vec::new());
    while let Some((name, input)) = rest.split_once(' ') {
        let mut values = serde_json::Deserializer::from_str(input).into_iter();
        let value = values
            .next()
            .unwrap()
            .unwrap_or_else(|fault| panic!("{fault}: {input}"));
        all.push((name, value));
        rest = input[values.byte_offset()..].trim();
    }
    all
}
