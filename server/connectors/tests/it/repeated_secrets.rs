//! Systems that repeat our secret when they refuse us: it is in no reply, and in nothing that is known
//! of their health.

use dewy_connectors::{ChatModel, ModelConfig, ObservedModel, RealClock, Twilio, TwilioConfig};
use dewy_domain::ports::{Model, ModelMessage, ModelRequest, TextMessages};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::{
    canned_transport::{salesforce_config, stripe},
    prelude::*,
};

const SECRET: &str = "hush-0123456789-hush";
/// Enough of it to be worth something.
const PART: usize = 8;

/// Answers everything with this.
#[derive(Debug)]
struct Always(u16, String);

#[async_trait::async_trait]
impl Transport for Always {
    async fn send(&self, _: HttpRequest, _: Duration) -> Response {
        status(self.0, &self.1)
    }
}

fn lacks_secret(what: &str, told: &impl std::fmt::Debug, secret: &str) {
    let told = format!("{told:?}");
    assert!(!told.contains(&secret[..PART]), "{what}: {told}");
}

#[tokio::test(start_paused = true)]
async fn no_secret_is_in_a_reply_or_in_an_alarm() {
    // Long enough to be cut in the middle of it
    for filler in [0, 270, 285] {
        let words =
            |secret: &str| format!("{} access denied for {secret} here", "x".repeat(filler));
        for code in [400, 401, 403, 404, 429, 500] {
            let error = json!({ "error": { "type": "invalid_request_error", "code": words("sk_test_hidden"), "message": words("sk_test_hidden"), "param": words("sk_test_hidden") } });
            let payments = stripe(Arc::new(Always(code, error.to_string())));
            let call = payments.pay(&example_check_out::pay());
            let reply = payments.send_pay(&call).await;
            lacks_secret("Stripe", &reply, "sk_test_hidden");
            lacks_secret("Stripe", &payments.health_stats(), "sk_test_hidden");

            let error = json!({ "code": 20003, "message": words(SECRET), "status": code });
            let config = TwilioConfig::new("AC1", SECRET.to_owned().into(), "+12125550190");
            let clock = Arc::new(TestClock::new());
            let texts = Twilio::new(
                config,
                Arc::new(Always(code, error.to_string())),
                clock.clone(),
            );
            let call = texts.text("+12125550101", "Hi", Duration::from_hours(1));
            lacks_secret("Twilio", &texts.send_text(&call).await, SECRET);
            lacks_secret("Twilio", &texts.health_stats(), SECRET);

            // Its session
            let error = json!([{ "errorCode": words("00D!token"), "message": words("00D!token"), "fields": [words("00D!token")] }]);
            let canned = Canned::new((0..4).map(|_| status(code, &error.to_string())));
            let crm = salesforce(canned);
            let query = RoomQuery {
                limit: 1,
                ..RoomQuery::default()
            };
            lacks_secret("Salesforce", &crm.rooms(&query).await, "00D!token");
            lacks_secret("Salesforce", &crm.health_stats(), "00D!token");

            // The password of its connected app
            let error = json!({ "error": words(SECRET), "error_description": words(SECRET) });
            let config = SalesforceConfig {
                client_secret: SECRET.to_owned().into(),
                ..salesforce_config()
            };
            let crm = Salesforce::new(config, Arc::new(Always(code, error.to_string())), clock);
            lacks_secret("Salesforce's login", &crm.rooms(&query).await, SECRET);
            lacks_secret("Salesforce's login", &crm.health_stats(), SECRET);
        }
    }
}

/// Answers every request with this, and hangs up.
async fn always(answer: String) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            // All of it: a socket with something left to read is reset
            let mut seen = Vec::new();
            while !seen.ends_with(b"}") {
                socket.read_buf(&mut seen).await.unwrap();
            }
            socket.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    address
}

#[tokio::test]
async fn no_model_repeats_its_key() {
    for filler in [0, 270, 285] {
        let words = format!("{} no access with {SECRET} here", "x".repeat(filler));
        let error = json!({ "error": { "message": words, "code": words } }).to_string();
        let head = |status: &str, kind: &str| {
            format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: {kind}\r\n\r\n")
        };
        for answer in [
            head("401 Unauthorized", "application/json") + &error,
            head("403 Forbidden", "text/plain") + &words,
            head("200 OK", "text/html") + &format!("<title>{words}</title>"),
            head("200 OK", "text/event-stream") + &format!("data: {error}\n\n"),
            head("200 OK", "text/event-stream") + &format!("event: error\ndata: {words}\n\n"),
        ] {
            let config = ModelConfig {
                base_url: always(answer.clone()).await,
                api_key: SECRET.to_owned().into(),
                model: "m".to_owned(),
                silence: Duration::from_secs(60),
                answer_tokens: 100,
                reasoning_tokens: 0,
                reasoning_effort: None,
                offline: false,
            };
            let model = ChatModel::new(config, Arc::new(RealClock)).unwrap();
            let model = ObservedModel::new(Arc::new(model), Arc::new(RealClock));
            let request = ModelRequest {
                messages: vec![ModelMessage::User("Hello".to_owned())],
                tools: Vec::new(),
                person: "conversation".to_owned(),
            };
            let told = model.answer(request, &|_| ()).await.unwrap_err();
            lacks_secret(&answer, &told, SECRET);
            lacks_secret(&answer, &model.health_stats(), SECRET);
            assert!(filler > 0 || told.to_string().contains('…'), "{told}");
        }
    }
}
