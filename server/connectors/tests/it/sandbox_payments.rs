//! Stripe connector against the sandbox, in memory and on virtual time.

use std::collections::BTreeMap;

use dewy_domain::{
    money::Currency,
    payment::{Payment, PaymentStatus, Refund, RefundOrder, WithPaymentMetadata},
    saved_card_order::SavedCardOrder,
};

use crate::prelude::*;

const BETH: &str = "cus_BethGibbs0001";
const CARD: &str = "pm_1BethVisa4242";

struct Till {
    stripe: Stripe,
    clock: Arc<TestClock>,
}

fn till() -> Till {
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::in_memory(clock.clone(), 1);
    let mut config = StripeConfig::new("sk_test_x".to_owned().into());
    config.api_base = "http://sandbox/".to_owned();
    let stripe = Stripe::new(config, Arc::new(sandbox), clock.clone());
    Till { stripe, clock }
}

impl Till {
    fn order(&self, card: &str, key: &str) -> PaymentOrder {
        let customer = (card == CARD).then(|| BETH.to_owned());
        PaymentOrder {
            amount: Cents(25_000),
            currency: Currency::USD,
            customer,
            payment_method: card.parse().unwrap(),
            save_card: false,
            return_url: "https://hotel.example/back?a=1&b=ä".to_owned(),
            texts: PaymentTexts::default(),
            metadata: BTreeMap::from([
                ("execution_id".to_owned(), "exe_1".to_owned()),
                ("note".to_owned(), "a&b=c+d é".to_owned()),
            ]),
            key: key.to_owned(),
        }
    }

    async fn pay(&self, card: &str, key: &str) -> Outcome<Payment> {
        self.stripe
            .send_pay(&self.stripe.pay(&self.order(card, key)))
            .await
    }

    async fn hold(&self, key: &str) -> Payment {
        let order = self.order(CARD, key);
        let order = SavedCardOrder {
            amount: order.amount,
            currency: order.currency,
            customer: BETH.to_owned(),
            payment_method: order.payment_method,
            texts: order.texts,
            metadata: order.metadata,
            key: order.key,
        };
        done(self.stripe.send_pay(&self.stripe.hold(&order)).await)
    }

    async fn capture(&self, held: &Payment, amount: i64, key: &str) -> Outcome<Payment> {
        let call = self.stripe.capture(&held.id, Cents(amount), key);
        self.stripe.send_capture(&call).await
    }

    async fn read(&self, payment: &Payment) -> Payment {
        done(self.stripe.payment(&payment.id).await).unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn many_payments_are_listed_to_the_last() {
    let till = till();
    let began = till.clock.now();
    for n in 0..103 {
        done(till.pay(CARD, &format!("key{n}")).await);
    }
    let listed = done(till.stripe.payments_since(None, began).await);
    assert_eq!(
        listed
            .items
            .iter()
            .map(|p| &p.id)
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        103
    );
}

#[tokio::test(start_paused = true)]
async fn a_customers_email_is_lower_cased() {
    let till = till();
    assert_eq!(
        done(till.stripe.customer_email(BETH).await).as_deref(),
        Some("beth.gibbs@email.com")
    );
    assert_eq!(done(till.stripe.customer_email("cus_nobody").await), None);
    let made = done(
        till.stripe
            .send_customer(&till.stripe.new_customer(
                Some(&"Nora.O'Brien@Example.com".into()),
                &BTreeMap::new(),
                "n",
            ))
            .await,
    );
    assert_eq!(
        done(till.stripe.customer_email(&made.id).await).as_deref(),
        Some("nora.o'brien@example.com")
    );
}

#[tokio::test(start_paused = true)]
async fn refunds_of_the_account_are_listed_from_a_time_on() {
    let till = till();
    let refund = async |n: u32| {
        let paid = done(till.pay(CARD, &format!("key{n}")).await);
        let key = format!("refund:{}:1", paid.id);
        let order = RefundOrder {
            payment_intent: paid.id,
            metadata: BTreeMap::new(),
            key,
        };
        done(till.stripe.send_refund(&till.stripe.refund(&order)).await)
    };
    let early = refund(0).await;
    till.clock.sleep(Duration::from_secs(10)).await;
    let since = till.clock.now();
    let mut later = Vec::new();
    for n in 1..=101 {
        later.push(refund(n).await);
    }
    later.reverse();
    let since_then = async |since| {
        let listing = done(till.stripe.refunds_since(since).await);
        let marked =
            |refund: &WithPaymentMetadata<Refund>| refund.payment_metadata["note"] == "a&b=c+d é";
        assert!(
            listing.items.iter().all(marked),
            "each with what is written on its payment"
        );
        listing
            .items
            .into_iter()
            .map(|refund| refund.item)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        since_then(since).await,
        later,
        "newest first, over two pages"
    );
    let all = since_then(since - Duration::from_secs(10)).await;
    assert_eq!((all.len(), all.last()), (102, Some(&early)));
}

#[tokio::test(start_paused = true)]
async fn a_hold_is_captured_in_part_and_refunds_nothing() {
    let till = till();
    let held = till.hold("hold").await;
    assert_eq!(held.status, PaymentStatus::RequiresCapture);
    assert_eq!((held.received, held.refunded), (Cents(0), Cents(0)));
    let hold = held.hold.clone().unwrap();
    assert_eq!(hold.capturable, Cents(25_000));
    assert!(hold.card.is_some(), "it is charged if the capture fails");
    let window = hold.capture_before.unwrap().duration_since(held.created);
    assert_eq!(window.as_hours(), 4 * 24 + 18, "a saved Visa, off session");
    let too_much = refused(till.capture(&held, 25_001, "more").await);
    assert_eq!(too_much.code, "amount_too_large");
    let captured = done(till.capture(&held, 20_000, "k").await);
    assert_eq!(captured.status, PaymentStatus::Succeeded);
    let sums = (captured.received, captured.refunded, captured.hold.clone());
    assert_eq!(
        sums,
        (Cents(20_000), Cents(0), None),
        "the released $50.00 was never taken"
    );
    // Sent again with its key, or once more with another: the payment as it is
    assert_eq!(done(till.capture(&held, 20_000, "k").await), captured);
    let again = done(till.capture(&held, 5_000, "other").await);
    assert_eq!(again.received, Cents(20_000));
    let order = RefundOrder {
        payment_intent: held.id.clone(),
        metadata: BTreeMap::new(),
        key: "refund".to_owned(),
    };
    let refund = done(till.stripe.send_refund(&till.stripe.refund(&order)).await);
    assert_eq!(refund.amount, Cents(20_000));
    assert_eq!(till.read(&held).await.refunded, Cents(20_000));
}

/// Stripe lists what a hold releases as a refund.
#[tokio::test(start_paused = true)]
async fn what_a_hold_releases_is_no_refund_also_if_a_refund_has_its_size() {
    let till = till();
    let held = till.hold("half").await;
    done(till.capture(&held, 12_500, "capture").await);
    let canceled = till.hold("none").await;
    let cancel = till.stripe.cancel(&canceled.id, "void");
    done(till.stripe.send_cancel(&cancel).await);
    let listed = async |since| {
        let all = done(till.stripe.refunds_since(since).await).items;
        all.into_iter().map(|of| of.item).collect::<Vec<_>>()
    };
    let start = held.created;
    for payment in [&held, &canceled] {
        assert_eq!(done(till.stripe.refunds(&payment.id).await), []);
    }
    assert_eq!(listed(start).await, []);
    till.clock.sleep(Duration::from_secs(10)).await;
    let order = RefundOrder {
        payment_intent: held.id.clone(),
        metadata: BTreeMap::new(),
        key: "refund".to_owned(),
    };
    let refund = done(till.stripe.send_refund(&till.stripe.refund(&order)).await);
    assert_eq!(refund.amount, Cents(12_500), "as much as was released");
    let refunds = [refund];
    assert_eq!(done(till.stripe.refunds(&held.id).await), refunds);
    assert_eq!(listed(start).await, refunds);
    // A list that begins after the release
    assert_eq!(listed(till.clock.now()).await, refunds);
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_was_released_or_expired_is_answered_as_canceled() {
    let till = till();
    let released = till.hold("one").await;
    let cancel = till.stripe.cancel(&released.id, "void");
    let canceled = done(till.stripe.send_cancel(&cancel).await);
    assert_eq!(
        (canceled.status, canceled.hold),
        (PaymentStatus::Canceled, None)
    );
    let expired = till.hold("two").await;
    till.clock.sleep(Duration::from_secs(5 * 86_400)).await;
    for held in [released, expired] {
        let late = done(till.capture(&held, 100, &format!("{}:late", held.id)).await);
        assert_eq!(
            (late.status, late.received),
            (PaymentStatus::Canceled, Cents(0))
        );
        let read = till.read(&held).await;
        assert_eq!((read.refunded, read.hold), (Cents(0), None));
    }
}
