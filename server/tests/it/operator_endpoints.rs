//! Health, metrics, logs and limits, as operators see them.

use sqlx::Connection;

use crate::{concierge::model_stand_in::StandIn, prelude::*};

#[tokio::test]
async fn health_readiness_and_metrics() {
    let hotel = TestHotel::open().await;
    assert_eq!(hotel.get("/healthz").await.status(), 200);
    assert_eq!(hotel.get("/readyz").await.status(), 200);
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    guest.call(Era::Modern, "get_folio", json!({})).await;
    guest
        .call(
            Era::Modern,
            "get_folio",
            json!({ "booking_number": "BK-999999" }),
        )
        .await;
    let text = hotel.get("/metrics").await.text().await.unwrap();
    for line in [
        "dewy_calls_total{tool=\"get_folio\",outcome=\"done\",interface=\"mcp\"}",
        "dewy_calls_total{tool=\"get_folio\",outcome=\"BOOKING_NOT_FOUND\",interface=\"mcp\"}",
        "dewy_upstream_calls_total{system=\"salesforce\",operation=\"query\",outcome=\"done\"}",
        "dewy_executions{state=\"needs_attention\"}",
        "dewy_salesforce_quota_used",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    assert!(!text.contains('@'), "no person in the metrics");
}

/// Only the hotel of this test has a model of this name.
#[tokio::test(flavor = "multi_thread")]
async fn requests_to_the_model_are_counted_by_result() {
    let delta =
        json!({ "index": 0, "delta": { "content": "All is well." }, "finish_reason": "stop" });
    let usage = json!({ "prompt_tokens": 1_100, "completion_tokens": 7 });
    let answer = json!([{ "choices": [delta], "usage": usage }]);
    // One refusal, and a failure that is repeated twice
    let refuses = json!([{ "when": { "first": 1 }, "status": 401 }, { "when": { "first": 4 }, "status": 500 }]);
    let server =
        StandIn::start(&json!({ "refuses": refuses, "answers": { "long": answer } })).await;
    let hotel = TestHotel::with(&[
        ("DEWY_MODE", "trial"),
        ("OPENAI_API_KEY", "key"),
        ("OPENAI_BASE_URL", &server.base()),
        ("OPENAI_MODEL", "counted"),
    ])
    .await;
    let guest = hotel.browser();
    guest.code_for(BETH).await;
    guest.enter(&hotel.texted_code().await).await;
    let results = [("http_401", 1), ("http_500", 3), ("answered", 1)];
    for (n, (result, count)) in results.into_iter().enumerate() {
        let fields = format!("text=When+is+breakfast%3F&idempotency_token=m{n}");
        guest.post("concierge_say", &fields).await;
        let line =
            format!("dewy_model_requests_total{{model=\"counted\",result=\"{result}\"}} {count}\n");
        let mut text = String::new();
        for _ in 0..600 {
            text = hotel.get("/metrics").await.text().await.unwrap();
            if text.contains(&line) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(text.contains(&line), "{line} in\n{text}");
    }
    let text = hotel.get("/metrics").await.text().await.unwrap();
    let counted = |line: &&str| line.starts_with("dewy_model_") && line.contains("\"counted\"");
    let mut lines: Vec<&str> = text.lines().filter(counted).collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "dewy_model_requests_total{model=\"counted\",result=\"answered\"} 1",
            "dewy_model_requests_total{model=\"counted\",result=\"http_401\"} 1",
            "dewy_model_requests_total{model=\"counted\",result=\"http_500\"} 3",
            "dewy_model_tokens_total{model=\"counted\",direction=\"input\"} 1100",
            "dewy_model_tokens_total{model=\"counted\",direction=\"output\"} 7",
        ]
    );
    hotel.close().await;
}

/// If only the audit log can't be written, readiness fails after ten seconds, and the pending rows
/// are written once it works again.
#[tokio::test]
async fn a_stalled_audit_log_is_noticed() {
    let hotel = TestHotel::open().await;
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    let rename = async |from: &str, to: &str| {
        let (_, url) = &hotel.environment()[0];
        let mut database = sqlx::SqliteConnection::connect(url).await.unwrap();
        let sql = format!("alter table {from} rename to {to}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql))
            .execute(&mut database)
            .await
            .unwrap();
        database.close().await.unwrap();
    };
    rename("tool_call", "away").await;
    guest.call(Era::Modern, "get_folio", json!({})).await;
    let ready = async || {
        let answer = hotel.get("/readyz").await;
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let mut seen = ready().await;
    for _ in 0..300 {
        if seen.0 != 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        seen = ready().await;
    }
    assert!(
        seen.0 == 503 && seen.1.starts_with("calls have not been recorded for "),
        "{seen:?}"
    );
    let metrics = hotel.get("/metrics").await.text().await.unwrap();
    assert!(
        metrics.contains("dewy_call_writer_stuck_seconds")
            && metrics.contains("dewy_calls_set_aside_total"),
        "{metrics}"
    );
    rename("away", "tool_call").await;
    for _ in 0..300 {
        if ready().await.0 == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(ready().await.0, 200);
    let filter = dewy_store::CallFilter {
        limit: 10,
        ..dewy_store::CallFilter::default()
    };
    let recorded = hotel.server.store.calls(&filter).await.unwrap();
    assert_eq!(recorded.len(), 1, "{recorded:?}");
}

#[tokio::test]
async fn executions_are_counted_by_state() {
    let hotel = TestHotel::open().await;
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    let order = json!({ "amount": 25000, "idempotency_token": "b" });
    guest
        .call(Era::Modern, "process_guest_checkout", order)
        .await;
    let text = hotel.get("/metrics").await.text().await.unwrap();
    // Other hotels of this process report to the same place, so only their being there can be asked
    // for.
    for state in dewy_saga::State::ALL {
        let line = format!("dewy_executions{{state=\"{}\"}}", state.name());
        assert!(text.contains(&line), "{line} in\n{text}");
    }
    assert!(
        text.contains("dewy_upstream_calls_total{system=\"twilio\"") || !text.contains("twilio"),
        "{text}"
    );
}

/// Idle and slow connections are closed; active ones stay open.
#[tokio::test]
async fn slow_connections_are_closed() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = axum::Router::new().route("/", axum::routing::get(|| async { "here\n" }));
    let stopping = tokio_util::sync::CancellationToken::new();
    let head = Duration::from_millis(600);
    let serving = tokio::spawn(dewy_server::startup::accept_connections::serve_within(
        listener,
        app,
        stopping.clone(),
        head,
    ));
    for drops in [&b""[..], b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: "] {
        let mut slow = tokio::net::TcpStream::connect(address).await.unwrap();
        slow.write_all(drops).await.unwrap();
        let began = Instant::now();
        let mut trickle = tokio::time::interval(Duration::from_millis(100));
        let mut said = Vec::new();
        loop {
            tokio::select! {
                read = slow.read_buf(&mut said) => if read.unwrap_or(0) == 0 { break },
                _ = trickle.tick() => if !drops.is_empty() && slow.write_all(b"x").await.is_err() { break },
            }
            assert!(began.elapsed().as_secs() < 5, "it is held for ever");
        }
        assert!(began.elapsed() >= head / 2);
    }
    let mut good = tokio::net::TcpStream::connect(address).await.unwrap();
    for _ in 0..2 {
        good.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            .await
            .unwrap();
        let mut answer = vec![0; 1024];
        let read = good.read(&mut answer).await.unwrap();
        assert!(answer[..read].starts_with(b"HTTP/1.1 200"));
        tokio::time::sleep(head / 3).await;
    }
    stopping.cancel();
    tokio::time::timeout(Duration::from_secs(5), serving)
        .await
        .expect("idle ones do not hold it")
        .unwrap();
}

#[tokio::test]
async fn a_looping_agent_is_rate_limited() {
    use dewy_server::tool_calls::rate_limit::Limit;
    let limit = Limit {
        calls: 5,
        window: Duration::from_secs(25),
    };
    let (base, seen) = crate::fake_dispatcher::mcp_at_pace(limit).await;
    let (guest, desk) = (
        Mcp::new(&base, "guest", "beth"),
        Mcp::new(&base, "staff", "desk"),
    );
    for n in 0..7 {
        let params = json!({ "name": "get_folio", "arguments": {} });
        let response = guest
            .message(Era::Modern, "tools/call", params)
            .send()
            .await
            .unwrap();
        if n < 5 {
            assert_eq!(response.status(), 200, "{n}");
            continue;
        }
        assert_eq!(response.status(), 429);
        let wait: u64 = response.headers()["retry-after"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!((1..=5).contains(&wait), "{wait}");
        let body: Value = response.json().await.unwrap();
        assert!(
            body["error"]["message"]
                .as_str()
                .unwrap()
                .contains("too many calls"),
            "{body}"
        );
    }
    assert_eq!(
        seen.reads.load(std::sync::atomic::Ordering::SeqCst),
        5,
        "the others never reached the desk"
    );
    assert_eq!(
        desk.send(Era::Modern, "tools/list", json!({})).await.0,
        200,
        "somebody else is not slowed"
    );
    tokio::time::sleep(Duration::from_millis(5100)).await;
    assert_eq!(
        guest.send(Era::Modern, "tools/list", json!({})).await.0,
        200
    );
}

/// Staff lists are notified of changes made elsewhere, and only staff may subscribe.
#[tokio::test]
async fn lists_are_notified_of_changes() {
    use futures::StreamExt;
    let hotel = TestHotel::open().await;
    assert_eq!(hotel.get("/staff/events").await.status(), 401);
    assert_eq!(hotel.get("/guest/events").await.status(), 401);
    let browser = hotel.browser().staff("frontdesk@dewy.example").await;
    assert_eq!(
        browser.open("/guest/events").await.status,
        401,
        "a guest's own is the guest's"
    );
    let cookie = format!("dewy_session={}", browser.cookie().unwrap());
    let listening = crate::fake_dispatcher::client()
        .get(hotel.url("/staff/events"))
        .header("cookie", cookie);
    let mut events = listening.send().await.unwrap().bytes_stream();
    let mut heard = async || {
        loop {
            let chunk = tokio::time::timeout(Duration::from_secs(15), events.next())
                .await
                .unwrap();
            let text = String::from_utf8(chunk?.unwrap().to_vec()).unwrap();
            if let Some(id) = text.lines().find_map(|line| line.strip_prefix("id: ")) {
                return Some(id.to_owned());
            }
        }
    };
    let first = heard().await.expect("the number as of now");
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    guest
        .call(
            Era::Modern,
            "process_guest_checkout",
            json!({ "amount": 25000, "idempotency_token": "b" }),
        )
        .await;
    let second = heard().await.expect("another number");
    assert_ne!(first, second);
    // Signed out elsewhere: the stream ends with its next look.
    hotel
        .server
        .store
        .revoke_sessions("staff:frontdesk@dewy.example")
        .await
        .unwrap();
    let wei = hotel.guest_mcp("nora.o'brien@example.com").await;
    wei.call(
        Era::Modern,
        "process_guest_checkout",
        json!({ "amount": 1, "idempotency_token": "c" }),
    )
    .await;
    while heard().await.is_some() {}
}
