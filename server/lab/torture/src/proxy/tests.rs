//! Each fault, as observed at both ends.

use tokio::io::AsyncReadExt;

use super::*;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{\"id\":\"x\"}";
const TEXT: &[u8] =
    b"POST /2010-04-01/Accounts/AC1/Messages.json HTTP/1.1\r\nhost: h\r\ncontent-length: 22\r\n\r\nTo=%2B1555&Body=a+text";

/// System that gives every request the same response and records the requests.
async fn upstream() -> (SocketAddr, Arc<Mutex<Vec<Message>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, seen) = (
        listener.local_addr().unwrap(),
        Arc::new(Mutex::new(Vec::new())),
    );
    let kept = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let message = Message::read(&mut stream).await.unwrap().unwrap();
            lock(&kept).push(message);
            stream.write_all(ANSWER).await.unwrap();
        }
    });
    (address, seen)
}

struct SendResult {
    /// Response, as far as it arrived.
    answer: Vec<u8>,
    /// Whether the connection was still open then; `None` when it was reset.
    open: Option<bool>,
    /// Number of deliveries to the system.
    delivered: usize,
    proxy: Proxy,
}

/// Sends the text through a proxy that applies this fault.
async fn send_through(fault: LinkFault) -> SendResult {
    let (address, seen) = upstream().await;
    let proxy = Proxy::open(address, 1).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut caller = TcpStream::connect(listener.local_addr().unwrap())
        .await
        .unwrap();
    let (mut stream, _) = listener.accept().await.unwrap();
    let shared = Arc::clone(&proxy.shared);
    tokio::spawn(async move {
        let request = Message::read(&mut stream).await.unwrap().unwrap();
        if shared
            .apply_fault(&mut stream, address, &request, fault)
            .await
            .unwrap()
        {
            // A kept connection waits for the next request.
            hold_open(&mut stream).await.unwrap();
        }
    });
    caller.write_all(TEXT).await.unwrap();
    let (mut answer, mut open) = (Vec::new(), Some(true));
    loop {
        let read = caller.read_buf(&mut answer);
        let longest = Duration::from_millis(if fault == LinkFault::Delayed {
            MAX_DELAY_MS + 500
        } else {
            1200
        });
        match tokio::time::timeout(longest, read).await {
            Ok(Ok(0)) => open = Some(false),
            Ok(Ok(_)) => continue,
            Ok(Err(_)) => open = None,
            Err(_) => {}
        }
        break;
    }
    let delivered = lock(&seen).len();
    SendResult {
        answer,
        open,
        delivered,
        proxy,
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn lost_requests_and_responses_never_arrive() {
    for (fault, delivered) in [(LinkFault::LostRequest, 0), (LinkFault::LostAnswer, 1)] {
        let struck = send_through(fault).await;
        assert_eq!(
            (struck.answer.len(), struck.open, struck.delivered),
            (0, Some(true), delivered),
            "{fault:?}"
        );
    }
}

#[tokio::test]
async fn truncated_and_reset_responses() {
    let cut = send_through(LinkFault::Truncated).await;
    assert!(
        text(&cut.answer).ends_with("content-length: 10\r\n\r\n{\"id\""),
        "{}",
        text(&cut.answer)
    );
    assert_eq!((cut.open, cut.delivered), (Some(false), 1));
    let reset = send_through(LinkFault::Reset).await;
    assert_eq!(
        (reset.answer.len(), reset.open, reset.delivered),
        (0, None, 1)
    );
}

#[tokio::test]
async fn a_gateway_error_follows_a_delivered_request() {
    let gateway = send_through(LinkFault::BadGateway).await;
    assert!(
        text(&gateway.answer).starts_with("HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html")
    );
    assert_eq!(gateway.delivered, 1);
    let wrong = send_through(LinkFault::WrongLength).await;
    assert!(
        !text(&wrong.answer).contains("content-length: 10\r\n"),
        "{}",
        text(&wrong.answer)
    );
    assert_eq!(wrong.delivered, 1);
}

#[tokio::test]
async fn duplicate_deliveries_have_one_response() {
    let twice = send_through(LinkFault::Duplicated).await;
    assert_eq!(
        (
            text(&twice.answer).matches("HTTP/1.1 200").count(),
            twice.delivered
        ),
        (1, 2)
    );
    assert_eq!(
        twice.proxy.extra_texts(),
        [("+1555".to_owned(), "a text".to_owned())]
    );
    let late = send_through(LinkFault::Delayed).await;
    assert_eq!(
        (
            text(&late.answer).matches("HTTP/1.1 200").count(),
            late.delivered
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn a_replayed_request_arrives_by_the_end_of_the_faults() {
    let (address, seen) = upstream().await;
    let proxy = Proxy::open(address, 1).await.unwrap();
    let request = Message::read(&mut &*TEXT).await.unwrap().unwrap();
    proxy.shared.remember(System::Twilio, address, &request);
    assert_eq!(lock(&seen).len(), 0);
    proxy.set_faults(false);
    while lock(&seen).is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(
        (
            proxy.extra_texts().len(),
            proxy.counts().get(&(System::Twilio, LinkFault::Replayed))
        ),
        (1, Some(&1))
    );
}

#[tokio::test]
async fn webhooks_are_registered_at_the_proxy() {
    let (sandbox, seen) = upstream().await;
    let (hotel, events) = upstream().await;
    let proxy = Proxy::open(sandbox, 1).await.unwrap();
    let sent = |url: String, body: String| async move {
        let authority: SocketAddr = url.parse().unwrap();
        let head = format!(
            "POST {} HTTP/1.1\r\ncontent-length: {}\r\n\r\n",
            webhook_addresses::ENDPOINTS,
            body.len()
        );
        let mut caller = TcpStream::connect(authority).await.unwrap();
        caller
            .write_all(format!("{head}{body}").as_bytes())
            .await
            .unwrap();
        Message::read(&mut caller).await.unwrap().unwrap()
    };
    let url = format!("http://{hotel}/webhooks/stripe");
    let body = form_urlencoded::Serializer::new(String::new())
        .append_pair("url", &url)
        .finish();
    sent(proxy.url.replace("http://", ""), body).await;
    let registered = webhook_addresses::address(&lock(&seen)[0]).unwrap();
    assert_ne!(registered, hotel);
    let mut list = Message {
        body: format!("[\"http://{registered}/\"]").into_bytes(),
        ..Message::default()
    };
    lock(&proxy.shared.hooks).hide(&mut list);
    assert_eq!(text(&list.body), format!("[\"http://{hotel}/\"]"));
    sent(registered.to_string(), "{}".to_owned()).await;
    assert_eq!(lock(&events)[0].body, b"{}");
}

#[tokio::test]
async fn only_outside_systems_get_faults() {
    assert_eq!(
        System::of("/services/data/v62.0/composite"),
        Some(System::Salesforce)
    );
    assert_eq!(
        System::of("/v1/payment_intents?limit=1"),
        Some(System::Stripe)
    );
    assert_eq!(
        System::of("/2010-04-01/Accounts/AC1/Messages.json"),
        Some(System::Twilio)
    );
    assert_eq!(System::of("/webhooks/stripe"), Some(System::Webhook));
    for path in [
        "/admin/state",
        "/v1/webhook_endpoints",
        "/3ds/pi_1",
        "/v1/chat/completions",
    ] {
        assert_eq!(System::of(path), None, "{path}");
    }
}
