//! Stripe connector against the sandbox, in memory and on virtual time.

use crate::replies::{arm, done, refused};
use std::{collections::BTreeMap, sync::Arc};

use dewy_connectors::{Stripe, StripeConfig};
use dewy_domain::{
    money::{Cents, Currency},
    payment::{
        Payment, PaymentOrder, PaymentStatus, PaymentTexts, Refund, RefundOrder,
        WithPaymentMetadata,
    },
    ports::{Clock, Payments},
    upstream_request::Reply,
};
use dewy_sandbox::{Sandbox, test_clock::TestClock};

const BETH: &str = "cus_BethGibbs0001";
const CARD: &str = "pm_1BethVisa4242";

struct Till {
    sandbox: Sandbox,
    stripe: Stripe,
    clock: Arc<TestClock>,
}

fn till() -> Till {
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::in_memory(clock.clone(), 1);
    let mut config = StripeConfig::new("sk_test_x".to_owned().into());
    config.api_base = "http://sandbox/".to_owned();
    let stripe = Stripe::new(config, Arc::new(sandbox.clone()), clock.clone());
    Till {
        sandbox,
        stripe,
        clock,
    }
}

impl Till {
    fn order(&self, card: &str, key: &str) -> PaymentOrder {
        let customer = (card == CARD).then(|| BETH.to_owned());
        PaymentOrder {
            amount: Cents(25_000),
            currency: Currency::USD,
            customer,
            payment_method: card.parse().unwrap(),
            return_url: "https://hotel.example/back?a=1&b=ä".to_owned(),
            texts: PaymentTexts::default(),
            metadata: BTreeMap::from([
                ("execution_id".to_owned(), "exe_1".to_owned()),
                ("note".to_owned(), "a&b=c+d é".to_owned()),
            ]),
            key: key.to_owned(),
        }
    }

    async fn pay(&self, card: &str, key: &str) -> Reply<Payment> {
        self.stripe
            .send_pay(&self.stripe.pay(&self.order(card, key)))
            .await
    }
}

#[tokio::test(start_paused = true)]
async fn pay_look_up_and_refund() {
    let till = till();
    let customer = done(till.stripe.customers(&"beth.gibbs@email.com".into()).await).remove(0);
    assert_eq!(
        (
            customer.id.as_str(),
            customer.default_card.as_ref().map(AsRef::as_ref)
        ),
        (BETH, Some(CARD))
    );
    let cards = done(till.stripe.cards(BETH).await);
    assert_eq!(
        cards
            .iter()
            .map(|c| (c.id.as_str(), c.last4.as_str(), c.default))
            .collect::<Vec<_>>(),
        [(CARD, "4242", true)]
    );

    let paid = done(till.pay(CARD, "exe_1:pay").await);
    assert_eq!(
        (&paid.status, paid.received, paid.refunded),
        (&PaymentStatus::Succeeded, Cents(25_000), Cents(0))
    );
    assert_eq!(paid.last4.as_deref(), Some("4242"));
    assert!(paid.charge_id.is_some() && paid.receipt_url.is_some());
    assert_eq!(paid.metadata["note"], "a&b=c+d é");
    assert_eq!(
        done(till.stripe.payment(&paid.id).await),
        Some(paid.clone())
    );
    assert_eq!(
        done(
            till.stripe
                .payments_since(Some(BETH), till.clock.now())
                .await
        )
        .items,
        std::slice::from_ref(&paid)
    );
    assert_eq!(till.sandbox.calls().len(), 6);

    let order = RefundOrder {
        payment_intent: paid.id.clone(),
        metadata: BTreeMap::new(),
        key: format!("refund:{}:1", paid.id),
    };
    let call = till.stripe.refund(&order);
    let refund = done(till.stripe.send_refund(&call).await);
    assert!(
        refund.status.is_effective()
            && refund.amount == Cents(25_000)
            && refund.payment_intent == paid.id
    );
    assert_eq!(
        done(till.stripe.send_refund(&call).await),
        refund,
        "the same key gives the same refund"
    );
    assert_eq!(done(till.stripe.refunds(&paid.id).await), [refund]);
    assert_eq!(
        done(till.stripe.payment(&paid.id).await).unwrap().refunded,
        Cents(25_000)
    );
    let again = till.stripe.refund(&RefundOrder {
        key: "another".to_owned(),
        ..order
    });
    assert_eq!(
        arm(&till.stripe.send_refund(&again).await),
        "refused charge_already_refunded"
    );
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
async fn declines_required_actions_and_unknown_ids() {
    let till = till();
    let declined = refused(till.pay("pm_card_visa_chargeDeclined", "a").await);
    assert_eq!(
        (
            declined.code.as_str(),
            declined.details["decline_code"].as_str()
        ),
        ("card_declined", Some("generic_decline"))
    );
    let intent = declined.details["payment_intent"].as_str().unwrap();
    let kept = done(till.stripe.payment(&intent.parse().unwrap()).await).unwrap();
    assert_eq!(
        (kept.status, kept.received),
        (PaymentStatus::RequiresPaymentMethod, Cents(0))
    );

    let waiting = done(till.pay("pm_card_authenticationRequired", "b").await);
    assert_eq!(waiting.status, PaymentStatus::RequiresAction);
    assert!(waiting.next_action_url.is_some());
    let cancelled = done(
        till.stripe
            .send_cancel(&till.stripe.cancel(&waiting.id, "b:cancel"))
            .await,
    );
    assert_eq!(cancelled.status, PaymentStatus::Canceled);

    let paid = done(till.pay("pm_card_visa", "c").await);
    let too_late = done(
        till.stripe
            .send_cancel(&till.stripe.cancel(&paid.id, "c:cancel"))
            .await,
    );
    assert_eq!(
        (too_late.id, too_late.status),
        (paid.id, PaymentStatus::Succeeded)
    );
    assert_eq!(
        done(till.stripe.payment(&"pi_nothing".parse().unwrap()).await),
        None
    );
    assert_eq!(
        arm(&till.pay("pm_nothing", "d").await),
        "refused resource_missing"
    );
}

#[tokio::test(start_paused = true)]
async fn customers_are_created_and_found_again() {
    let till = till();
    let email = "o'brien+spa@example.com";
    assert_eq!(done(till.stripe.customers(&email.into()).await), []);
    let made = done(
        till.stripe
            .send_customer(&till.stripe.new_customer(
                Some(&email.into()),
                &BTreeMap::new(),
                "customer:1",
            ))
            .await,
    );
    assert_eq!(
        done(till.stripe.customers(&email.into()).await),
        std::slice::from_ref(&made)
    );
    assert_eq!(done(till.stripe.cards(&made.id).await), vec![]);
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
    till.clock.sleep(std::time::Duration::from_secs(10)).await;
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
    let all = since_then(since - std::time::Duration::from_secs(10)).await;
    assert_eq!((all.len(), all.last()), (102, Some(&early)));
}
