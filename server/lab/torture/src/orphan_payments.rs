//! Orphaned and foreign payments: created directly at Stripe, to be found by the orphan check while
//! its process is killed repeatedly.

use anyhow::{Context, bail};
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::{
    installation_id::InstallationId,
    ports::{Clock, Entropy},
};
use dewy_saga::ExecutionId;
use dewy_test_kit::injected_payments::{InjectedPayment, KEY_PREFIX, Kind};
use fastrand::Rng;
use serde_json::{Value, json};
use std::time::Duration;

use crate::{
    caller_state::CallerState,
    seed_stays::{self, Stage, Stay, dollars},
    test_server::TestServer,
};

/// Payment that can be created at any moment, because its stay exists.
#[derive(Clone, Debug)]
pub struct Seed {
    n: usize,
    kind: Kind,
    stay: Stay,
    ids: seed_stays::StayIds,
    number: String,
    installation: String,
    execution: Option<String>,
}

/// Prepares this many payments of each kind.
pub async fn prepare(
    server: &TestServer,
    rng: &mut Rng,
    of_each: usize,
) -> anyhow::Result<Vec<Seed>> {
    // Signed like the hotel's own payments; otherwise their owner would be unknown.
    let store = server.store().await?;
    let installation = store
        .known_installation()
        .await?
        .context("a serving hotel has an installation id")?
        .to_string();
    store.close().await;
    let mut seeds = Vec::new();
    for n in 0..of_each * Kind::ALL.len() {
        let kind = Kind::ALL[n % Kind::ALL.len()];
        let ours = !matches!(kind, Kind::Foreign | Kind::ForeignWithWords);
        let execution = ours.then(|| ExecutionId(OsEntropy.uuid_v7(RealClock.now())).to_string());
        let cents = if kind == Kind::OverLimit {
            rng.u64(61_000..=90_000)
        } else {
            rng.u64(5_000..=59_000)
        };
        let stage = if kind == Kind::Finished {
            Stage::Gone
        } else {
            Stage::InHouse
        };
        let stay = Stay::new('P', n, cents, stage);
        let installation = installation.clone();
        seeds.push(Seed {
            n,
            kind,
            stay,
            ids: seed_stays::StayIds::default(),
            number: String::new(),
            installation,
            execution,
        });
    }
    let stays: Vec<_> = seeds.iter().map(|s| s.stay.clone()).collect();
    let session = server.wire.session(&server.upstream.url).await?;
    for (seed, ids) in seeds
        .iter_mut()
        .zip(seed_stays::create(server, &stays).await?)
    {
        let url = format!(
            "{}/services/data/v62.0/sobjects/Booking__c/{}",
            server.upstream.url, ids.booking
        );
        let booking = server
            .wire
            .send_successfully("GET", &url, &session, None)
            .await?;
        seed.number = booking["Name"]
            .as_str()
            .context("a booking has a number")?
            .to_owned();
        seed.ids = ids;
    }
    let finished: Vec<_> = seeds.iter().filter(|s| s.kind == Kind::Finished).collect();
    let now = RealClock.now().to_string();
    seed_stays::records(server, &session, "Payment_Transaction__c", &finished, &[], |seed, _| {
        json!({ "Opportunity__c": seed.ids.opportunity, "External_ID__c": seed.execution, "Transaction_Type__c": "Payment",
            "Status__c": "Completed", "Amount__c": dollars(seed.stay.cents), "Transaction_Date__c": now })
    })
    .await?;
    Ok(seeds)
}

/// Pays, retrying with the same key until there is an answer.
pub async fn plant(server: &TestServer, desk: &CallerState, seed: Seed) -> anyhow::Result<()> {
    // Staff are not asked about a payment whose check-out was completed, or whose booking is
    // unknown.
    let known = !matches!(
        seed.kind,
        Kind::Finished | Kind::OfNoBooking | Kind::Neighbors
    );
    let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut fields = vec![
        field("amount", &seed.stay.cents.to_string()),
        field("currency", "usd"),
        field("payment_method", "pm_card_visa"),
        field("confirm", "true"),
        field("automatic_payment_methods[enabled]", "true"),
        field("automatic_payment_methods[allow_redirects]", "never"),
    ];
    if known {
        let email = [field("email", &seed.stay.email)];
        let customer = pay(server, &seed, "customers", &email).await?;
        let id = customer["id"].as_str().context("a customer has an id")?;
        fields.push(field("customer", id));
    }
    let mut metadata =
        |name: &str, value: &str| fields.push(field(&format!("metadata[{name}]"), value));
    if let Some(execution) = &seed.execution {
        let number = if seed.kind == Kind::OfNoBooking {
            "BK-999999"
        } else {
            seed.number.as_str()
        };
        let neighbor = InstallationId::of_number(0).to_string();
        metadata(
            "installation_id",
            if seed.kind == Kind::Neighbors {
                &neighbor
            } else {
                &seed.installation
            },
        );
        metadata("execution_id", execution);
        metadata("booking_number", number);
        metadata("room_number", &seed.stay.room);
    }
    if seed.kind == Kind::ForeignWithWords {
        metadata("order", "spa-17");
    }
    let payment = pay(server, &seed, "payment_intents", &fields).await?;
    let payment = payment["id"]
        .as_str()
        .context("a payment has an id")?
        .to_owned();
    if known {
        desk.record_payment(&payment, &seed.stay.email);
    }
    let cents = i64::try_from(seed.stay.cents)?;
    desk.record_injected(InjectedPayment {
        kind: seed.kind,
        payment,
        execution: seed.execution,
        opportunity: (seed.kind != Kind::OfNoBooking).then_some(seed.ids.opportunity),
        owed: if seed.kind == Kind::Finished {
            0
        } else {
            cents
        },
    });
    Ok(())
}

async fn pay(
    server: &TestServer,
    seed: &Seed,
    what: &str,
    fields: &[(String, String)],
) -> anyhow::Result<Value> {
    let url = format!("{}/v1/{what}", server.upstream.url);
    let mut refused = 0;
    for _ in 0..60 {
        let key = format!("{KEY_PREFIX}{what}:{}:{refused}", seed.n);
        match server
            .wire
            .form(&url, "sk_test_sandbox", &key, fields)
            .await
        {
            Ok((200, body)) if body["id"].is_string() => return Ok(body),
            // This key will always return this error, and nothing was charged.
            Ok((500.., _)) => refused += 1,
            // In progress elsewhere, or the answer was cut off.
            Ok((200 | 409 | 429, _)) | Err(_) => {}
            Ok((status, body)) => bail!("not planted: {status} {body}"),
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    bail!("nothing could be planted for a long while")
}
