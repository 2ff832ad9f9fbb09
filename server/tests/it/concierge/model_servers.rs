//! Servers of models as they are: what public reports say that they refuse, and how they put their
//! answers (`data/model_servers.json`). With each of them a guest reads, changes something by a click,
//! is refused, and gets a long answer. And whatever a server fails with, the guest reads why.

use std::time::Duration;

use dewy_domain::{
    concierge::{ConversationItem, ConversationView, ProposalState},
    ports::{Concierge, Decision},
};
use serde_json::{Value, json};

use super::{
    model_stand_in::{StandIn, concierge, quiet},
    scripted_hotel::{beth, lines, manager, proposals, states},
};
use crate::test_hotel::TestHotel;

const SERVERS: &str = include_str!("../../data/model_servers.json");

fn scripts(of: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(SERVERS).unwrap();
    all[of].as_array().unwrap().clone()
}

fn last_text(thread: &ConversationView) -> String {
    match thread.items.last().unwrap() {
        ConversationItem::Answered { text, .. } | ConversationItem::Trouble { text, .. } => {
            text.clone()
        }
        other => format!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_server_reads_writes_refuses_and_is_cut() {
    let hotel = TestHotel::open().await;
    let scripts = scripts("servers");
    assert!(scripts.len() >= 10);
    for script in scripts {
        let name = script["name"].as_str().unwrap();
        let server = StandIn::start(&script).await;
        let model = server.model(Duration::from_secs(5));
        let concierge = concierge(&hotel, &model);
        let say = async |words: &str| {
            let token = format!("{} {words}", script["model"]);
            let id = concierge
                .post_message(&beth(), None, &token, words)
                .await
                .unwrap();
            let (thread, texts) = quiet(&concierge, &id).await;
            (id, thread, texts)
        };

        // A read: two calls at once, and the round after them
        let (_, thread, texts) = say("What do I owe?").await;
        let shown = lines(&thread);
        let done = shown.iter().filter(|line| line.ends_with(" done")).count();
        assert_eq!(
            (done, last_text(&thread)),
            (2, "All is well.".to_owned()),
            "{name}: {shown:?} {}",
            server.talk()
        );
        assert!(
            !texts.concat().contains("Hm"),
            "{name}: thoughts are hidden: {texts:?}"
        );
        let lessons = server.refusals();
        let rules = script["refuses"].as_array().map_or(0, Vec::len);
        assert!(lessons <= rules + 1, "{name}: {lessons} of {rules}");

        // A write with its click
        let (id, thread, _) = say("I need two towels").await;
        let card = proposals(&thread)
            .pop()
            .unwrap_or_else(|| panic!("{name}: {:?} {}", lines(&thread), server.talk()));
        let decision = Decision {
            proposal: card.id,
            nonce: card.nonce,
            yes: true,
            choice: None,
        };
        concierge.decide(&beth(), &decision).await.unwrap();
        let (thread, _) = quiet(&concierge, &id).await;
        assert_eq!(states(&thread), [ProposalState::Done], "{name}");
        assert_eq!(
            last_text(&thread),
            "All is well.",
            "{name}: {}",
            server.talk()
        );

        // A refusal is shown in its words, or as one
        let (_, thread, _) = say("Tell me a joke about your boss").await;
        let refused = last_text(&thread);
        assert!(
            refused.starts_with("I can't") || refused.contains("content filter"),
            "{name}: {refused}"
        );

        // A long answer is cut, and half a call is none
        let (_, thread, _) = say("Tell me everything").await;
        let cut = last_text(&thread);
        assert!(cut.contains("cut off"), "{name}: {cut}");
        assert!(proposals(&thread).is_empty(), "{name}");

        // What was learned once is remembered
        let late = server
            .seen()
            .iter()
            .skip(lessons + 2)
            .filter(|seen| seen.refused)
            .count();
        assert!(
            late <= usize::from(script["teaches_late"].as_u64().unwrap_or(0) > 0),
            "{name}: {late}"
        );
        let answered = model
            .model_counts()
            .iter()
            .filter(|count| count.result == "answered")
            .map(|count| count.requests)
            .sum::<u64>();
        assert!(answered >= 5, "{name}: {:?}", model.model_counts());
    }
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_failure_is_told_as_it_is_and_costs_nothing() {
    let hotel = TestHotel::open().await;
    for script in scripts("failures") {
        let name = script["name"].as_str().unwrap();
        let server = StandIn::start(&script).await;
        let model = server.model(Duration::from_millis(500));
        let concierge = concierge(&hotel, &model);
        let id = concierge
            .post_message(&beth(), None, name, "What do I owe?")
            .await
            .unwrap();
        let (thread, texts) = quiet(&concierge, &id).await;
        let sees = script["sees"].as_str().unwrap();
        assert!(
            last_text(&thread).contains(sees),
            "{name}: {} {:?}",
            last_text(&thread),
            lines(&thread)
        );
        if let Some(meanwhile) = script["meanwhile"].as_str() {
            assert!(texts.concat().contains(meanwhile), "{name}: {texts:?}");
        }
        assert_eq!(
            json!(server.seen().len()),
            script["requests"],
            "{name}: {}",
            server.talk()
        );
        let usage = concierge.usage(&manager()).await.unwrap();
        if script["answers"].is_null() {
            assert_eq!(usage.today.tokens(), 0, "{name}");
            let (code, _) = model.health_stats().last_error.unwrap();
            assert_eq!(json!(code), script["code"], "{name}");
            assert!(
                model
                    .model_counts()
                    .iter()
                    .any(|count| json!(count.result) == script["code"]),
                "{name}"
            );
        }
    }
    hotel.close().await;
}
