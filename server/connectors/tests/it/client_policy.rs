//! Breaker, concurrency limit, deadlines and counters, tested through the connector.

use std::sync::atomic::{AtomicI64, Ordering};

use dewy_connectors::Limits;
use dewy_domain::guest::GuestQuery;
use jiff::SignedDuration;

use crate::{canned_transport::stripe, prelude::*, replies::try_later, wire_responses};

fn down() -> Response {
    Err(TransportError::Timeout)
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_holds_back_payments_but_never_refunds_or_look_ups() {
    let answers = [
        down(),
        down(),
        down(),
        down(),
        down(),
        down(),
        down(),
        status(200, wire_responses::PAYMENT),
    ];
    let canned = Canned::new(answers);
    let payments = stripe(canned.clone());
    let pay = payments.pay(&example_check_out::pay());
    let refund = payments.refund(&example_check_out::refund());
    for _ in 0..5 {
        assert_eq!(arm(&payments.send_pay(&pay).await), "unknown timeout");
    }
    let open = try_later(payments.send_pay(&pay).await);
    assert_eq!(
        (open.code.as_str(), open.retry_after_ms),
        ("circuit_open", Some(10_000))
    );
    assert_eq!(
        arm(&payments.customers(&"a@example.com".into()).await),
        "try_later circuit_open"
    );
    assert_eq!(canned.seen().len(), 5, "neither was sent");
    assert_eq!(arm(&payments.send_refund(&refund).await), "unknown timeout");
    assert_eq!(
        arm(&payments.payment(&"pi_1".parse().unwrap()).await),
        "unknown timeout"
    );
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert_eq!(
        arm(&payments.send_pay(&pay).await),
        "done",
        "the probe closes it"
    );
    assert_eq!(
        arm(&payments.send_pay(&pay).await),
        "try_later connect",
        "closed: sent"
    );
}

#[tokio::test(start_paused = true)]
async fn refusals_and_limits_do_not_open_it() {
    let limit = || {
        status(
            429,
            &wire_responses::error("invalid_request_error", Some("rate_limit")),
        )
    };
    let canned = Canned::new((0..20).map(|n| {
        if n % 2 == 0 {
            limit()
        } else {
            status(402, wire_responses::DECLINE)
        }
    }));
    let payments = stripe(canned.clone());
    let pay = payments.pay(&example_check_out::pay());
    for _ in 0..20 {
        let _ = payments.send_pay(&pay).await;
    }
    assert_eq!(canned.seen().len(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_read_is_tried_twice_and_a_write_once() {
    let refused = || Err(TransportError::Connect("refused".to_owned()));
    let canned = Canned::new([refused(), status(200, wire_responses::PAYMENT)]);
    assert!(matches!(
        stripe(canned.clone())
            .payment(&"pi_1".parse().unwrap())
            .await,
        Outcome::Done(Some(_))
    ));
    assert_eq!(canned.seen().len(), 2);

    let canned = Canned::new([refused(), status(200, wire_responses::PAYMENT)]);
    let payments = stripe(canned.clone());
    let pay = payments.pay(&example_check_out::pay());
    assert_eq!(arm(&payments.send_pay(&pay).await), "try_later connect");
    let counts: Vec<_> = payments
        .counts()
        .into_iter()
        .map(|c| (c.operation, c.outcome, c.calls))
        .collect();
    assert_eq!(
        counts,
        [("payment_intent_create".to_owned(), "try_later", 1)]
    );
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_never_holds_back_the_look_up_of_a_case_a_room_or_a_guest() {
    let canned = Canned::new([down(), down(), down(), down(), down()]);
    let crm = salesforce(canned.clone());
    let rooms = RoomQuery {
        limit: 1,
        ..RoomQuery::default()
    };
    for _ in 0..5 {
        assert_eq!(arm(&crm.rooms(&rooms).await), "unknown timeout");
    }
    assert_eq!(
        arm(&crm.rooms(&rooms).await),
        "try_later circuit_open",
        "a list waits"
    );
    assert_eq!(canned.seen().len(), 5);
    let room = RoomQuery {
        number: Some("302".into()),
        ..rooms
    };
    assert_eq!(arm(&crm.rooms(&room).await), "try_later connect");
    assert_eq!(
        arm(&crm.cases(&CaseQuery::numbered("00001000")).await),
        "try_later connect"
    );
    let case = CaseQuery {
        execution_id: Some("exe_1".to_owned()),
        limit: 1,
        ..CaseQuery::default()
    };
    assert_eq!(arm(&crm.cases(&case).await), "try_later connect");
    assert_eq!(
        arm(&crm
            .guests(&GuestQuery::Email("a@example.com".into()), 1)
            .await),
        "try_later connect"
    );
    assert_eq!(
        arm(&crm.contacts(&"a@example.com".into()).await),
        "try_later connect"
    );
    assert!(canned.seen().len() > 5, "sent");
}

/// A clock that is set wrong but counts uptime as before.
#[derive(Debug)]
struct Set(TestClock, AtomicI64);

#[async_trait::async_trait]
impl Clock for Set {
    fn now(&self) -> Timestamp {
        self.0.now() + SignedDuration::from_secs(self.1.load(Ordering::SeqCst))
    }

    async fn sleep(&self, pause: Duration) {
        self.0.sleep(pause).await;
    }

    fn uptime(&self) -> Duration {
        self.0.uptime()
    }
}

#[tokio::test(start_paused = true)]
async fn clock_changes_affect_neither_breaker_nor_deadlines() {
    for by in [-300, 30, 300] {
        let clock = Arc::new(Set(TestClock::new(), AtomicI64::new(0)));
        let canned = Canned::new((0..6).map(|_| down()));
        let config = StripeConfig::new("sk_test_x".to_owned().into());
        let payments = Stripe::new(config, canned.clone(), clock.clone());
        let pay = payments.pay(&example_check_out::pay());
        for _ in 0..5 {
            assert_eq!(arm(&payments.send_pay(&pay).await), "unknown timeout");
        }
        clock.1.store(by, Ordering::SeqCst);
        let open = try_later(payments.send_pay(&pay).await);
        assert_eq!(
            (open.code.as_str(), open.retry_after_ms),
            ("circuit_open", Some(10_000)),
            "{by}"
        );
        tokio::time::sleep(Duration::from_secs(11)).await;
        assert_eq!(
            arm(&payments.send_pay(&pay).await),
            "unknown timeout",
            "{by}: one may try after ten seconds"
        );

        // A call in progress keeps its deadline: waiting for a slot takes no longer than before.
        let inner = TestClock::new();
        let clock = Arc::new(Set(inner.clone(), AtomicI64::new(0)));
        let mut config = StripeConfig::new("sk_test_x".to_owned().into());
        config.limits = Limits {
            at_once: 1,
            ..Limits::default()
        };
        let payments = Stripe::new(
            config,
            Arc::new(Silent(Arc::new(inner.clone()))),
            clock.clone(),
        );
        let began = inner.now();
        let set = async {
            tokio::time::sleep(Duration::from_secs(10)).await;
            clock.1.store(by, Ordering::SeqCst);
        };
        let (first, second, ()) =
            futures::join!(payments.send_pay(&pay), payments.send_pay(&pay), set);
        assert_eq!(
            [arm(&first), arm(&second)],
            ["unknown timeout", "try_later not_sent"],
            "{by}"
        );
        assert_eq!(inner.now().duration_since(began).as_secs(), 30, "{by}");
    }
}

/// Holds every call until its deadline.
#[derive(Debug)]
struct Silent(Arc<TestClock>);

#[async_trait::async_trait]
impl Transport for Silent {
    async fn send(&self, _: dewy_domain::ports::HttpRequest, deadline: Duration) -> Response {
        self.0.sleep(deadline).await;
        Err(TransportError::Timeout)
    }
}

#[tokio::test(start_paused = true)]
async fn forward_calls_do_not_delay_a_refund_and_queueing_counts_toward_the_deadline() {
    let clock = Arc::new(TestClock::new());
    let mut config = StripeConfig::new("sk_test_x".to_owned().into());
    config.limits = Limits {
        at_once: 1,
        ..Limits::default()
    };
    let payments = Arc::new(Stripe::new(
        config,
        Arc::new(Silent(clock.clone())),
        clock.clone(),
    ));
    let pay = payments.pay(&example_check_out::pay());
    let refund = payments.refund(&example_check_out::refund());
    let began = clock.now();
    let (first, second, back) = futures::join!(
        payments.send_pay(&pay),
        payments.send_pay(&pay),
        payments.send_refund(&refund)
    );
    assert_eq!(arm(&first), "unknown timeout");
    assert_eq!(
        arm(&second),
        "try_later not_sent",
        "its whole time went by waiting for a place"
    );
    assert_eq!(arm(&back), "unknown timeout", "sent at once");
    assert_eq!(
        clock.now().duration_since(began).as_secs(),
        30,
        "nobody takes longer than the deadline"
    );
}
