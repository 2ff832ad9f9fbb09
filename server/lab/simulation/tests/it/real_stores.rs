//! Layer 3: single faults against real SQLite and Postgres stores, in real time. Deadlines are
//! short, so that a case takes seconds; each case has its own database and sandbox.

mod faults;
mod seeded_payments;

use std::time::Instant;

use dewy_connectors::{
    RealClock, Salesforce, SalesforceConfig, Stripe, StripeConfig, Twilio, TwilioConfig,
};
use dewy_orchestrators::{Hotel, HotelDependencies, OUTBOX_KINDS, Settings};
use dewy_saga::journal::ExecutionFilter;
use dewy_store::Store;
use dewy_test_kit::{StoreContent, testing::PostgresServer};
use tokio_util::sync::CancellationToken;

use self::{
    faults::{CHECK_OUT, single_faults},
    seeded_payments::{lost_payment, with_holds},
};
use crate::{
    fault_cases::{Case, Course},
    front_desk::LOST,
    invariants::{self, ledger_of},
    prelude::*,
    saga_faults::{self, SagaRequest},
    simulated_hotel::{Crashes, MemoryKeyValueStore, SeededRandom},
};

/// More executions than any scene makes.
const LISTED: usize = 50;

/// Plays one scene on a real store; returns the violations once it is at rest.
async fn play(
    store: Store,
    saga_request: Option<SagaRequest>,
    course: Course,
    case: &Case,
) -> Vec<String> {
    let clock: Arc<dyn Clock> = Arc::new(RealClock);
    let sandbox = Sandbox::in_memory(Arc::clone(&clock), 1);
    let installation = store
        .installation(&SeededRandom::new(3))
        .await
        .expect("the store keeps settings");
    let holds = saga_request.is_some_and(SagaRequest::holds);
    if holds {
        with_holds(&sandbox, installation).await;
    }
    let crashes = Crashes::default();
    match case {
        Case::Crash(point, step, direction, _) => crashes.add(Crash {
            point: *point,
            step,
            direction: *direction,
            skip: Mutex::new(0),
            times: Mutex::new(1),
        }),
        Case::Outside(fault) => {
            sandbox.stamp_all();
            sandbox.add_fault(fault.clone());
        }
        _ => {}
    }
    if saga_request == Some(SagaRequest::Retry) {
        // Compensated, with the refund refused once: this requires a person.
        sandbox.add_fault(
            stripe("refund_create", FaultKind::Status)
                .status(400)
                .count(1),
        );
    }
    for fault in course.faults() {
        sandbox.add_fault(fault.ms(1_500));
    }
    let transport: Arc<dyn Transport> = Arc::new(sandbox.clone());
    let mut org =
        SalesforceConfig::new("http://sandbox.test", "client", "secret".to_owned().into());
    org.deadline = Duration::from_millis(500);
    let mut account = StripeConfig::new("sk_test_sandbox".to_owned().into());
    account.api_base = "http://sandbox.test".to_owned();
    (account.deadline_post, account.deadline_other) =
        (Duration::from_millis(800), Duration::from_millis(800));
    let mut carrier = TwilioConfig::new(
        "AC00000000000000000000000000000000",
        "token".to_owned().into(),
        "+12125550190",
    );
    (carrier.api_base, carrier.deadline) =
        ("http://sandbox.test".to_owned(), Duration::from_millis(500));
    let hotel = Hotel::new(HotelDependencies {
        crm: Arc::new(Salesforce::new(
            org,
            Arc::clone(&transport),
            Arc::clone(&clock),
        )),
        payments: Arc::new(Stripe::new(
            account,
            Arc::clone(&transport),
            Arc::clone(&clock),
        )),
        texts: Arc::new(Twilio::new(carrier, transport, Arc::clone(&clock))),
        mail: None,
        staff: None,
        key_value_store: Arc::new(MemoryKeyValueStore::swept(clock.now(), false)),
        journal: Arc::new(store.clone()),
        clock,
        entropy: Arc::new(SeededRandom::new(3)),
        settings: Settings {
            installation,
            forward_budget: Duration::from_secs(3),
            lease: Duration::from_secs(2),
            stripe_deadline: Duration::from_millis(800),
            salesforce_deadline: Duration::from_millis(500),
            poll: Duration::from_millis(200),
            orphan_check_grace: Duration::from_secs(1),
            crash_points: Arc::new(crashes),
            hold_per_night: holds.then_some(Cents(5_000)),
            ..Settings::default()
        },
    });
    let stop = CancellationToken::new();
    let work = tokio::spawn(Arc::clone(&hotel).work(stop.clone()));
    let (guest, manager) = (
        Caller::guest(BETH, Interface::Mcp),
        Caller::staff("manager@dewy.example", Role::Manager, Interface::Mcp),
    );
    let out = || (&guest, "process_guest_checkout", json!({ "amount": 25000 }));
    let orphan = matches!(saga_request, Some(SagaRequest::Sweep | SagaRequest::Staff))
        .then(|| lost_payment(&sandbox, installation));
    let asked = match (saga_request, &orphan) {
        (
            CHECK_OUT | Some(SagaRequest::Text | SagaRequest::Retry | SagaRequest::HoldCheckOut),
            _,
        ) => Some(out()),
        (Some(SagaRequest::Sweep), _) => None,
        (_, Some(payment)) => {
            let input = json!({ "payment_intent_id": payment, "guest_email": BETH, "reason": "nobody checked out" });
            Some((&manager, "compensate_checkout_failure", input))
        }
        (Some(saga_request), None) => {
            let (tool, input) = saga_faults::order(saga_request, &ledger_of(&sandbox));
            Some((&manager, tool, input))
        }
    };
    let tool = asked
        .as_ref()
        .map_or("compensate_checkout_failure", |(_, tool, _)| tool);
    let ask = async |caller: &Caller, tool: &str, input: Value, token: &str| {
        let wait = Some(Duration::from_secs(1));
        let call = ToolCall {
            tool: tool.to_owned(),
            input,
            idempotency_token: Some(token.to_owned()),
            wait,
        };
        hotel.dispatch(caller, call).await
    };
    if let Some((caller, tool, input)) = &asked {
        ask(caller, tool, input.clone(), "t1").await;
    }
    let mut tries = 0;
    let began = Instant::now();
    let mut violations = Vec::new();
    let mut calm_before = false;
    let records = loop {
        if began.elapsed() > Duration::from_secs(12) {
            sandbox.clear_faults();
        }
        match saga_request {
            Some(SagaRequest::Sweep) => drop(hotel.check_orphan_payments().await),
            // Refused before any effect, because an outside system was down: the person tries
            // again.
            Some(SagaRequest::Staff) => {
                if let Some((caller, tool, input)) = asked.as_ref().filter(|_| tries < 3) {
                    tries += 1;
                    ask(caller, tool, input.clone(), &format!("again{tries}")).await;
                }
            }
            Some(SagaRequest::Retry) => {
                for record in store
                    .list(&ExecutionFilter {
                        limit: 10,
                        ..ExecutionFilter::default()
                    })
                    .await
                    .expect("the store lists")
                {
                    if record.state == State::NeedsAttention
                        && record.saga == "process_guest_checkout"
                    {
                        tries += 1;
                        let input = json!({ "execution_id": record.id, "resolution": "retry_now", "reason": "again" });
                        ask(
                            &manager,
                            "resolve_execution",
                            input,
                            &format!("again{tries}"),
                        )
                        .await;
                    }
                }
            }
            _ => {}
        }
        let listed = store
            .list(&ExecutionFilter {
                limit: LISTED,
                ..ExecutionFilter::default()
            })
            .await
            .expect("the store lists");
        let mut owed = Vec::new();
        for kind in OUTBOX_KINDS {
            let rows = store.projections(kind, None, 1).await;
            owed.extend(rows.expect("the store lists"));
        }
        // Twice in a row: between the two checks a text may have been taken out of the outbox.
        let landed = sandbox.calls().iter().all(|call| call.effect != "pending");
        let calm = landed
            && !listed.is_empty()
            && owed.is_empty()
            && listed.iter().all(|r| r.state.has_ended());
        if calm && !std::mem::replace(&mut calm_before, calm) {
            tokio::time::sleep(Duration::from_millis(200)).await;
            continue;
        }
        calm_before = calm;
        if calm {
            let mut whole = Vec::new();
            for record in listed {
                whole.push(
                    store
                        .load(record.id)
                        .await
                        .expect("the store loads")
                        .expect("what is listed is there"),
                );
            }
            break whole;
        }
        if began.elapsed() > Duration::from_secs(90) {
            violations.push(format!(
                "I7: it does not come to rest: {:?}",
                listed.iter().map(|r| r.state).collect::<Vec<_>>()
            ));
            break Vec::new();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    let sandbox_ledger = ledger_of(&sandbox);
    if let Some(payment) = &orphan {
        let payment = &sandbox_ledger.payments[payment];
        let (taken, given_back) = (payment.taken, payment.refunded);
        let person = records
            .iter()
            .any(|record| record.state == State::NeedsAttention);
        if taken != given_back && !person {
            violations.push(format!("I9: {taken} were taken, {given_back} given back"));
        }
    }
    let once = saga_request.filter(|saga_request| saga_request.writes_once());
    if let (Some(saga_request), Some(record)) =
        (once, records.iter().find(|record| record.saga == tool))
    {
        violations.extend(saga_faults::unsound(saga_request, &sandbox_ledger, record));
    }
    stop.cancel();
    let _ = work.await;
    let projected = async |kind| {
        let rows = store.projections(kind, None, LISTED).await;
        rows.expect("the store lists")
    };
    let report = store.verify_all().await.expect("the store verifies");
    let found = StoreContent {
        records,
        compensations: projected("compensation").await,
        unsent_texts: projected("text").await.len(),
        orphan_check_ran: true,
        chain_faults: report
            .faults
            .iter()
            .map(|fault| format!("{fault:?}"))
            .collect(),
        ..StoreContent::default()
    };
    let lost = orphan.map(|_| LOST.to_owned());
    violations.extend(invariants::of(
        &sandbox_ledger,
        &found,
        lost.into_iter().collect(),
    ));
    violations
}

/// Cases at once: they wait nearly all the time.
const AT_ONCE: usize = 24;

async fn every_single_fault(
    name: &str,
    faults: Vec<(Option<SagaRequest>, Course, Case)>,
    open: impl AsyncFn(usize) -> Store,
    over: impl AsyncFn(usize),
) {
    use futures::StreamExt;
    let began = Instant::now();
    let only = std::env::var("DEWY_CASE").ok();
    let only = only.and_then(|n| n.parse::<usize>().ok());
    let chosen = |n: &usize| only.is_none_or(|only| only == *n);
    let failures: Vec<_> = futures::stream::iter(faults.iter().enumerate())
        .filter(|(n, _)| futures::future::ready(chosen(n)))
        .map(|(n, (saga_request, course, case))| {
            let (open, over) = (&open, &over);
            async move {
                let store = open(n).await;
                let found = play(store.clone(), *saga_request, *course, case).await;
                store.close().await;
                over(n).await;
                (n, found)
            }
        })
        .buffer_unordered(AT_ONCE)
        .filter(|(_, found)| futures::future::ready(!found.is_empty()))
        .collect()
        .await;
    println!(
        "single faults on {name}: {} cases, {} failed, {} s",
        faults.len(),
        failures.len(),
        began.elapsed().as_secs()
    );
    for (n, found) in &failures {
        println!(
            "  FAILED {n} {:?}\n    {}",
            faults[*n],
            found.join("\n    ")
        );
    }
    assert!(
        failures.is_empty(),
        "{} of {} cases failed on {name}",
        failures.len(),
        faults.len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn single_faults_on_sqlite() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let open = async |n| {
        let url = format!(
            "sqlite://{}",
            folder.path().join(format!("{n}.db")).display()
        );
        let store = Store::open(&url, Arc::new(RealClock))
            .await
            .expect("SQLite opens");
        store.migrate().await.expect("the store migrates");
        store
    };
    every_single_fault("SQLite", single_faults(), open, async |_| ()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn single_faults_on_postgres() {
    let server = PostgresServer::start_unsynced().expect("Postgres starts");
    // To make a database costs more than a case does: those that are done with are used again.
    let (free, used) = (Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
    let open = async |n| {
        let free = free.lock().unwrap().pop();
        let url: String = match free {
            Some(url) => url,
            None => server.create_database().await.expect("a database is made"),
        };
        let store = Store::open(&url, Arc::new(RealClock))
            .await
            .expect("Postgres opens");
        store.migrate().await.expect("the store migrates");
        used.lock().unwrap().insert(n, url);
        store
    };
    let over = async |n| {
        let url = used.lock().unwrap().remove(&n).expect("it was opened");
        server.delete_all_rows(&url).await.expect("it is emptied");
        free.lock().unwrap().push(url);
    };
    every_single_fault("Postgres", single_faults(), open, over).await;
}
