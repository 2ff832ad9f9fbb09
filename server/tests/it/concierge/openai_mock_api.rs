//! Model loop against a second server that we did not write (npm `openai-mock-api`). It checks every
//! message and call that we send back, numbers no calls, names no usage, and streams as plain text.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use dewy_connectors::{ChatModel, ModelConfig, ObservedModel, RealClock};
use dewy_domain::{
    concierge::ProposalState,
    ports::{Clock, Concierge, Decision},
};
use serde_json::{Value, json};

use super::{
    model_stand_in::{concierge, quiet},
    scripted_hotel::{beth, lines, proposals, states},
};
use crate::test_hotel::TestHotel;

/// The process; gone with this.
struct OtherServer {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Drop for OtherServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments.to_string() } })
}

impl OtherServer {
    async fn start() -> Self {
        let end2end = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../end2end");
        let program = end2end.join("node_modules/openai-mock-api/dist/cli.js");
        assert!(
            program.exists(),
            "openai-mock-api is not installed: run `cargo xtask test`, or `npm ci` in end2end"
        );
        let any = |role: &str| json!({ "role": role, "matcher": "any", "tool_call_id": "any" });
        let user = |words: &str| json!({ "role": "user", "content": words, "matcher": "contains" });
        let says = |words: &str| json!({ "role": "assistant", "content": words });
        let calls = |calls: &[Value]| json!({ "role": "assistant", "tool_calls": calls });
        let reads = [
            call("call_a", "get_folio", &json!({})),
            call("call_b", "search_rooms_on_behalf_of_guest", &json!({})),
        ];
        let towels = json!({ "type": "Housekeeping", "description": "Two towels, please" });
        let write = [call("call_c", "submit_guest_service_request", &towels)];
        let read = [
            any("system"),
            user("do I owe"),
            calls(&reads),
            any("tool"),
            any("tool"),
            says("You owe $250.00."),
        ];
        let clicked = [
            says("The call of the click"),
            any("tool"),
            says("They are on their way."),
        ];
        let write = [
            any("system"),
            user("towels"),
            calls(&write),
            any("tool"),
            says("You decide above."),
        ];
        let write = [&write[..], &clicked].concat();
        // It answers with the last message of the first conversation that begins like the one it is sent
        let until = |all: &[Value], length: usize| json!({ "id": format!("{length}"), "messages": all[..length] });
        let responses = [
            until(&read, 3),
            until(&read, 6),
            until(&write, 3),
            until(&write, 5),
            until(&write, 8),
        ];
        let config = json!({ "apiKey": "key", "port": 3000, "responses": responses });
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.yaml");
        std::fs::write(&file, config.to_string()).unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let child = Command::new("node")
            .arg("--import")
            .arg(
                end2end
                    .join("vendors/on-loopback.mjs")
                    .canonicalize()
                    .unwrap(),
            )
            .arg(program)
            .arg("--config")
            .arg(file)
            .args(["--port", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self {
            child,
            port,
            _folder: folder,
        };
        for _ in 0..200 {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return server;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("openai-mock-api did not start");
    }

    fn model(&self, key: &str) -> Arc<ObservedModel> {
        let config = ModelConfig {
            base_url: format!("http://127.0.0.1:{}", self.port),
            api_key: key.into(),
            model: "gpt-4o".to_owned(),
            silence: Duration::from_secs(10),
            answer_tokens: 1_500,
            reasoning_tokens: 16_000,
            reasoning_effort: None,
            offline: false,
        };
        let clock: Arc<dyn Clock> = Arc::new(RealClock);
        let model = ChatModel::new(config, Arc::clone(&clock)).unwrap();
        Arc::new(ObservedModel::new(Arc::new(model), clock))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_reads_and_writes() {
    let (hotel, server) = (TestHotel::open().await, OtherServer::start().await);
    let concierge_of = |key: &str| concierge(&hotel, &server.model(key));
    let service = concierge_of("key");
    let say = async |words: &str| {
        let id = service
            .post_message(&beth(), None, words, words)
            .await
            .unwrap();
        (quiet(&service, &id).await.0, id)
    };
    let (thread, _) = say("What do I owe?").await;
    let shown = lines(&thread);
    let done = shown.iter().filter(|line| line.ends_with(" done")).count();
    assert_eq!(
        (done, shown.last().unwrap().as_str()),
        (2, "answered: You owe $250.00."),
        "{shown:?}"
    );
    let (thread, id) = say("I need two towels").await;
    let card = proposals(&thread).pop().unwrap();
    let decision = Decision {
        proposal: card.id,
        nonce: card.nonce,
        yes: true,
        choice: None,
    };
    service.decide(&beth(), &decision).await.unwrap();
    let (thread, _) = quiet(&service, &id).await;
    assert_eq!(states(&thread), [ProposalState::Done]);
    assert_eq!(
        lines(&thread).last().unwrap(),
        "answered: They are on their way."
    );
    let wrong = concierge_of("another");
    let id = wrong
        .post_message(&beth(), None, "w", "What do I owe?")
        .await
        .unwrap();
    assert_eq!(
        lines(&quiet(&wrong, &id).await.0),
        ["said: What do I owe?", "trouble"]
    );
    drop(server);
    hotel.close().await;
}
