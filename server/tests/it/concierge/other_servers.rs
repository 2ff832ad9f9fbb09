//! Model loop against two OpenAI-compatible servers that we did not write (npm `@copilotkit/aimock` and
//! `openai-mock-api`), with and without faults: no message is lost, nothing runs twice, and the user is
//! always told.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use dewy_connectors::{ChatModel, ModelConfig};
use dewy_domain::{
    concierge::{ProposalState, Responder},
    ports::Model,
};

use super::scripted_hotel::*;
use crate::prelude::*;

/// The other server, as a process; gone with this.
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

impl OtherServer {
    /// Starts a package's program with a file of what it answers.
    async fn start(program: &str, file_option: &str, answers: &Value, options: &[&str]) -> Self {
        let end2end = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../end2end");
        let end2end = end2end.canonicalize().unwrap();
        let program = end2end.join("node_modules").join(program);
        assert!(
            program.exists(),
            "{} is not installed: run `cargo xtask test`, or `npm ci` in end2end",
            program.display()
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("answers.json");
        std::fs::write(&file, answers.to_string()).unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let child = Command::new("node")
            .arg("--import")
            .arg(end2end.join("vendors/on-loopback.mjs"))
            .arg(program)
            .args(["--port", &port.to_string(), file_option])
            .arg(&file)
            .args(options)
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
        panic!("{file_option} {answers}: the server did not start");
    }

    async fn aimock(faults: &[&str]) -> Self {
        let call = |name: &str| json!({ "name": name, "arguments": "{}" });
        let reads = [call("get_folio"), call("search_rooms_on_behalf_of_guest")];
        let answers = json!({ "fixtures": [
            { "match": { "userMessage": "What do I owe", "hasToolResult": true },
              "response": { "content": "You owe $250.00 for room 302. Shall I help you to leave?" } },
            { "match": { "userMessage": "What do I owe" }, "response": { "toolCalls": reads } },
            { "match": { "userMessage": "check out", "hasToolResult": true },
              "response": { "content": "The card below waits for your decision." } },
            { "match": { "userMessage": "check out" },
              "response": { "toolCalls": [call("process_guest_checkout")] } },
        ] });
        let options = ["--strict", "--log-level", "warn", "--chunk-size", "5"];
        let program = "@copilotkit/aimock/dist/cli.js";
        Self::start(
            program,
            "--fixtures",
            &answers,
            &[&options, faults].concat(),
        )
        .await
    }

    /// It checks every message and call that we send back, numbers no calls, names no usage, and
    /// streams as plain text.
    async fn openai_mock_api() -> Self {
        let call = |id: &str, name: &str, arguments: Value| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments.to_string() } });
        let any = |role: &str| json!({ "role": role, "matcher": "any", "tool_call_id": "any" });
        let user = |words: &str| json!({ "role": "user", "content": words, "matcher": "contains" });
        let says = |words: &str| json!({ "role": "assistant", "content": words });
        let calls = |calls: &[Value]| json!({ "role": "assistant", "tool_calls": calls });
        let reads = [
            call("call_a", "get_folio", json!({})),
            call("call_b", "search_rooms_on_behalf_of_guest", json!({})),
        ];
        let towels = json!({ "type": "Housekeeping", "description": "Two towels, please" });
        let write = call("call_c", "submit_guest_service_request", towels);
        let read = [
            any("system"),
            user("do I owe"),
            calls(&reads),
            any("tool"),
            any("tool"),
            says("You owe $250.00."),
        ];
        let write = [
            any("system"),
            user("towels"),
            calls(&[write]),
            any("tool"),
            says("You decide above."),
            says("The call of the click"),
            any("tool"),
            says("They are on their way."),
        ];
        // It answers with the last message of the first conversation that begins like the one it is sent
        let until = |all: &[Value], length: usize| json!({ "id": format!("{length}"), "messages": all[..length] });
        let responses = [
            until(&read, 3),
            until(&read, 6),
            until(&write, 3),
            until(&write, 5),
            until(&write, 8),
        ];
        let answers = json!({ "apiKey": "key", "port": 3000, "responses": responses });
        let program = "openai-mock-api/dist/cli.js";
        Self::start(program, "--config", &answers, &[]).await
    }

    fn model(&self, base: &str, key: &str, silence: Duration) -> Arc<dyn Model> {
        let config = ModelConfig {
            api_key: key.into(),
            ..model_config(format!("http://127.0.0.1:{}{base}", self.port), silence)
        };
        Arc::new(ChatModel::new(config, Arc::new(RealClock)).unwrap())
    }
}

/// A hotel whose concierge asks that server.
async fn hotel_of(server: &OtherServer, base: &str, silence: Duration) -> ScriptedHotel {
    let mut scripted = ScriptedHotel::open(vec![]).await;
    scripted.listen_to(server.model(base, "key", silence));
    scripted
}

const PATIENT: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn every_other_server_reads_and_writes_on_approval() {
    let owes = "answered: You owe $250.00";
    let out = "I want to check out";
    for (mock, base, write, choice, end) in [
        ("aimock", "/v1", out, Some("pm_card_visa"), "answered: "),
        (
            "aimock",
            "/v1/responses",
            out,
            Some("pm_card_visa"),
            "answered: ",
        ),
        (
            "openai-mock-api",
            "",
            "I need two towels",
            None,
            "answered: They are on their way.",
        ),
    ] {
        let server = match mock {
            "aimock" => OtherServer::aimock(&["--latency", "60"]).await,
            _ => OtherServer::openai_mock_api().await,
        };
        let mut scripted = hotel_of(&server, base, PATIENT).await;
        let id = scripted.post(&beth(), None, "t", "What do I owe?").await;
        let (thread, received) = scripted.quiet_after(&beth(), &id).await;
        let shown = lines(&thread);
        let done = shown.iter().filter(|line| line.ends_with(" done")).count();
        assert_eq!(done, 2, "{mock} {base}: {shown:?}");
        assert!(
            shown.last().unwrap().starts_with(owes),
            "{mock} {base}: {shown:?}"
        );
        let one_by_one = received.len() > 2 || mock != "aimock";
        assert!(
            one_by_one,
            "the words came one after the other: {received:?}"
        );
        let id = scripted.post(&beth(), None, "w", write).await;
        let card = proposals(&scripted.quiet(&beth(), &id).await).remove(0);
        let yes = decision(&card, true, choice);
        scripted.concierge.decide(&beth(), &yes).await.unwrap();
        let thread = scripted.quiet(&beth(), &id).await;
        assert_eq!(states(&thread), [ProposalState::Done], "{mock} {base}");
        assert!(
            lines(&thread).last().unwrap().starts_with(end),
            "{:?}",
            lines(&thread)
        );
        if mock != "aimock" {
            scripted.listen_to(server.model(base, "another", PATIENT));
            let id = scripted.post(&beth(), None, "k", "What do I owe?").await;
            let thread = scripted.quiet(&beth(), &id).await;
            assert_eq!(lines(&thread), ["said: What do I owe?", "trouble"]);
        }
        scripted.hotel.close().await;
    }
}

/// Each fault at every request: the person gets an error, and their message is stored.
#[tokio::test(flavor = "multi_thread")]
async fn every_connection_fault_is_reported_without_loss() {
    for fault in [
        ["--chaos-drop", "1"],
        ["--chaos-malformed", "1"],
        ["--chaos-disconnect", "1"],
        ["--chaos-ratelimit", "1"],
        ["--chaos-latency", "2000"],
    ] {
        let server = OtherServer::aimock(&fault).await;
        let mut scripted = hotel_of(&server, "/v1", Duration::from_millis(500)).await;
        let thread = scripted.say(&beth(), "What do I owe?").await;
        assert_eq!(
            lines(&thread),
            ["said: What do I owe?", "trouble"],
            "{fault:?}"
        );
        drop(server);
        // It comes back, and the same conversation goes on
        let server = OtherServer::aimock(&[]).await;
        scripted.listen_to(server.model("/v1", "key", PATIENT));
        scripted
            .concierge
            .retry_turn(&beth(), &thread.id)
            .await
            .unwrap();
        let shown = lines(&scripted.quiet(&beth(), &thread.id).await);
        let answer = shown.last().unwrap();
        assert!(
            answer.starts_with("answered: You owe $250.00"),
            "{fault:?} {answer}"
        );
        scripted.hotel.close().await;
    }
}

/// Faults at every third request or so: what is whole is used once, what is not is asked again.
#[tokio::test(flavor = "multi_thread")]
async fn intermittent_faults_cause_no_duplicate_actions() {
    let server = OtherServer::aimock(&[
        "--chaos-drop=0.15",
        "--chaos-malformed=0.1",
        "--chaos-disconnect=0.15",
        "--chaos-ratelimit=0.1",
    ])
    .await;
    let scripted = hotel_of(&server, "/v1", Duration::from_secs(5)).await;
    for said in 1..=12 {
        let thread = scripted.say(&beth(), "I want to check out").await;
        let shown = lines(&thread);
        let states = states(&thread);
        let open = states
            .iter()
            .filter(|state| **state == ProposalState::Proposed);
        assert!(open.count() <= 1, "never two cards for one wish: {shown:?}");
        let kept = shown.iter().filter(|line| line.starts_with("said")).count();
        assert_eq!(kept, said, "nothing that was said is lost");
        if thread.standing == Responder::Staff {
            break;
        }
    }
    assert_eq!(scripted.charges(), 0);
}
