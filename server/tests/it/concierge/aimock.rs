//! Model loop against an independent OpenAI-compatible server (npm `@copilotkit/aimock`), with and
//! without faults: no message is lost, nothing runs twice, and the user is always told.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use dewy_concierge::{ConciergeService, Parts, Settings};
use dewy_connectors::{ChatModel, ModelConfig};
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::{
    concierge::{ConversationView, LiveState, ProposalState},
    ports::{Concierge, Decision},
};
use serde_json::json;

use super::scripted_hotel::{beth, lines, proposals, states};
use crate::test_hotel::TestHotel;

/// The other server, as a process; gone with this.
struct Aimock {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Drop for Aimock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Aimock {
    async fn start(faults: &[&str]) -> Self {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../end2end/node_modules/@copilotkit/aimock/dist/cli.js");
        assert!(
            root.exists(),
            "aimock is not installed: run `cargo xtask test`, or `npm ci` in end2end"
        );
        let folder = tempfile::tempdir().unwrap();
        let fixtures = folder.path().join("fixtures.json");
        let calls = json!([{ "name": "get_folio", "arguments": "{}" }, { "name": "search_rooms_on_behalf_of_guest", "arguments": "{}" }]);
        let all = json!({ "fixtures": [
            { "match": { "userMessage": "What do I owe", "hasToolResult": true },
              "response": { "content": "You owe $250.00 for room 302. Shall I help you to leave?" } },
            { "match": { "userMessage": "What do I owe" }, "response": { "toolCalls": calls } },
            { "match": { "userMessage": "check out", "hasToolResult": true },
              "response": { "content": "The card below waits for your decision." } },
            { "match": { "userMessage": "check out" },
              "response": { "toolCalls": [{ "name": "process_guest_checkout", "arguments": "{}" }] } },
        ] });
        std::fs::write(&fixtures, all.to_string()).unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let child = Command::new("node")
            .arg(root)
            .args([
                "--port",
                &port.to_string(),
                "--strict",
                "--log-level",
                "warn",
                "--chunk-size",
                "5",
                "--fixtures",
            ])
            .arg(&fixtures)
            .args(faults)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mock = Self {
            child,
            port,
            _folder: folder,
        };
        for _ in 0..200 {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return mock;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("aimock did not start");
    }

    fn concierge(&self, hotel: &TestHotel, silence: Duration) -> ConciergeService {
        self.concierge_at("/v1", hotel, silence)
    }

    fn concierge_at(&self, base: &str, hotel: &TestHotel, silence: Duration) -> ConciergeService {
        let config = ModelConfig {
            base_url: format!("http://127.0.0.1:{}{base}", self.port),
            api_key: "key".into(),
            model: "gpt-4o-mini".to_owned(),
            silence,
            answer_tokens: 1_500,
            reasoning_tokens: 16_000,
            reasoning_effort: None,
            offline: false,
        };
        let server = &hotel.server;
        ConciergeService::new(Parts {
            store: server.store.clone(),
            model: Arc::new(ChatModel::new(config, Arc::new(RealClock)).unwrap()),
            dispatcher: Arc::clone(&server.hotel) as _,
            confirmations: Arc::clone(&server.hotel) as _,
            execution_feed: Arc::clone(&server.hotel) as _,
            clock: Arc::new(RealClock),
            entropy: Arc::new(OsEntropy),
            settings: Settings::default(),
        })
    }
}

async fn quiet(concierge: &ConciergeService, id: &str) -> ConversationView {
    let mut seen = LiveState::unseen();
    for _ in 0..600 {
        let live = concierge
            .changed(&beth(), id, &seen, Duration::from_millis(200))
            .await
            .unwrap();
        let thread = concierge.conversation(&beth(), Some(id)).await.unwrap();
        if !live.busy
            && !live.differs(&seen)
            && !proposals(&thread)
                .iter()
                .any(|proposal| proposal.state.under_way())
        {
            return thread;
        }
        seen = live;
    }
    panic!("it never became quiet");
}

#[tokio::test(flavor = "multi_thread")]
async fn text_and_parallel_calls_of_another_server_are_parsed() {
    let (hotel, mock) = (
        TestHotel::open().await,
        Aimock::start(&["--latency", "60"]).await,
    );
    let concierge = mock.concierge(&hotel, Duration::from_secs(10));
    let id = concierge
        .post_message(&beth(), None, "t", "What do I owe?")
        .await
        .unwrap();
    let mut received = Vec::new();
    let mut seen = LiveState::unseen();
    loop {
        let live = concierge
            .changed(&beth(), &id, &seen, Duration::from_secs(5))
            .await
            .unwrap();
        if !live.text.is_empty() {
            received.push(live.text.clone());
        }
        if !live.busy {
            break;
        }
        seen = live;
    }
    let thread = quiet(&concierge, &id).await;
    let shown = lines(&thread);
    assert_eq!(
        shown.iter().filter(|line| line.ends_with(" done")).count(),
        2,
        "{shown:?}"
    );
    assert_eq!(
        shown.last().unwrap(),
        "answered: You owe $250.00 for room 302. Shall I help you to leave?"
    );
    assert!(
        received.len() > 2,
        "the words came one after the other: {received:?}"
    );
    drop(mock);
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_by_another_server_runs_on_approval_over_both_interfaces() {
    for base in ["/v1", "/v1/responses"] {
        let (hotel, mock) = (TestHotel::open().await, Aimock::start(&[]).await);
        let concierge = mock.concierge_at(base, &hotel, Duration::from_secs(10));
        let ask = async |words: &str| concierge.post_message(&beth(), None, words, words).await;
        let id = ask("What do I owe?").await.unwrap();
        let shown = lines(&quiet(&concierge, &id).await);
        let done = shown.iter().filter(|line| line.ends_with(" done")).count();
        assert!(
            done == 2 && shown.last().unwrap().starts_with("answered: You owe"),
            "{base}: {shown:?}"
        );
        let id = ask("I want to check out").await.unwrap();
        let proposal = proposals(&quiet(&concierge, &id).await).remove(0);
        let decision = Decision {
            proposal: proposal.id,
            nonce: proposal.nonce,
            yes: true,
            choice: Some("pm_card_visa".to_owned()),
        };
        concierge.decide(&beth(), &decision).await.unwrap();
        let thread = quiet(&concierge, &id).await;
        assert_eq!(states(&thread), [ProposalState::Done], "{base}");
        drop(mock);
        hotel.close().await;
    }
}

/// Each fault at every request: the person gets an error, and their message is stored.
#[tokio::test(flavor = "multi_thread")]
async fn every_connection_fault_is_reported_without_loss() {
    for fault in [
        &["--chaos-drop", "1"][..],
        &["--chaos-malformed", "1"],
        &["--chaos-disconnect", "1"],
        &["--chaos-ratelimit", "1"],
        &["--chaos-latency", "2000"],
    ] {
        let (hotel, mock) = (TestHotel::open().await, Aimock::start(fault).await);
        let concierge = mock.concierge(&hotel, Duration::from_millis(500));
        let id = concierge
            .post_message(&beth(), None, "t", "What do I owe?")
            .await
            .unwrap();
        let thread = quiet(&concierge, &id).await;
        assert_eq!(
            lines(&thread),
            ["said: What do I owe?", "trouble"],
            "{fault:?}"
        );
        drop(mock);
        // It comes back, and the same conversation goes on
        let mock = Aimock::start(&[]).await;
        let concierge = mock.concierge(&hotel, Duration::from_secs(10));
        concierge.retry_turn(&beth(), &id).await.unwrap();
        let thread = quiet(&concierge, &id).await;
        assert!(
            lines(&thread)
                .last()
                .unwrap()
                .starts_with("answered: You owe $250.00"),
            "{fault:?}"
        );
        drop(mock);
        hotel.close().await;
    }
}

/// Faults at every third request or so: what is whole is used once, what is not is asked again.
#[tokio::test(flavor = "multi_thread")]
async fn intermittent_faults_cause_no_duplicate_actions() {
    let faults = [
        "--chaos-drop",
        "0.15",
        "--chaos-malformed",
        "0.1",
        "--chaos-disconnect",
        "0.15",
        "--chaos-ratelimit",
        "0.1",
    ];
    let (hotel, mock) = (TestHotel::open().await, Aimock::start(&faults).await);
    let concierge = mock.concierge(&hotel, Duration::from_secs(5));
    let mut said = 0;
    let mut last = None;
    for n in 0..12 {
        let id = concierge
            .post_message(
                &beth(),
                last.as_deref(),
                &format!("t{n}"),
                "I want to check out",
            )
            .await
            .unwrap();
        let thread = quiet(&concierge, &id).await;
        said += 1;
        let open = states(&thread)
            .into_iter()
            .filter(|state| *state == ProposalState::Proposed)
            .count();
        assert!(
            open <= 1,
            "never two cards for one wish: {:?}",
            lines(&thread)
        );
        assert_eq!(
            lines(&thread)
                .iter()
                .filter(|line| line.starts_with("said"))
                .count(),
            said,
            "nothing that was said is lost"
        );
        last = Some(id);
        if thread.standing == dewy_domain::concierge::Responder::Staff {
            break;
        }
    }
    let state = hotel.state();
    assert!(
        state["stripe"]["payment_intents"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["status"] != "succeeded")
    );
    drop(mock);
    hotel.close().await;
}
