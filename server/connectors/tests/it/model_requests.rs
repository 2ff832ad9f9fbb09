//! Writes every form of a request to a model as an object literal of the type that OpenAI's own client
//! declares for it; `cargo xtask vendors` gives them to the TypeScript compiler. The forms are those
//! that a server's refusals lead to.

use std::{fmt::Write as _, path::Path, sync::Mutex};

use dewy_connectors::{ChatModel, ModelConfig, RealClock};
use dewy_domain::ports::{Model, ModelCall, ModelError, ModelMessage, ModelRequest, ModelTool};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

use crate::prelude::*;

/// Path and body of a request.
async fn received(socket: &mut BufReader<TcpStream>) -> (String, Vec<u8>) {
    let (mut path, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        socket.read_line(&mut line).await.unwrap();
        match line.trim().to_lowercase().split_once(": ") {
            Some(("content-length", value)) => length = value.parse().unwrap(),
            _ if path.is_empty() => path = line.split(' ').nth(1).unwrap().to_owned(),
            _ if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    socket.read_exact(&mut body).await.unwrap();
    (path, body)
}

/// Refuses everything with these messages in turn; keeps what was sent, by path.
async fn server(refusals: &'static [&'static str]) -> (String, Arc<Mutex<Vec<(String, Value)>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let seen: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
    let kept = Arc::clone(&seen);
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            let mut socket = BufReader::new(socket);
            let (path, body) = received(&mut socket).await;
            let n = {
                let mut kept = kept.lock().unwrap();
                kept.push((path, serde_json::from_slice(&body).unwrap()));
                kept.len()
            };
            let words = refusals.get(n - 1).unwrap_or(&"that is all");
            let answer = json!({ "error": { "message": words } }).to_string();
            let head = format!(
                "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                answer.len()
            );
            socket
                .write_all(format!("{head}{answer}").as_bytes())
                .await
                .unwrap();
        }
    });
    (address, seen)
}

fn model(base_url: String, effort: Option<&str>) -> ChatModel {
    let config = ModelConfig {
        base_url,
        api_key: "key".into(),
        model: "gpt-5.6".to_owned(),
        silence: Duration::from_secs(5),
        answer_tokens: 1_500,
        reasoning_tokens: 16_000,
        reasoning_effort: effort.map(str::to_owned),
        offline: false,
    };
    ChatModel::new(config, Arc::new(RealClock)).unwrap()
}

/// Answers with this frame again and again until nobody reads; returns how many bytes were taken.
async fn endless(frame: String) -> (String, tokio::sync::oneshot::Receiver<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, taken) = tokio::sync::oneshot::channel();
    tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        let mut socket = BufReader::new(socket);
        received(&mut socket).await;
        let head =
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n";
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut sent = 0;
        while socket.write_all(frame.as_bytes()).await.is_ok() && sent < 64_000_000 {
            sent += frame.len();
        }
        tell.send(sent).unwrap();
    });
    (address, taken)
}

#[tokio::test]
async fn a_stream_without_an_end_is_cut() {
    let words = "word ".repeat(200);
    let function = json!({ "name": "get_folio", "arguments": words });
    let delta = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] });
    for (frame, base) in [
        (delta(json!({ "content": words })), "/v1"),
        (delta(json!({ "reasoning_content": words })), "/v1"),
        (delta(json!({ "reasoning": words })), "/v1"),
        (
            delta(
                json!({ "tool_calls": [{ "index": 0, "id": "a", "type": "function", "function": function }] }),
            ),
            "/v1",
        ),
        (
            json!({ "type": "response.output_text.delta", "delta": words }),
            "/v1/responses",
        ),
        (json!(words), "/v1"),
        (json!(format!("data: {words}\n")), "/v1"),
    ] {
        let line = match &frame {
            Value::String(line) => line.clone(),
            data => format!("data: {data}\n\n"),
        };
        let (address, taken) = endless(line).await;
        let model = model(format!("{address}{base}"), None);
        let answer = model.answer(request(false), &|_| ()).await;
        let Err(ModelError::Broken(reason)) = answer else {
            panic!("{frame}: {answer:?}");
        };
        assert_eq!(reason, "its answer is too long");
        drop(model);
        // What is on its way, in the buffers of both sides, is more than what was read
        let taken = taken.await.unwrap();
        assert!(taken < 32_000_000, "{taken} bytes of {frame}");
    }
}

fn request(tools: bool) -> ModelRequest {
    let call = ModelCall {
        id: "call_1".to_owned(),
        name: "get_folio".to_owned(),
        arguments: "{}".to_owned(),
    };
    let assistant = |text: &str, calls: Vec<ModelCall>| ModelMessage::Assistant {
        text: text.to_owned(),
        calls,
        opaque: Value::Null,
    };
    let mut messages = vec![
        ModelMessage::System("Be kind.".to_owned()),
        ModelMessage::User("Hello".to_owned()),
        assistant("Good morning.", Vec::new()),
        ModelMessage::User("What do I owe?".to_owned()),
    ];
    if tools {
        messages.push(assistant("", vec![call]));
        messages.push(ModelMessage::ToolResult {
            call_id: "call_1".to_owned(),
            content: "{}".to_owned(),
        });
    }
    let tool = ModelTool {
        name: "get_folio".to_owned(),
        description: "The bill.".to_owned(),
        schema: json!({ "type": "object", "additionalProperties": false, "properties": { "room": { "type": "string", "pattern": "^[0-9]+$" } } }),
    };
    ModelRequest {
        messages,
        tools: Vec::from_iter(Some(tool).filter(|_| tools)),
        person: "conversation".to_owned(),
    }
}

#[tokio::test]
async fn every_form_is_written_for_the_vendors_compiler() {
    const TOOLS: &str = "Function tools with reasoning_effort are not supported in /v1/chat/completions. To use function tools, use \
        /v1/responses or set reasoning_effort to 'none'.";
    let mut forms = Vec::new();
    for (refusals, base, effort, tools) in [
        // Chat completions as they begin, then one member less at a time
        (
            &[
                "Unsupported: 'max_completion_tokens'",
                "Unsupported: 'parallel_tool_calls'",
                "Unsupported: 'stream_options'",
                "Unsupported: \"user\"",
            ][..],
            "/v1",
            None,
            true,
        ),
        (
            &["Unsupported: 'reasoning_effort' must be 'none'"],
            "/v1",
            Some("low"),
            true,
        ),
        (&[], "/v1", None, false),
        (
            &[
                TOOLS,
                "Unsupported: 'include'",
                "Invalid schema for function",
            ],
            "/v1",
            None,
            true,
        ),
        (&[], "/v1/responses", Some("low"), false),
    ] {
        let (address, seen) = server(refusals).await;
        let model = model(format!("{address}{base}"), effort);
        let answer = model.answer(request(tools), &|_| ()).await;
        assert!(
            matches!(answer, Err(ModelError::Refused { status: 400, .. })),
            "{answer:?}"
        );
        let seen = seen.lock().unwrap().clone();
        assert_eq!(
            seen.len(),
            refusals.len() + 1,
            "each refusal teaches: {seen:#?}"
        );
        forms.extend(seen);
    }
    let mut file = "import type { ChatCompletionCreateParamsStreaming } from \"openai/resources/chat/completions\";\n\
        import type { ResponseCreateParamsStreaming } from \"openai/resources/responses/responses\";\n"
        .to_owned();
    for (n, (path, body)) in forms.iter().enumerate() {
        let declared = match path.as_str() {
            "/v1/chat/completions" => "ChatCompletionCreateParamsStreaming",
            "/v1/responses" => "ResponseCreateParamsStreaming",
            other => panic!("no declaration for {other}"),
        };
        writeln!(file, "export const request{n}: {declared} = {body:#};").unwrap();
    }
    assert!(
        forms
            .iter()
            .filter(|(path, _)| path.ends_with("/responses"))
            .count()
            == 4
    );
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vendors");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("openai-requests.ts"), file).unwrap();
}
