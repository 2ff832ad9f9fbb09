//! State after a restart.

use std::path::PathBuf;

use dewy_domain::ports::Transport as _;
use dewy_sandbox::test_clock::TestClock;
use serde_json::Map;

use crate::{
    prelude::*,
    sandbox_client::{salesforce, token},
};

fn text() -> HttpRequest {
    // AC…1:token
    let basic = "Basic QUMwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMTp0b2tlbg==";
    HttpRequest {
        method: "POST".to_owned(),
        url: "https://api.twilio.test/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages.json".to_owned(),
        headers: vec![("authorization".to_owned(), basic.to_owned())],
        body: b"To=%2B12125550101&From=%2B12125550190&Body=Hi".to_vec(),
    }
}

struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("dewy-sandbox-{name}-{}.db", std::process::id()));
        let file = Self(path);
        file.remove();
        file
    }

    fn remove(&self) {
        for end in ["", "-wal", "-shm"] {
            drop(std::fs::remove_file(format!("{}{end}", self.0.display())));
        }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        self.remove();
    }
}

#[tokio::test]
async fn state_survives_a_restart() {
    let file = File::new("restart");
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::open(clock.clone(), &file.0).await.unwrap();
    post(
        &sandbox,
        "/v1/webhook_endpoints",
        None,
        &[("url", "https://hotel.test/w"), ("enabled_events[]", "*")],
    )
    .await;
    sandbox.set_latency(Latency::none());
    let (first, _) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    let session = token(&sandbox).await;
    let case = json!({"Subject": "Lamp", "Status": "New", "Origin": "Phone"});
    let answer = send(
        &sandbox,
        salesforce(&session, "POST", "/sobjects/Case", &case),
    )
    .await
    .unwrap();
    assert_eq!(answer.status, 201);
    sandbox.add_fault(
        Fault::new(System::Stripe, "refund_create", FaultKind::Status)
            .status(500)
            .skip(3)
            .count(2),
    );
    sandbox.add_fault(
        Fault::new(System::Stripe, "customers", FaultKind::Status)
            .status(429)
            .count(0),
    );
    post(
        &sandbox,
        "/v1/payment_methods/pm_card_visa/attach",
        None,
        &[("customer", "cus_BethGibbs0001")],
    )
    .await;
    assert_eq!(send(&sandbox, text()).await.unwrap().status, 201);
    let (state, calls, faults) = (sandbox.state(), sandbox.calls(), sandbox.faults());
    let events: Vec<_> = sandbox
        .pending_events()
        .into_iter()
        .map(|pending| pending.id)
        .collect();
    drop(sandbox);

    let sandbox = Sandbox::open(clock, &file.0).await.unwrap();
    let now = sandbox.state();
    assert_fields(
        &now,
        json!({ "salesforce": state["salesforce"], "stripe": state["stripe"] }),
    );
    // The status of a message depends on the clock, which continues.
    let sids = |state: &Value| -> Vec<Value> {
        items(&state["twilio"]["messages"])
            .iter()
            .map(|message| message["sid"].clone())
            .collect()
    };
    assert_eq!((sids(&now).len(), sids(&now)), (1, sids(&state)));
    assert_eq!(sandbox.calls(), calls);
    assert_eq!(sandbox.faults(), faults);
    assert_eq!(
        sandbox
            .pending_events()
            .into_iter()
            .map(|pending| pending.id)
            .collect::<Vec<_>>(),
        events
    );
    let (again, _) = pay(&sandbox, Some("k"), "pm_card_visa").await;
    assert_eq!(
        (again.header("idempotent-replayed"), &again.body),
        (Some("true"), &first.body)
    );
    assert_eq!(send(&sandbox, text()).await.unwrap().status, 201);
    let after = sids(&sandbox.state());
    assert!(after.len() == 2 && after[0] != after[1], "{after:?}");
    let (fresh, _) = pay(&sandbox, Some("k2"), "pm_card_visa").await;
    assert_ne!(fresh.body, first.body);
    assert_eq!(
        items(&sandbox.state()["stripe"]["payment_intents"]).len(),
        2
    );
    let query = send(
        &sandbox,
        salesforce(
            &session,
            "GET",
            "/query?q=SELECT%20Id%20FROM%20Case%20WHERE%20Subject='Lamp'",
            &json!(null),
        ),
    )
    .await
    .unwrap();
    assert_eq!(query.status, 200, "the session outlives us too");
}

#[tokio::test]
async fn a_late_effect_survives_a_restart() {
    let file = File::new("late");
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::open(clock.clone(), &file.0).await.unwrap();
    sandbox.add_fault(payment_fault(FaultKind::LateEffect).ms(600));
    let request = stripe(
        "POST",
        "/v1/payment_intents",
        Some("k"),
        &payment("pm_card_visa"),
    );
    assert!(
        sandbox
            .send(request, Duration::from_millis(300))
            .await
            .is_err()
    );
    drop(sandbox);
    let sandbox = Sandbox::open(clock, &file.0).await.unwrap();
    assert_eq!(sandbox.state()["stripe"]["payment_intents"], json!([]));
    pass(1).await;
    assert_eq!(
        sandbox.state()["stripe"]["payment_intents"][0]["status"],
        "succeeded"
    );
    assert_eq!(sandbox.calls()[0].effect, "late");
}

#[tokio::test]
async fn a_reset_is_persisted() {
    let file = File::new("reset");
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::open(clock.clone(), &file.0).await.unwrap();
    let seeded = sandbox.state();
    post(&sandbox, "/v1/customers", None, &[("email", "a@x.test")]).await;
    let room = seeded["salesforce"]["Hotel_Room__c"][0]["Id"]
        .as_str()
        .unwrap();
    let fields = Map::from_iter([("Status__c".to_owned(), json!("Maintenance"))]);
    sandbox.edit("Hotel_Room__c", room, &fields).unwrap();
    assert_ne!(sandbox.state(), seeded);
    sandbox.reset(1);
    assert_eq!(sandbox.state(), seeded);
    // The next response saves it to disk.
    post(
        &sandbox,
        "/v1/webhook_endpoints",
        None,
        &[("url", "nowhere")],
    )
    .await;
    drop(sandbox);
    let sandbox = Sandbox::open(clock, &file.0).await.unwrap();
    assert_eq!(sandbox.state(), seeded);
    assert_eq!(sandbox.calls().len(), 1);
}

#[tokio::test]
async fn concurrent_requests_are_all_persisted() {
    let file = File::new("many");
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::open(clock.clone(), &file.0).await.unwrap();
    let calls = (0..50).map(|place| {
        let sandbox = sandbox.clone();
        async move {
            pay(&sandbox, Some(&format!("k{place}")), "pm_card_visa")
                .await
                .0
                .status
        }
    });
    let answers = futures::future::join_all(calls).await;
    assert!(answers.iter().all(|status| *status == 200));
    let state = sandbox.state();
    drop(sandbox);
    assert_eq!(Sandbox::open(clock, &file.0).await.unwrap().state(), state);
}
