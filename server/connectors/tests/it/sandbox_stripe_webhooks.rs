//! Webhook events of the sandbox, verified and parsed: everything that can happen to a guest's
//! money.

use std::collections::BTreeMap;

use dewy_connectors::stripe::webhook::{self, Event, SignatureError};
use dewy_domain::{
    money::Currency,
    payment::{Payment, PaymentStatus, RefundOrder, RefundStatus},
    payment_intent_id::PaymentIntentId,
};
use secrecy::SecretString;

use crate::prelude::*;

struct EventSource {
    sandbox: Sandbox,
    stripe: Stripe,
    clock: Arc<TestClock>,
    secret: SecretString,
}

async fn post(sandbox: &Sandbox, path: &str, body: &str) -> Value {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let request = HttpRequest {
        method: "POST".to_owned(),
        url: format!("http://sandbox{path}"),
        headers: vec![
            header("authorization", "Bearer sk_test_x"),
            header("content-type", "application/x-www-form-urlencoded"),
        ],
        body: body.as_bytes().to_vec(),
    };
    let response = sandbox.send(request, Duration::from_secs(5)).await.unwrap();
    assert!(
        response.status < 400,
        "{}",
        String::from_utf8_lossy(&response.body)
    );
    serde_json::from_slice(&response.body).unwrap_or_default()
}

async fn event_source() -> EventSource {
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::in_memory(clock.clone(), 1);
    let mut config = StripeConfig::new("sk_test_x".to_owned().into());
    config.api_base = "http://sandbox".to_owned();
    let stripe = Stripe::new(config, Arc::new(sandbox.clone()), clock.clone());
    let asked = "url=https://hotel.test/webhooks/stripe&enabled_events[]=*";
    let endpoint = post(&sandbox, "/v1/webhook_endpoints", asked).await;
    let secret = SecretString::from(endpoint["secret"].as_str().unwrap().to_owned());
    EventSource {
        sandbox,
        stripe,
        clock,
        secret,
    }
}

impl EventSource {
    async fn try_pay(&self, card: &str) -> Outcome<Payment> {
        let order = PaymentOrder {
            amount: Cents(25_000),
            currency: Currency::USD,
            customer: None,
            payment_method: card.parse().unwrap(),
            save_card: false,
            return_url: "https://hotel.test/back".to_owned(),
            texts: PaymentTexts::default(),
            metadata: BTreeMap::from([("execution_id".to_owned(), "exe_pay".to_owned())]),
            key: format!("key:{card}"),
        };
        self.stripe.send_pay(&self.stripe.pay(&order)).await
    }

    async fn pay(&self, card: &str) -> Payment {
        done(self.try_pay(card).await)
    }

    async fn refund(&self, payment: &Payment) -> Outcome<dewy_domain::payment::Refund> {
        let order = RefundOrder {
            payment_intent: payment.id.clone(),
            metadata: BTreeMap::from([("execution_id".to_owned(), "exe_undo".to_owned())]),
            key: format!("refund:{}", payment.id),
        };
        self.stripe.send_refund(&self.stripe.refund(&order)).await
    }

    async fn decide(&self, payment: &Payment, decision: &str) {
        let body = format!("decision={decision}");
        post(&self.sandbox, &format!("/3ds/{}", payment.id), &body).await;
    }

    async fn payment(&self, id: &PaymentIntentId) -> Payment {
        match self.stripe.payment(id).await {
            Outcome::Done(Some(payment)) => payment,
            other => panic!("{other:?}"),
        }
    }

    /// Events since the last call, each verified and parsed.
    fn response(&self) -> Vec<Event> {
        let pending = self.sandbox.pending_events();
        pending
            .into_iter()
            .map(|event| {
                self.sandbox.acknowledge(&event.id);
                let signature = event.request.header("stripe-signature").unwrap();
                webhook::receive(
                    &self.secret,
                    signature,
                    &event.request.body,
                    self.clock.now(),
                )
                .unwrap()
            })
            .collect()
    }

    /// The same without events that mean nothing to an execution.
    fn kinds(&self) -> Vec<String> {
        let answer = |event: &Event| {
            !event.kind.ends_with(".created")
                || event.kind.starts_with("refund")
                || event.kind.contains("dispute")
        };
        self.response()
            .into_iter()
            .filter(answer)
            .map(|event| event.kind)
            .collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_payment_and_its_refund_name_their_executions() {
    let bell = event_source().await;
    let paid = bell.pay("pm_card_visa").await;
    let response = bell.response();
    let event = response
        .iter()
        .find(|event| event.kind == "payment_intent.succeeded")
        .unwrap();
    assert!(event.id.starts_with("evt_"));
    assert_eq!(event.created, bell.clock.now());
    assert_eq!(
        (
            event.payment_intent.as_ref().map(PaymentIntentId::as_str),
            event.execution_id.as_deref()
        ),
        (Some(paid.id.as_str()), Some("exe_pay"))
    );
    assert_eq!(event.refund, None);

    let refund = done(bell.refund(&paid).await);
    let response = bell.response();
    let of = |kind: &str| response.iter().find(|event| event.kind == kind).unwrap();
    let charge = of("charge.refunded");
    assert_eq!(
        (
            charge.payment_intent.as_ref().map(PaymentIntentId::as_str),
            charge.execution_id.as_deref()
        ),
        (Some(paid.id.as_str()), Some("exe_pay"))
    );
    let made = of("refund.created");
    assert_eq!(
        (
            made.payment_intent.as_ref().map(PaymentIntentId::as_str),
            made.execution_id.as_deref()
        ),
        (Some(paid.id.as_str()), Some("exe_undo"))
    );
    let answer = made.refund.as_ref().unwrap();
    assert_eq!(
        (answer.id.as_str(), &answer.status),
        (refund.id.as_str(), &RefundStatus::Succeeded)
    );
}

#[tokio::test(start_paused = true)]
async fn both_outcomes_of_bank_authentication_are_reported() {
    for (decision, status, kind) in [
        (
            "complete",
            PaymentStatus::Succeeded,
            "payment_intent.succeeded",
        ),
        (
            "fail",
            PaymentStatus::RequiresPaymentMethod,
            "payment_intent.payment_failed",
        ),
    ] {
        let bell = event_source().await;
        let waiting = bell.pay("pm_card_authenticationRequired").await;
        assert_eq!(
            waiting.next_action_url.as_deref(),
            Some(format!("http://sandbox/3ds/{}", waiting.id).as_str())
        );
        assert_eq!(bell.kinds(), ["payment_intent.requires_action"]);
        bell.decide(&waiting, decision).await;
        assert_eq!(bell.payment(&waiting.id).await.status, status);
        let response = bell.response();
        assert_eq!(response.last().map(|event| event.kind.as_str()), Some(kind));
        assert_eq!(
            response
                .last()
                .and_then(|event| event.execution_id.as_deref()),
            Some("exe_pay")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn canceled_and_declined_payments_are_reported() {
    let bell = event_source().await;
    let waiting = bell.pay("pm_card_threeDSecure2Required").await;
    bell.response();
    let cancel = bell.stripe.cancel(&waiting.id, "cancel");
    assert_eq!(arm(&bell.stripe.send_cancel(&cancel).await), "done");
    assert_eq!(bell.kinds(), ["payment_intent.canceled"]);
    assert_eq!(
        arm(&bell.try_pay("pm_card_chargeDeclined").await),
        "refused card_declined"
    );
    let response = bell.response();
    let failed = response
        .iter()
        .find(|event| event.kind == "payment_intent.payment_failed")
        .unwrap();
    assert_eq!(failed.execution_id.as_deref(), Some("exe_pay"));
}

#[tokio::test(start_paused = true)]
async fn a_refund_fails_by_itself_later() {
    let bell = event_source().await;
    let paid = bell.pay("pm_card_refundFail").await;
    let refund = done(bell.refund(&paid).await);
    assert_eq!(refund.status, RefundStatus::Succeeded);
    bell.response();
    bell.clock.sleep(Duration::from_secs(31)).await;
    let response = bell.response();
    let failed = response
        .iter()
        .find(|event| event.kind == "refund.failed")
        .unwrap();
    assert_eq!(
        failed.refund.as_ref().map(|refund| &refund.status),
        Some(&RefundStatus::Failed)
    );
    assert_eq!(failed.execution_id.as_deref(), Some("exe_undo"));
    assert_eq!(bell.payment(&paid.id).await.refunded, Cents(0));
}

#[tokio::test(start_paused = true)]
async fn a_refund_fails_days_later_and_can_be_made_again() {
    let bell = event_source().await;
    let paid = bell.pay("pm_card_visa").await;
    let refund = done(bell.refund(&paid).await);
    bell.response();
    bell.clock.sleep(Duration::from_secs(5 * 86_400)).await;
    bell.sandbox.turn_refund(&refund.id, "failed").unwrap();
    assert_eq!(
        bell.kinds(),
        ["charge.refund.updated", "refund.updated", "refund.failed"]
    );
    let refunds = done(bell.stripe.refunds(&paid.id).await);
    assert_eq!(refunds[0].status, RefundStatus::Failed);
    assert_eq!(bell.payment(&paid.id).await.refunded, Cents(0));
    let order = RefundOrder {
        payment_intent: paid.id.clone(),
        metadata: BTreeMap::new(),
        key: "second".to_owned(),
    };
    assert_eq!(
        arm(&bell.stripe.send_refund(&bell.stripe.refund(&order)).await),
        "done"
    );
    for (id, status) in [
        (refund.id.as_str(), "failed"),
        (refund.id.as_str(), "succeeded"),
        ("re_none", "failed"),
        (&refund.id, "lost"),
    ] {
        bell.sandbox.turn_refund(id, status).unwrap_err();
    }
}

#[tokio::test(start_paused = true)]
async fn a_disputed_charge_is_reported_and_never_refunded() {
    let bell = event_source().await;
    let paid = bell.pay("pm_card_createDispute").await;
    assert_eq!(paid.status, PaymentStatus::Succeeded);
    let response = bell.response();
    let dispute = response
        .iter()
        .find(|event| event.kind == "charge.dispute.created")
        .unwrap();
    assert_eq!(
        (
            dispute.payment_intent.as_ref().map(PaymentIntentId::as_str),
            dispute.execution_id.as_deref()
        ),
        (Some(paid.id.as_str()), None)
    );
    assert_eq!(arm(&bell.refund(&paid).await), "refused charge_disputed");
    assert_eq!(bell.payment(&paid.id).await.refunded, Cents(0));

    let other = bell.pay("pm_card_visa").await;
    bell.response();
    bell.sandbox.dispute(other.id.as_str()).unwrap();
    assert_eq!(
        bell.kinds(),
        ["charge.dispute.created", "charge.dispute.funds_withdrawn"]
    );
    assert_eq!(arm(&bell.refund(&other).await), "refused charge_disputed");
    bell.sandbox.dispute(other.id.as_str()).unwrap_err();
    bell.sandbox.dispute("pi_none").unwrap_err();
    assert_eq!(
        bell.sandbox.state()["stripe"]["disputes"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test(start_paused = true)]
async fn a_processing_payment_succeeds_or_fails() {
    for (card, status, kind) in [
        (
            "pm_card_processing",
            PaymentStatus::Succeeded,
            "payment_intent.succeeded",
        ),
        (
            "pm_card_processingFails",
            PaymentStatus::RequiresPaymentMethod,
            "payment_intent.payment_failed",
        ),
    ] {
        let bell = event_source().await;
        let under_way = bell.pay(card).await;
        assert_eq!(
            (&under_way.status, under_way.received),
            (&PaymentStatus::Processing, Cents(0))
        );
        assert_eq!(bell.kinds(), ["payment_intent.processing"]);
        bell.clock.sleep(Duration::from_secs(31)).await;
        assert_eq!(bell.payment(&under_way.id).await.status, status);
        assert!(
            bell.response().iter().any(|event| event.kind == kind),
            "{kind}"
        );
    }
    // Too late to cancel it: the answer has the payment inside.
    let bell = event_source().await;
    let under_way = bell.pay("pm_card_processing").await;
    let cancel = bell.stripe.cancel(&under_way.id, "c");
    let answer = done(bell.stripe.send_cancel(&cancel).await);
    assert_eq!(answer.status, PaymentStatus::Processing);
    bell.clock.sleep(Duration::from_secs(60)).await;
    assert_eq!(
        bell.payment(&under_way.id).await.status,
        PaymentStatus::Succeeded
    );
    // Stripe repeats its answer to the key, although it is out of date.
    let answer = done(bell.stripe.send_cancel(&cancel).await);
    assert_eq!(answer.status, PaymentStatus::Processing);
}

#[tokio::test(start_paused = true)]
async fn unsigned_and_malformed_events_are_rejected() {
    let bell = event_source().await;
    bell.pay("pm_card_visa").await;
    let pending = bell.sandbox.pending_events();
    let (event, now) = (&pending[0].request, bell.clock.now());
    let signature = event.header("stripe-signature").unwrap();
    let other = SecretString::from("whsec_other");
    assert_eq!(
        webhook::receive(&other, signature, &event.body, now),
        Err(SignatureError::NoMatch)
    );
    let later = now + Duration::from_secs(301);
    assert_eq!(
        webhook::receive(&bell.secret, signature, &event.body, later),
        Err(SignatureError::TooOld)
    );
    for body in [
        "",
        "[]",
        "{}",
        r#"{"id":"evt_1","object":"event","type":"x"}"#,
        r#"{"id":"pi_1","object":"payment_intent"}"#,
    ] {
        let signed = sign(&bell.secret, now.as_second(), body);
        let read = webhook::receive(&bell.secret, &signed, body.as_bytes(), now);
        assert_eq!(read, Err(SignatureError::NotAnEvent), "{body}");
    }
    let bare = r#"{"id":"evt_1","object":"event","type":"customer.created","created":1773144000,"data":{"object":{"id":"cus_1","object":"customer","metadata":{}}}}"#;
    let read = webhook::receive(
        &bell.secret,
        &sign(&bell.secret, now.as_second(), bare),
        bare.as_bytes(),
        now,
    )
    .unwrap();
    assert_eq!(
        (read.payment_intent, read.execution_id, read.refund),
        (None, None, None)
    );
    let expanded = r#"{"id":"evt_2","object":"event","type":"charge.refunded","created":1773144000,"data":{"object":{"id":"ch_1","object":"charge","payment_intent":{"id":"pi_1","object":"payment_intent"},"metadata":null}}}"#;
    let read = webhook::receive(
        &bell.secret,
        &sign(&bell.secret, now.as_second(), expanded),
        expanded.as_bytes(),
        now,
    )
    .unwrap();
    assert_eq!(
        read.payment_intent.as_ref().map(PaymentIntentId::as_str),
        Some("pi_1")
    );
}

fn sign(secret: &SecretString, seconds: i64, body: &str) -> String {
    use hmac::{Hmac, KeyInit as _, Mac as _};
    use secrecy::ExposeSecret as _;
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(secret.expose_secret().as_bytes()).unwrap();
    mac.update(format!("{seconds}.{body}").as_bytes());
    format!(
        "t={seconds},v1={}",
        hex::encode(mac.finalize().into_bytes())
    )
}
