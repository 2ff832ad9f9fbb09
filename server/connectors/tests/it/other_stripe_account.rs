//! A key of another account than the recorded one.

use std::sync::Mutex;

use async_trait::async_trait;
use dewy_domain::ports::PaymentAccountStore;
use dewy_sandbox::{ACCOUNT, KeySettings};

use crate::{prelude::*, replies::try_later};

/// Account memory that can fail.
#[derive(Debug)]
struct Memory(Mutex<Result<String, String>>);

#[async_trait]
impl PaymentAccountStore for Memory {
    async fn get_or_set(&self, _: &str) -> Result<String, String> {
        self.0.lock().unwrap().clone()
    }
}

fn connected(memory: Result<&str, &str>) -> (Sandbox, Arc<Memory>, Stripe) {
    let clock: Arc<dyn Clock> = Arc::new(TestClock::new());
    let sandbox = Sandbox::in_memory(Arc::clone(&clock), 1);
    let memory = Arc::new(Memory(Mutex::new(
        memory.map(str::to_owned).map_err(str::to_owned),
    )));
    let mut config = StripeConfig::new("sk_test_1".to_owned().into());
    config.api_base = "http://sandbox.test".to_owned();
    let stripe = Stripe::new(config, Arc::new(sandbox.clone()), clock)
        .with_account(Arc::clone(&memory) as _);
    (sandbox, memory, stripe)
}

fn alarms(stripe: &Stripe) -> Vec<String> {
    stripe
        .health_stats()
        .alarms
        .into_iter()
        .map(|alarm| alarm.code)
        .collect()
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_until_the_account_is_ours() {
    let (sandbox, memory, stripe) = connected(Ok("acct_other"));
    for _ in 0..2 {
        let error = try_later(stripe.customers(&"beth.gibbs@email.com".into()).await);
        assert_eq!(error.code, "stripe_other_account");
        assert!(
            error.message.contains("acct_other")
                && error.message.contains(&format!("dewy adopt {ACCOUNT}"))
        );
    }
    assert_eq!(
        sandbox
            .calls()
            .iter()
            .map(|call| call.operation.clone())
            .collect::<Vec<_>>(),
        ["account_retrieve"]
    );
    assert_eq!(alarms(&stripe), ["stripe_other_account"]);
    *memory.0.lock().unwrap() = Ok(ACCOUNT.to_owned());
    let account = done(stripe.account().await);
    assert_eq!(
        (account.id.as_str(), account.currency.as_str()),
        (ACCOUNT, "usd")
    );
    assert!(matches!(
        stripe.customers(&"beth.gibbs@email.com".into()).await,
        Outcome::Done(_)
    ));
    assert_eq!(alarms(&stripe), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_switched_account_is_noticed_within_seconds_and_a_store_failure_is_not_one() {
    let (_, memory, stripe) = connected(Ok(ACCOUNT));
    assert!(matches!(
        stripe.customers(&"beth.gibbs@email.com".into()).await,
        Outcome::Done(_)
    ));
    *memory.0.lock().unwrap() = Err("the store is busy".to_owned());
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert!(
        matches!(
            stripe.customers(&"beth.gibbs@email.com".into()).await,
            Outcome::Done(_)
        ),
        "it was ours a moment ago"
    );
    *memory.0.lock().unwrap() = Ok("acct_other".to_owned());
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert!(matches!(
        stripe.customers(&"beth.gibbs@email.com".into()).await,
        Outcome::TryLater(_)
    ));
}

#[tokio::test(start_paused = true)]
async fn an_unverifiable_account_is_not_treated_as_ours() {
    let (sandbox, _, stripe) = connected(Ok(ACCOUNT));
    let lacks = KeySettings {
        lacks: vec!["account_retrieve".to_owned()],
        ..KeySettings::default()
    };
    sandbox.set_stripe_key("sk_test_1", &lacks);
    let error = try_later(stripe.customers(&"beth.gibbs@email.com".into()).await);
    assert_eq!(
        (error.code.as_str(), alarms(&stripe)),
        (
            "stripe_permission_missing",
            vec!["stripe_permission_missing".to_owned()]
        )
    );
    sandbox.set_stripe_key("sk_test_1", &KeySettings::default());
    assert!(matches!(
        stripe.customers(&"beth.gibbs@email.com".into()).await,
        Outcome::Done(_)
    ));
    let (_, _, stripe) = connected(Err("the store is down"));
    let error = try_later(stripe.customers(&"beth.gibbs@email.com".into()).await);
    assert_eq!(
        (error.code.as_str(), alarms(&stripe)),
        ("account_not_compared", vec![])
    );
}
