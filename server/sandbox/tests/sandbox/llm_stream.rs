//! The model over real sockets: text arrives in chunks, and a cut leaves half of it.

use std::time::Instant;

use dewy_sandbox::{WebhookTransport, serve, test_clock::TestClock};
use tokio::net::TcpListener;

use crate::{chat_client::body, prelude::*};

struct StreamedReply {
    /// Arrival time of each chunk.
    times: Vec<Duration>,
    text: String,
    broken: bool,
}

async fn start() -> (Sandbox, String) {
    // Initializes the client's TLS with the sandbox's own.
    drop(WebhookTransport::new().unwrap());
    let sandbox = Sandbox::in_memory(Arc::new(TestClock::new()), 1);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!(
        "http://{}/v1/chat/completions",
        listener.local_addr().unwrap()
    );
    tokio::spawn(serve(listener, sandbox.clone(), std::future::pending()));
    (sandbox, url)
}

fn hello() -> Value {
    let facts =
        json!({"today": "2026-03-10", "persona": "guest", "guest_email": "beth.gibbs@email.com"});
    body(
        &[
            system(&facts),
            json!({"role": "user", "content": "Good morning!"}),
        ],
        &tools(None),
    )
}

async fn listen(url: &str) -> StreamedReply {
    let began = Instant::now();
    let call = reqwest::Client::new()
        .post(url)
        .bearer_auth("k")
        .body(hello().to_string());
    let mut answer = call.send().await.unwrap();
    let mut reply = StreamedReply {
        times: Vec::new(),
        text: String::new(),
        broken: false,
    };
    loop {
        match answer.chunk().await {
            Ok(Some(piece)) => {
                reply.times.push(began.elapsed());
                reply.text.push_str(std::str::from_utf8(&piece).unwrap());
            }
            Ok(None) => break,
            Err(_) => {
                reply.broken = true;
                break;
            }
        }
    }
    reply
}

#[tokio::test]
async fn text_is_streamed_over_time() {
    let (sandbox, url) = start().await;
    let mut latency = Latency::none();
    latency.set(System::Llm, "chat", 500);
    sandbox.set_latency(latency);
    let reply = listen(&url).await;
    assert!(reply.text.ends_with("data: [DONE]\n\n") && !reply.broken);
    let (first, last) = (reply.times[0], *reply.times.last().unwrap());
    assert!(first >= Duration::from_millis(480), "{first:?}");
    assert!(
        reply.times.len() > 5 && last > first + Duration::from_millis(100),
        "{} pieces, {first:?} to {last:?}",
        reply.times.len()
    );
}

#[tokio::test]
async fn a_reset_after_effect_breaks_the_stream() {
    let (sandbox, url) = start().await;
    let whole = listen(&url).await.text;
    sandbox.add_fault(Fault::new(System::Llm, "chat", FaultKind::ResetAfterEffect));
    let cut = listen(&url).await;
    assert!(cut.broken, "the connection breaks");
    assert!(cut.text.contains("data: {") && !cut.text.contains("[DONE]"));
    assert!(cut.text.matches("\n\n").count() < whole.matches("\n\n").count());
    assert_eq!(last(&sandbox).status, Some(200));
}
