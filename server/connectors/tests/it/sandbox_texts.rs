//! Twilio connector against the sandbox, in memory and on virtual time.

use dewy_connectors::{Twilio, TwilioConfig};
use dewy_domain::ports::{SentText, TextMessages};

use crate::prelude::*;

const BETH: &str = "+12125550101";

struct TextFixture {
    sandbox: Sandbox,
    twilio: Twilio,
    clock: Arc<TestClock>,
}

fn desk() -> TextFixture {
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::in_memory(clock.clone(), 1);
    let account = "AC00000000000000000000000000000001";
    let mut config = TwilioConfig::new(account, "token".to_owned().into(), "+12125550190");
    config.api_base = "http://sandbox/".to_owned();
    let twilio = Twilio::new(config, Arc::new(sandbox.clone()), clock.clone());
    TextFixture {
        sandbox,
        twilio,
        clock,
    }
}

impl TextFixture {
    async fn text(&self, to: &str, words: &str) -> Outcome<SentText> {
        let call = self.twilio.text(to, words, Duration::from_hours(1));
        self.twilio.send_text(&call).await
    }

    async fn since_noon(&self, to: &str) -> Vec<SentText> {
        done(
            self.twilio
                .texts_since(to, "2026-03-10T12:00:00Z".parse().unwrap())
                .await,
        )
    }

    fn fault(&self, kind: FaultKind) -> Fault {
        // Held for longer than the deadline.
        Fault::new(System::Twilio, "message_create", kind).ms(60_000)
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_is_found_by_its_text() {
    let desk = desk();
    let words = "Your receipt: $250.00 – thank you & goodbye 🛎 [k7f2]";
    let sent = done(desk.text(BETH, words).await);
    assert_eq!(
        (sent.status.as_str(), sent.body.as_str(), sent.at),
        ("queued", words, desk.clock.now())
    );
    assert_eq!(
        desk.since_noon(BETH).await,
        std::slice::from_ref(&sent),
        "though it still waits in the queue"
    );
    assert!(desk.since_noon("+12125550102").await.is_empty());
    desk.clock.sleep(Duration::from_secs(5)).await;
    assert_eq!(
        desk.since_noon(BETH).await,
        [SentText {
            status: "delivered".to_owned(),
            ..sent
        }]
    );
    assert!(
        matches!(desk.twilio.texts_since(BETH, desk.clock.now()).await, Outcome::Done(none) if none.is_empty())
    );
    assert_eq!(
        desk.twilio
            .counts()
            .iter()
            .map(|count| count.calls)
            .sum::<u64>(),
        5
    );
}

#[tokio::test(start_paused = true)]
async fn numbers_that_cannot_be_texted_are_refused() {
    let desk = desk();
    for (to, code) in [
        ("123", "twilio_21211"),
        ("+12125550000", "twilio_21610"),
        ("+15005550009", "twilio_21614"),
    ] {
        assert_eq!(arm(&desk.text(to, "Hi").await), format!("refused {code}"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_rate_limited_list_is_retried_once() {
    let desk = desk();
    desk.sandbox
        .add_fault(Fault::new(System::Twilio, "message_list", FaultKind::Status).status(429));
    assert!(desk.since_noon(BETH).await.is_empty());
    assert_eq!(desk.sandbox.calls().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_stops_messages_but_not_lookups() {
    let desk = desk();
    desk.sandbox
        .add_fault(desk.fault(FaultKind::ResetBeforeEffect).count(0));
    for _ in 0..5 {
        assert_eq!(arm(&desk.text(BETH, "Hi").await), "unknown broken");
    }
    assert_eq!(arm(&desk.text(BETH, "Hi").await), "try_later circuit_open");
    assert!(
        desk.since_noon(BETH).await.is_empty(),
        "a look-up is never held back"
    );
}
