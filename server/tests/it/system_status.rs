//! System status and fault injection, as staff see them.

use dewy_domain::{
    installation_id::InstallationId,
    ports::{Connection, FaultInjectionError, FaultSpec, Health, SystemStatus, SystemView},
};
use dewy_server::{
    config::Config,
    systems::{
        connect_systems::{Systems, connect_model},
        system_status::SystemStatusService,
    },
};

use crate::prelude::*;

fn staff(role: Role) -> Caller {
    Caller::staff("somebody@dewy.example", role, Interface::Form)
}

fn query_fails(count: u32) -> FaultSpec {
    FaultSpec {
        system: "salesforce".to_owned(),
        operation: "query".to_owned(),
        kind: "status".to_owned(),
        count,
        skip: 0,
        status: Some(500),
        ms: None,
    }
}

async fn salesforce(system_status: &dyn SystemStatus) -> SystemView {
    system_status
        .systems(&staff(Role::Housekeeping))
        .await
        .into_iter()
        .next()
        .unwrap()
}

#[tokio::test]
async fn an_injected_fault_is_shown_and_cleared() {
    let hotel = TestHotel::open().await;
    let system_status = Arc::clone(&hotel.server.system_status);
    let manager = staff(Role::Manager);
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    guest.call(Era::Modern, "get_folio", json!({})).await;
    let before = salesforce(&*system_status).await;
    assert_eq!(
        (before.name, before.connection, before.health),
        ("Salesforce", Connection::Sandbox, Health::Good)
    );
    assert_eq!(
        (before.troubled_last_hour, before.circuit_open_until),
        (0, None)
    );
    assert!(
        before.calls_last_hour >= 2 && before.median.is_some() && before.last_good.is_some(),
        "{before:?}"
    );
    assert!(before.quota.is_some());

    system_status
        .inject_fault(&manager, query_fails(1))
        .await
        .unwrap();
    assert_eq!(
        system_status
            .fault_injection(&manager)
            .await
            .unwrap()
            .faults,
        [query_fails(1)]
    );
    guest.call(Era::Modern, "get_folio", json!({})).await;
    let struck = salesforce(&*system_status).await;
    assert_eq!(
        (struck.health, struck.troubled_last_hour),
        (Health::Slow, 1)
    );
    assert!(struck.calls_last_hour > before.calls_last_hour);
    assert!(
        system_status
            .fault_injection(&manager)
            .await
            .unwrap()
            .faults
            .is_empty(),
        "it struck once"
    );

    system_status
        .inject_fault(&manager, query_fails(0))
        .await
        .unwrap();
    for _ in 0..5 {
        guest.call(Era::Modern, "get_folio", json!({})).await;
    }
    let down = salesforce(&*system_status).await;
    assert_eq!(down.health, Health::Down);
    assert!(down.circuit_open_until.is_some_and(|at| at > now()));
    assert_eq!(
        system_status
            .fault_injection(&manager)
            .await
            .unwrap()
            .faults,
        [query_fails(0)],
        "until it is taken back"
    );
    assert_eq!(system_status.clear_faults(&manager).await, Ok(1));
    assert_eq!(system_status.clear_faults(&manager).await, Ok(0));
    let systems = system_status.systems(&manager).await;
    let names: Vec<&str> = systems.iter().map(|system| system.name).collect();
    assert_eq!(names, ["Salesforce", "Stripe", "Twilio", "The model"]);
    // The sweep may have asked Stripe; nobody has asked these.
    assert!(
        systems[2..]
            .iter()
            .all(|system| system.health == Health::Quiet && system.median.is_none())
    );
}

#[tokio::test]
async fn fault_injection_names_errors_and_keeps_its_profile() {
    let hotel = TestHotel::open().await;
    let system_status = Arc::clone(&hotel.server.system_status);
    let manager = staff(Role::Manager);
    let wrong = |field: &'static str, error: FaultInjectionError| match error {
        FaultInjectionError::Wrong(at, words) => {
            assert!(at == field && !words.starts_with(field), "{at}: {words}")
        }
        other => panic!("{other:?}"),
    };
    let order = FaultSpec {
        status: None,
        ..query_fails(1)
    };
    wrong(
        "status",
        system_status
            .inject_fault(&manager, order)
            .await
            .unwrap_err(),
    );
    let order = FaultSpec {
        operation: "refund_create".to_owned(),
        ..query_fails(1)
    };
    wrong(
        "operation",
        system_status
            .inject_fault(&manager, order)
            .await
            .unwrap_err(),
    );
    wrong(
        "profile",
        system_status.latency(&manager, "slow").await.unwrap_err(),
    );

    let view = system_status.fault_injection(&manager).await.unwrap();
    assert_eq!(
        (view.latency.as_str(), view.seed_day.is_some()),
        ("none", true)
    );
    system_status.latency(&manager, "reference").await.unwrap();
    assert_eq!(
        system_status
            .fault_injection(&manager)
            .await
            .unwrap()
            .latency,
        "reference"
    );
    system_status.latency(&manager, "none").await.unwrap();

    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    guest
        .call(
            Era::Modern,
            "process_guest_checkout",
            json!({ "amount": 25000, "idempotency_token": "b" }),
        )
        .await;
    let intents = |hotel: &TestHotel| {
        hotel.state()["stripe"]["payment_intents"]
            .as_array()
            .unwrap()
            .len()
    };
    let paid = intents(&hotel);
    system_status.reset(&manager).await.unwrap();
    assert!(intents(&hotel) < paid, "a new world");
}

#[tokio::test]
async fn only_managers_see_fault_injection() {
    let hotel = TestHotel::open().await;
    let system_status = Arc::clone(&hotel.server.system_status);
    let guest = Caller::guest("beth.gibbs@email.com", Interface::Form);
    assert!(system_status.systems(&guest).await.is_empty());
    assert_eq!(
        system_status.systems(&staff(Role::FrontDesk)).await.len(),
        4
    );
    for caller in [
        guest,
        staff(Role::FrontDesk),
        staff(Role::Housekeeping),
        staff(Role::Maintenance),
    ] {
        assert_eq!(
            system_status.fault_injection(&caller).await,
            Err(FaultInjectionError::Unavailable)
        );
        assert_eq!(
            system_status.inject_fault(&caller, query_fails(1)).await,
            Err(FaultInjectionError::Unavailable)
        );
        assert_eq!(
            system_status.clear_faults(&caller).await,
            Err(FaultInjectionError::Unavailable)
        );
        assert_eq!(
            system_status.latency(&caller, "none").await,
            Err(FaultInjectionError::Unavailable)
        );
        assert_eq!(
            system_status.reset(&caller).await,
            Err(FaultInjectionError::Unavailable)
        );
    }
    let reader = staff(Role::Manager).reading_only(true);
    assert!(system_status.fault_injection(&reader).await.is_ok());
    assert_eq!(
        system_status.inject_fault(&reader, query_fails(1)).await,
        Err(FaultInjectionError::Unavailable)
    );
    assert!(hotel.sandbox().faults().is_empty());
}

/// Outside a demo there is no fault injection; an unreachable sandbox is reported.
#[tokio::test]
async fn only_a_demo_has_fault_injection() {
    let keys = [
        ("DEWY_MODE", "trial"),
        ("STRIPE_SECRET_KEY", "sk_test_1"),
        ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
        ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
    ];
    let config = |trial: bool| {
        Config::read(&|name| {
            keys.iter()
                .find(|(n, _)| trial && *n == name)
                .map(|(_, v)| (*v).to_owned())
        })
        .unwrap()
    };
    let at = |trial: bool| {
        let nobody = "http://127.0.0.1:9";
        let systems = Systems::connect(
            &config(trial),
            nobody,
            None,
            None,
            &(Arc::new(RealClock) as _),
            &(Arc::new(OsEntropy) as _),
        );
        SystemStatusService::new(
            &config(trial),
            InstallationId::of_number(7),
            systems,
            connect_model(&config(trial), nobody, &(Arc::new(RealClock) as _)).unwrap(),
            Some(nobody),
        )
    };
    assert_eq!(
        at(true).fault_injection(&staff(Role::Manager)).await,
        Err(FaultInjectionError::Unavailable)
    );
    let systems = at(true).systems(&staff(Role::Manager)).await;
    let real: Vec<bool> = systems
        .iter()
        .map(|system| system.connection == Connection::Real)
        .collect();
    assert_eq!(real, [false, true, false, false]);
    assert_eq!(
        at(false).fault_injection(&staff(Role::Manager)).await,
        Err(FaultInjectionError::Silent)
    );
}
