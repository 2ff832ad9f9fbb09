//! Servers of models as they are: what public reports say that they refuse, and how they put their
//! answers (`data/model_servers.json`). With each of them a guest reads, changes something by a click,
//! is refused, and gets a long answer. And whatever a server fails with, the guest reads why.

use std::time::{Duration, Instant};

use dewy_concierge::Settings;
use dewy_domain::concierge::{ConversationItem, ConversationView, ProposalState};

use super::{
    model_stand_in::{StandIn, limit},
    scripted_hotel::{ScriptedHotel, beth, lines, manager, proposals, states},
};
use crate::prelude::*;

/// More than all answers of a test can cost.
const MOST_TOKENS: u64 = 200_000;
const SERVERS: &str = include_str!("../../data/model_servers.json");

/// Compares one table of `snapshots/model_servers.md` with what was seen just now; with
/// `DEWY_REWRITE_SNAPSHOTS=1`, writes it.
fn compare_table(title: &str, columns: &str, rows: &[String]) {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/snapshots/model_servers.md"
    );
    let reviewed = std::fs::read_to_string(path).unwrap_or_default();
    let line = "---|".repeat(columns.matches('|').count() - 1);
    let now = format!("## {title}\n\n{columns}\n|{line}\n{}\n", rows.join("\n"));
    let old = reviewed
        .split("\n## ")
        .skip(1)
        .find(|part| part.starts_with(title));
    let old = old.map(|part| format!("## {}\n", part.trim_end()));
    if std::env::var_os("DEWY_REWRITE_SNAPSHOTS").is_some() {
        let written = match &old {
            Some(old) => reviewed.replace(old, &now),
            None => format!("{reviewed}\n{now}"),
        };
        std::fs::write(path, written).unwrap();
    } else {
        assert_eq!(
            old.as_deref(),
            Some(&*now),
            "write it anew with DEWY_REWRITE_SNAPSHOTS=1"
        );
    }
}

fn scripts(of: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(SERVERS).unwrap();
    all[of].as_array().unwrap().clone()
}

fn last_text(thread: &ConversationView) -> String {
    match thread.items.last().unwrap() {
        ConversationItem::Answered { text, .. } => text.clone(),
        ConversationItem::Trouble { text, .. } => text.to_string(),
        other => format!("{other:?}"),
    }
}

/// A hotel where nobody runs out of tokens.
async fn hotel() -> ScriptedHotel {
    let mut settings = Settings::default();
    settings.budget.tokens_per_guest = u64::MAX / 2;
    settings.budget.tokens_per_staff = u64::MAX / 2;
    ScriptedHotel::with(vec![], settings).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_server_reads_writes_refuses_and_is_cut() {
    let mut scripted = hotel().await;
    let scripts = scripts("servers");
    assert!(scripts.len() >= 10);
    let mut rows = Vec::new();
    for script in scripts {
        let name = script["name"].as_str().unwrap();
        let server = StandIn::start(&script).await;
        let model = server.model(Duration::from_secs(5));
        scripted.listen_to(model.clone() as _);
        let say = async |words: &str| {
            let token = format!("{} {words}", script["model"]);
            let id = scripted.post(&beth(), None, &token, words).await;
            scripted.quiet_after(&beth(), &id).await
        };

        // A read: two calls at once, and the round after them
        let (thread, texts) = say("What do I owe?").await;
        let (shown, talk) = (lines(&thread), server.talk());
        let done = shown.iter().filter(|line| line.ends_with(" done")).count();
        let read = (done, last_text(&thread));
        assert_eq!(
            read,
            (2, "All is well.".to_owned()),
            "{name}: {shown:?} {talk}"
        );
        assert!(
            !texts.concat().contains("Hm"),
            "{name}: thoughts are hidden: {texts:?}"
        );
        let lessons = server.refusals();
        let rules = script["refuses"].as_array().map_or(0, Vec::len);
        assert!(lessons <= rules + 1, "{name}: {lessons} of {rules}");

        // A write with its click
        let (thread, _) = say("I need two towels").await;
        let card = proposals(&thread).pop();
        let card = card.unwrap_or_else(|| panic!("{name}: {thread:?} {}", server.talk()));
        let thread = scripted.decide(&beth(), &card, true, None).await.unwrap();
        assert_eq!(states(&thread), [ProposalState::Done], "{name}");
        assert_eq!(
            last_text(&thread),
            "All is well.",
            "{name}: {}",
            server.talk()
        );
        let written = format!("{:?}: “{}”", states(&thread)[0], last_text(&thread));

        // A refusal is shown in its words, or as one
        let (thread, _) = say("Tell me a joke about your boss").await;
        let refused = last_text(&thread);
        let told = refused.starts_with("I can't") || refused.contains("content filter");
        assert!(told, "{name}: {refused}");

        // A long answer is cut, and half a call is none
        let (thread, _) = say("Tell me everything").await;
        let cut = last_text(&thread);
        assert!(cut.contains("cut off"), "{name}: {cut}");
        assert!(proposals(&thread).is_empty(), "{name}");

        // A limit that is too large is lowered for that request alone
        if let Some(limits) = script["limits"].as_array() {
            let accepted = server.seen().into_iter().filter(|seen| !seen.refused);
            let mut sent: Vec<Value> = accepted.map(|seen| json!(limit(&seen.body))).collect();
            sent.dedup();
            assert_eq!(&sent, limits, "{name}");
        }

        // What was learned once is remembered
        let seen = server.seen();
        let late = seen
            .iter()
            .skip(lessons + 2)
            .filter(|seen| seen.refused)
            .count();
        let may_be_late = usize::from(script["teaches_late"].as_u64().unwrap_or(0) > 0);
        assert!(late <= may_be_late, "{name}: {late}");
        let counts = model.model_counts();
        let answered = counts.iter().filter(|count| count.result == "answered");
        let answered = answered.map(|count| count.requests).sum::<u64>();
        assert!(answered >= 5, "{name}: {counts:?}");
        let cut = cut.replace('\n', " ");
        rows.push(format!(
            "| {name} | {lessons} | {} calls, then “{}” | {written} | {refused} | {cut} |",
            read.0, read.1
        ));
    }
    compare_table(
        "Servers",
        "| Server | Refusals it teaches by | A read and its second round | A write, after its click | A refusal | A long answer |",
        &rows,
    );
}

/// One conversation that goes from server to server: what only one of them understands goes to no
/// other, and is back when that one is.
#[tokio::test(flavor = "multi_thread")]
async fn opaque_parts_go_to_no_other_server() {
    let mut scripted = hotel().await;
    let marks = [
        ("Gemini", "thought_signature"),
        ("DeepSeek", "a bill."),
        ("OpenRouter", "signed-details"),
        ("OpenAI: tools", "gAAAAABosigned"),
    ];
    let scripts = scripts("servers");
    let mut id: Option<String> = None;
    let names = [
        "Gemini",
        "DeepSeek",
        "OpenRouter",
        "OpenAI: tools",
        "Mistral",
        "llama",
        "DeepSeek",
    ];
    for (at, name) in names.into_iter().enumerate() {
        let script = scripts
            .iter()
            .find(|script| script["name"].as_str().unwrap().starts_with(name));
        let server = StandIn::start(script.unwrap()).await;
        scripted.listen_to(server.model(Duration::from_secs(5)) as _);
        let token = format!("{at}");
        let posted = scripted
            .post(&beth(), id.as_deref(), &token, "What do I owe?")
            .await;
        let thread = scripted.quiet(&beth(), &posted).await;
        assert_eq!(
            last_text(&thread),
            "All is well.",
            "{name}: {}",
            server.talk()
        );
        for seen in server.seen() {
            for (of, mark) in marks {
                let there = seen.body.to_string().contains(mark);
                assert!(!there || name == of, "{mark} went to {name}");
            }
        }
        let last = server.seen().pop().unwrap().body.to_string();
        let own = marks.iter().find(|(of, _)| *of == name);
        assert!(
            own.is_none_or(|(_, mark)| last.contains(mark)),
            "{name}: {last}"
        );
        id = Some(posted);
    }
    scripted.hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_failure_is_told_as_it_is_and_costs_nothing() {
    let (mut scripted, mut used, mut rows) = (hotel().await, 0, Vec::new());
    for script in scripts("failures").into_iter().chain(scripts("oddities")) {
        let name = script["name"].as_str().unwrap();
        let server = StandIn::start(&script).await;
        let model = server.model(Duration::from_millis(500));
        scripted.listen_to(model.clone() as _);
        let asked_at = Instant::now();
        let id = scripted.post(&beth(), None, name, "What do I owe?").await;
        let (thread, texts) = scripted.quiet_after(&beth(), &id).await;
        let took = asked_at.elapsed().as_secs();
        assert!(
            script["within"].as_u64().is_none_or(|most| took < most),
            "{name}: {took} s"
        );
        let sees = script["sees"].as_str().unwrap();
        assert!(
            last_text(&thread).contains(sees),
            "{name}: {:?}",
            thread.items
        );
        if let Some(meanwhile) = script["meanwhile"].as_str() {
            assert!(texts.concat().contains(meanwhile), "{name}: {texts:?}");
        }
        if let Some(calls) = script["calls"].as_array() {
            let shown = lines(&thread);
            let shown = shown.iter().filter(|line| line.starts_with("call: "));
            assert_eq!(
                &Vec::from_iter(shown.map(|line| json!(line))),
                calls,
                "{name}"
            );
        }
        let requests = json!(server.seen().len());
        assert_eq!(requests, script["requests"], "{name}: {}", server.talk());
        let usage = scripted.concierge.usage(&manager()).await.unwrap();
        assert!(usage.today.tokens() < MOST_TOKENS, "{name}: {usage:?}");
        if script["answers"].is_null() {
            assert_eq!(usage.today.tokens(), used, "{name}");
            let (code, _) = model.health_stats().last_error.unwrap();
            assert_eq!(json!(code), script["code"], "{name}");
            let counts = model.model_counts();
            let counted = counts
                .iter()
                .any(|count| json!(count.result) == script["code"]);
            assert!(counted, "{name}: {counts:?}");
        }
        used = usage.today.tokens();
        let seen = last_text(&thread);
        let text = script["meanwhile"]
            .as_str()
            .map_or(String::new(), |told| format!("“{told}” "));
        let code = script["code"].as_str().unwrap_or_default();
        rows.push(format!(
            "| {name} | {text}{} | {requests} | {code} |",
            seen.replace('\0', "")
        ));
    }
    compare_table(
        "Odd and failing answers",
        "| The server sends | The guest reads | Requests | *Outside systems* and metrics |",
        &rows,
    );
}
