//! Stripe connector against the sandbox, in memory and on virtual time.

use std::collections::BTreeMap;

use dewy_domain::{
    money::Currency,
    payment::{Payment, Refund, RefundOrder, WithPaymentMetadata},
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
