//! The stories of the desk: check-in, charges, payments given back by people and by the clock,
//! banks that ask, texts.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use dewy_connectors::{Stripe, StripeConfig};
use dewy_domain::ports::Dispatcher;
use dewy_domain::{
    answer::ToolAnswer,
    caller::{Caller, Interface, Persona, Role},
    error_code::ErrorCode,
    money::{Cents, Currency},
    payment::{Payment, PaymentOrder},
    ports::{Clock, HttpRequest, Payments, Transport},
    tool::ToolCall,
};
use dewy_saga::{Ask, Journal, Signal, State, journal::Record};
use dewy_sandbox::{Fault, FaultKind, Latency, System};
use serde_json::{Map, Value, json};

use super::{
    invariants::{balance, violations},
    on_virtual_time,
    world::{BETH, Setup, World},
};

const DAY: Duration = Duration::from_secs(26 * 3600);
const SARAH: &str = "sarah@example.com";

fn composite(kind: FaultKind) -> Fault {
    Fault::new(System::Salesforce, "composite", kind)
}

fn refund(kind: FaultKind) -> Fault {
    Fault::new(System::Stripe, "refund_create", kind)
}

fn with(faults: Vec<Fault>) -> World {
    World::new(Setup {
        faults,
        ..Setup::default()
    })
}

fn code(answer: &ToolAnswer) -> Option<ErrorCode> {
    answer.error()
}

fn data(answer: &ToolAnswer) -> Value {
    answer.body(Persona::Staff)["data"].clone()
}

fn assert_sound(world: &World) {
    assert_eq!(violations(world), Vec::<String>::new());
}

fn refunds(world: &World) -> usize {
    world.sandbox.state()["stripe"]["refunds"]
        .as_array()
        .map_or(0, Vec::len)
}

fn of(world: &World, saga: &str) -> Vec<Record> {
    world
        .asked()
        .into_iter()
        .filter(|r| r.saga == saga)
        .collect()
}

fn check_out_of(world: &World) -> Record {
    of(world, "process_guest_checkout").remove(0)
}

async fn desk(world: &World, tool: &str, token: &str, input: Value) -> ToolAnswer {
    world
        .call(
            &Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Mcp),
            tool,
            Some(token),
            input,
        )
        .await
}

fn texts(world: &World) -> Vec<String> {
    let state = world.sandbox.state();
    let messages = state["twilio"]["messages"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    messages
        .iter()
        .map(|m| m["body"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// A payment that some program made at the payment system, without the hotel.
pub async fn paid_elsewhere(world: &World, cents: i64, metadata: &[(&str, &str)]) -> Payment {
    let mut config = StripeConfig::new("sk_test_sandbox".to_owned().into());
    config.api_base = "http://sandbox.test".to_owned();
    let clock: Arc<dyn Clock> = world.clock.clone();
    let transport: Arc<dyn Transport> = Arc::new(world.sandbox.clone());
    let stripe = Stripe::new(config, transport, clock);
    let customer = stripe.customer(BETH).await.answered().unwrap().unwrap();
    let metadata: BTreeMap<_, _> = metadata
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    let key = format!("elsewhere:{cents}:{metadata:?}");
    let order = PaymentOrder {
        amount: Cents(cents),
        currency: Currency::USD,
        customer: Some(customer.id),
        payment_method: "pm_card_visa".to_owned(),
        return_url: "http://127.0.0.1:3000/".to_owned(),
        metadata,
        key,
    };
    stripe
        .send_pay(&stripe.pay(&order))
        .await
        .answered()
        .unwrap()
}

/// The execution of which nobody knows anything any more.
pub const LOST: &str = "exe_00000000000070008000000000000001";

/// A payment of ours whose execution the journal has lost; its id.
pub async fn lost_payment(world: &World, cents: i64) -> String {
    orphan(world, cents).await.id
}

async fn orphan(world: &World, cents: i64) -> Payment {
    let installation = world.installation.to_string();
    let of = [
        ("installation_id", installation.as_str()),
        ("execution_id", LOST),
        ("booking_number", "BK-0042"),
        ("room_number", "302"),
    ];
    paid_elsewhere(world, cents, &of).await
}

fn given_back(world: &World, payment: &str) -> i64 {
    world.ledger()[payment].1
}

fn sarahs_stay(world: &World) -> (Value, Value, Value) {
    let contact = world.row("Contact", "Email", SARAH);
    let booking = world.row(
        "Booking__c",
        "Primary_Guest__c",
        contact["Id"].as_str().unwrap(),
    );
    let room = world.row("Hotel_Room__c", "Id", booking["Room__c"].as_str().unwrap());
    let opportunity = world.row(
        "Opportunity",
        "Id",
        booking["Opportunity__c"].as_str().unwrap(),
    );
    (booking, room, opportunity)
}

fn edit(world: &World, object: &str, id: &Value, fields: Value) {
    let fields: Map<String, Value> = fields.as_object().unwrap().clone();
    world
        .sandbox
        .edit(object, id.as_str().unwrap(), &fields)
        .unwrap();
}

#[test]
fn a_guest_checks_in_in_two_calls_and_twice_is_once() {
    on_virtual_time(async {
        let world = with(vec![]);
        let sarah = Caller::guest(SARAH, Interface::Mcp);
        let answer = world
            .call(&sarah, "check_in_guest", Some("a"), json!({}))
            .await;
        assert_eq!(answer.status(), 200, "{answer:?}");
        let calls = world.sandbox.calls();
        assert_eq!(
            calls
                .iter()
                .filter(|c| c.system == System::Salesforce && c.operation != "token")
                .count(),
            2,
            "{calls:?}"
        );
        let (booking, room, opportunity) = sarahs_stay(&world);
        assert_eq!(
            (&booking["Status__c"], &room["Status__c"]),
            (&json!("Checked In"), &json!("Occupied"))
        );
        assert_eq!(room["Current_Guest__c"], booking["Primary_Guest__c"]);
        assert_eq!(opportunity["StageName"], "Checked In");
        let again = world
            .call(&sarah, "check_in_guest", Some("b"), json!({}))
            .await;
        assert_eq!(again.status(), 200, "{again:?}");
        assert!(
            data(&again)["note"]
                .as_str()
                .is_some_and(|n| n.contains("before")),
            "{again:?}"
        );
        assert!(world.rest(DAY).await);
        assert_eq!(
            texts(&world)
                .iter()
                .filter(|t| t.contains("checked in"))
                .count(),
            1,
            "{:?}",
            texts(&world)
        );
        assert_sound(&world);
    });
}

#[test]
fn twenty_check_ins_at_once_are_one() {
    on_virtual_time(async {
        let world = with(vec![]);
        let sarah = Caller::guest(SARAH, Interface::Mcp);
        let calls = (0..20).map(|n| {
            let (world, sarah) = (&world, &sarah);
            async move {
                world
                    .call(sarah, "check_in_guest", Some(&format!("t{n}")), json!({}))
                    .await
            }
        });
        for answer in futures::future::join_all(calls).await {
            assert!(
                answer.status() == 200 || code(&answer) == Some(ErrorCode::OperationInProgress),
                "{answer:?}"
            );
        }
        assert_eq!(
            world
                .sandbox
                .calls()
                .iter()
                .filter(|c| c.operation == "composite")
                .count(),
            1
        );
        assert!(world.rest(DAY).await);
        assert_sound(&world);
    });
}

#[test]
fn a_check_in_that_may_not_be_says_why_and_writes_nothing() {
    on_virtual_time(async {
        let world = with(vec![]);
        let (booking, room, _) = sarahs_stay(&world);
        let ask =
            async |token: &str, input: Value| desk(&world, "check_in_guest", token, input).await;
        let unknown = ask("a", json!({ "guest_email": "nobody@example.com" })).await;
        assert_eq!(
            (code(&unknown), unknown.status()),
            (Some(ErrorCode::GuestNotFound), 404)
        );
        let later = ask(
            "b",
            json!({ "guest_email": SARAH, "check_in_date": "2026-04-01" }),
        )
        .await;
        assert_eq!(
            (code(&later), later.status()),
            (Some(ErrorCode::OutsideCheckInWindow), 409),
            "{later:?}"
        );
        edit(
            &world,
            "Hotel_Room__c",
            &room["Id"],
            json!({ "Status__c": "Cleaning" }),
        );
        let cleaning = ask("c", json!({ "guest_email": SARAH })).await;
        assert_eq!(
            (code(&cleaning), cleaning.status()),
            (Some(ErrorCode::RoomNotVacant), 409),
            "{cleaning:?}"
        );
        edit(
            &world,
            "Hotel_Room__c",
            &room["Id"],
            json!({ "Status__c": "Vacant" }),
        );
        // A second reservation of hers for the same days.
        let other = world
            .sandbox_ledger()
            .rows("Booking__c")
            .into_iter()
            .find(|b| b["Status__c"] == "Reserved" && b["Id"] != booking["Id"])
            .unwrap();
        let days = json!({ "Primary_Guest__c": booking["Primary_Guest__c"], "Check_In_Date__c": booking["Check_In_Date__c"],
            "Check_Out_Date__c": booking["Check_Out_Date__c"] });
        edit(&world, "Booking__c", &other["Id"], days);
        let two = ask("d", json!({ "guest_email": SARAH })).await;
        assert_eq!(
            (code(&two), two.status()),
            (Some(ErrorCode::MultipleReservations), 409),
            "{two:?}"
        );
        let listed = two.body(Persona::Staff)["details"]["reservations"].clone();
        assert_eq!(listed.as_array().map(Vec::len), Some(2), "{listed}");
        let writes = world
            .sandbox
            .calls()
            .iter()
            .filter(|c| c.operation == "composite")
            .count();
        assert_eq!(writes, 0);
        let one = ask(
            "e",
            json!({ "guest_email": SARAH, "booking_number": booking["Name"] }),
        )
        .await;
        assert_eq!(one.status(), 200, "{one:?}");
        assert!(world.rest(DAY).await);
        assert_sound(&world);
    });
}

#[test]
fn a_completed_check_out_and_another_guests_payment_are_never_given_back() {
    on_virtual_time(async {
        let world = with(vec![]);
        let done = world.check_out("t1").await;
        let pi = data(&done)["payment_intent_id"]
            .as_str()
            .unwrap()
            .to_owned();
        let ask = async |token: &str, pi: &str, email: &str| {
            desk(
                &world,
                "compensate_checkout_failure",
                token,
                json!({ "payment_intent_id": pi, "guest_email": email }),
            )
            .await
        };
        let completed = ask("a", &pi, BETH).await;
        assert_eq!(
            (code(&completed), completed.status()),
            (Some(ErrorCode::CheckoutCompleted), 409),
            "{completed:?}"
        );
        let other = ask("b", &pi, SARAH).await;
        assert_eq!(
            (code(&other), other.status()),
            (Some(ErrorCode::PaymentGuestMismatch), 409),
            "{other:?}"
        );
        let unknown = ask("c", "pi_unknown", BETH).await;
        assert_eq!(
            (code(&unknown), unknown.status()),
            (Some(ErrorCode::PaymentNotFound), 404),
            "{unknown:?}"
        );
        let guest = Caller::guest(BETH, Interface::Mcp);
        let hidden = world
            .call(&guest, "compensate_checkout_failure", Some("d"), json!({}))
            .await;
        assert_eq!(code(&hidden), Some(ErrorCode::UnknownTool));
        assert!(world.rest(DAY).await);
        assert_eq!(refunds(&world), 0);
        assert_sound(&world);
    });
}

#[test]
fn a_refused_refund_reverts_nothing_and_a_person_has_it_tried_again() {
    on_virtual_time(async {
        let world = with(vec![
            composite(FaultKind::TimeoutBeforeEffect).count(0),
            refund(FaultKind::Status).status(400).count(0),
        ]);
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        let record = check_out_of(&world);
        assert_eq!(record.state, State::NeedsAttention);
        let lines = world.sandbox_ledger().rows("Payment_Transaction__c").len();
        // The booking stays held until a person decides.
        let held = world.check_out("t2").await;
        assert_eq!(
            code(&held),
            Some(ErrorCode::OperationInProgress),
            "{held:?}"
        );
        world.sandbox.clear_faults();
        let id = record.id.to_string();
        let solve = json!({ "execution_id": id, "resolution": "retry_now", "reason": "the bank has lifted its block" });
        let answer = desk(&world, "resolve_execution", "r1", solve.clone()).await;
        assert_eq!(answer.status(), 200, "{answer:?}");
        assert_eq!(data(&answer)["state"], "compensated");
        assert!(world.rest(DAY).await);
        assert_eq!(check_out_of(&world).state, State::Compensated);
        let keys: Vec<_> = world
            .sandbox
            .calls()
            .into_iter()
            .filter(|c| c.operation == "refund_create")
            .filter_map(|c| c.idempotency_key)
            .collect();
        assert!(
            keys.last().is_some_and(|k| k.ends_with(":2")),
            "a refused key is left behind: {keys:?}"
        );
        assert_eq!(
            world.sandbox_ledger().rows("Payment_Transaction__c").len(),
            lines + 2,
            "the pair of lines"
        );
        let rows = world
            .journal
            .projections("compensation", None, 10)
            .await
            .unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(
            rows[0].body["triggers"],
            json!(["saga", "staff:frontdesk@dewy.example"])
        );
        let again = desk(&world, "resolve_execution", "r2", solve).await;
        assert_eq!(
            (code(&again), again.status()),
            (Some(ErrorCode::InvalidTransition), 409),
            "{again:?}"
        );
        assert_sound(&world);
    });
}

#[test]
fn what_needs_a_person_can_be_finished_or_marked_solved() {
    for resolution in ["finish_forward", "mark_solved"] {
        on_virtual_time(async {
            let world = with(vec![
                composite(FaultKind::TimeoutBeforeEffect).count(0),
                refund(FaultKind::Status).status(400).count(0),
            ]);
            world.check_out("t1").await;
            assert!(world.rest(DAY).await);
            world.sandbox.clear_faults();
            let id = check_out_of(&world).id.to_string();
            let input = json!({ "execution_id": id, "resolution": resolution, "reason": "agreed with the guest" });
            let answer = desk(&world, "resolve_execution", "r1", input).await;
            assert_eq!(answer.status(), 200, "{answer:?}");
            assert!(world.rest(DAY).await);
            let booking = world.row("Booking__c", "Name", "BK-0042");
            if resolution == "finish_forward" {
                assert_eq!(check_out_of(&world).state, State::Completed);
                assert_eq!(booking["Status__c"], "Checked Out");
                assert_eq!(refunds(&world), 0);
                assert_sound(&world);
            } else {
                assert!(
                    check_out_of(&world).state.at_rest()
                        && check_out_of(&world).state != State::NeedsAttention
                );
                assert_eq!(booking["Status__c"], "Checked In");
                let record = &world
                    .journal
                    .projections("compensation", None, 10)
                    .await
                    .unwrap()[0];
                assert_eq!(record.body["status"], "solved");
                // The booking is free again.
                let next = world.check_out("t2").await;
                assert_eq!(next.status(), 200, "{next:?}");
            }
        });
    }
}

#[test]
fn three_triggers_on_one_payment_are_one_refund_and_one_record() {
    on_virtual_time(async {
        let world = World::new(Setup {
            workers: 2,
            faults: vec![
                composite(FaultKind::TimeoutBeforeEffect).count(0),
                refund(FaultKind::Slow).ms(9_000).count(1),
            ],
            ..Setup::default()
        });
        let asking = world.check_out("t1");
        let others = async {
            // The saga is compensating by now, and its refund is under way.
            let pi = loop {
                tokio::time::sleep(Duration::from_millis(200)).await;
                if let Some(record) = of(&world, "process_guest_checkout").first()
                    && record.state == State::Compensating
                {
                    break record
                        .labels
                        .iter()
                        .find(|(n, _)| n == "payment_intent_id")
                        .unwrap()
                        .1
                        .clone();
                }
            };
            tokio::time::sleep(Duration::from_secs(1)).await;
            let input = json!({ "payment_intent_id": pi, "guest_email": BETH, "reason": "the guest is here" });
            let sweep = async {
                let signal = Signal {
                    key: "sweep".into(),
                    ask: Ask::Compensate,
                    by: "sweep".into(),
                    why: "found".into(),
                };
                let id = check_out_of(&world).id;
                world
                    .journal
                    .signal(id, &signal, world.clock.now())
                    .await
                    .unwrap()
            };
            futures::join!(
                desk(&world, "compensate_checkout_failure", "s1", input),
                sweep
            )
        };
        let (_, (staff, _)) = futures::join!(asking, others);
        assert!(staff.status() == 200 || staff.status() == 202, "{staff:?}");
        assert!(world.rest(DAY).await);
        assert_eq!(refunds(&world), 1);
        let rows = world
            .journal
            .projections("compensation", None, 10)
            .await
            .unwrap();
        assert_eq!(rows.len(), 1, "{rows:?}");
        let triggers: Vec<String> =
            serde_json::from_value(rows[0].body["triggers"].clone()).unwrap();
        for by in ["saga", "staff:frontdesk@dewy.example", "sweep"] {
            assert!(triggers.iter().any(|t| t == by), "{triggers:?}");
        }
        let pi = rows[0].key.clone();
        let input = json!({ "payment_intent_id": pi, "guest_email": BETH, "reason": "again" });
        let later = desk(&world, "compensate_checkout_failure", "s2", input).await;
        assert_eq!(
            later.status(),
            200,
            "already compensated is the first result: {later:?}"
        );
        assert_eq!(refunds(&world), 1);
        assert_sound(&world);
    });
}

#[test]
fn the_sweep_gives_back_what_nobody_remembers_and_does_nothing_the_second_time() {
    on_virtual_time(async {
        let world = with(vec![]);
        let owed = balance(
            &world.sandbox_ledger(),
            world.row("Booking__c", "Name", "BK-0042")["Opportunity__c"]
                .as_str()
                .unwrap(),
        );
        let lost = orphan(&world, 25000).await;
        let young = world.hotels[0].sweep().await;
        assert_eq!(
            (young.found, young.fixed),
            (0, 0),
            "within the grace: {young:?}"
        );
        tokio::time::sleep(Duration::from_secs(700)).await;
        let foreign = paid_elsewhere(&world, 9900, &[("order", "spa-17")]).await;
        tokio::time::sleep(Duration::from_secs(700)).await;
        let first = world.hotels[0].sweep().await;
        assert_eq!(
            (first.found, first.fixed, first.flagged, first.foreign),
            (1, 1, 0, 1),
            "{first:?}"
        );
        assert!(world.rest(DAY).await);
        assert_eq!(
            (
                given_back(&world, &lost.id),
                given_back(&world, &foreign.id)
            ),
            (25000, 0)
        );
        let booking = world.row("Booking__c", "Name", "BK-0042");
        assert_eq!(booking["Status__c"], "Checked In");
        assert_eq!(
            balance(
                &world.sandbox_ledger(),
                booking["Opportunity__c"].as_str().unwrap()
            ),
            owed,
            "the pair of lines"
        );
        let before = (world.journal.snapshot().len(), refunds(&world));
        let second = world.hotels[0].sweep().await;
        assert_eq!((second.fixed, second.flagged), (0, 0), "{second:?}");
        assert_eq!((world.journal.snapshot().len(), refunds(&world)), before);
        assert_eq!(second.foreign, 1, "counted once: {second:?}");
        // Another program's payment is never ours to give back, whoever asks.
        let input =
            json!({ "payment_intent_id": foreign.id, "guest_email": BETH, "reason": "please" });
        let answer = world
            .staff("compensate_checkout_failure", Some("f"), input)
            .await;
        assert_eq!(
            code(&answer),
            Some(ErrorCode::PaymentNotRefundable),
            "{answer:?}"
        );
        assert_eq!(given_back(&world, &foreign.id), 0);
    });
}

#[test]
fn an_orphan_over_the_limit_waits_for_a_manager() {
    on_virtual_time(async {
        let world = with(vec![]);
        let lost = orphan(&world, 500_000).await;
        tokio::time::sleep(Duration::from_secs(700)).await;
        let found = world.hotels[0].sweep().await;
        assert_eq!(
            (found.found, found.fixed, found.flagged),
            (1, 0, 1),
            "{found:?}"
        );
        assert!(world.rest(DAY).await);
        assert_eq!(given_back(&world, &lost.id), 0);
        let id = of(&world, "compensate_checkout_failure")[0].id;
        let input = json!({ "execution_id": id, "resolution": "finish_forward", "reason": "checked with the guest" });
        let desk = desk(&world, "resolve_execution", "d", input.clone()).await;
        assert_eq!(
            (code(&desk), desk.status()),
            (Some(ErrorCode::OverRefundLimit), 403),
            "{desk:?}"
        );
        let manager = world.staff("resolve_execution", Some("m"), input).await;
        assert_eq!(manager.status(), 200, "{manager:?}");
        assert!(world.rest(DAY).await);
        assert_eq!(given_back(&world, &lost.id), 500_000);
    });
}

#[test]
fn salesforce_is_not_asked_before_the_money_is_on_its_way() {
    on_virtual_time(async {
        let world = with(vec![]);
        let lost = orphan(&world, 25000).await;
        let input = json!({ "payment_intent_id": lost.id, "guest_email": BETH, "reason": "she was charged" });
        let answer = desk(&world, "compensate_checkout_failure", "a", input.clone()).await;
        assert_eq!(answer.status(), 200, "{answer:?}");
        let calls = world.sandbox.calls();
        let first = calls
            .iter()
            .position(|c| c.system == System::Salesforce)
            .unwrap();
        let refunded = calls
            .iter()
            .position(|c| c.operation == "refund_create")
            .unwrap();
        assert!(refunded < first, "{calls:?}");
        let again = desk(&world, "compensate_checkout_failure", "b", input).await;
        assert_eq!(again.status(), 200, "the first result: {again:?}");
        assert!(world.rest(DAY).await);
        assert_eq!(refunds(&world), 1);
    });
}

#[test]
fn a_refund_that_comes_back_days_later_reopens_the_record() {
    on_virtual_time(async {
        let world = with(vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]);
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        world.sandbox.clear_faults();
        tokio::time::sleep(Duration::from_secs(5 * 24 * 3600)).await;
        let record = check_out_of(&world);
        assert_eq!(record.state, State::Compensated);
        let id = world.sandbox.state()["stripe"]["refunds"][0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        world.sandbox.turn_refund(&id, "failed").unwrap();
        // The webhook never came; the sweep finds it.
        world.hotels[0].sweep().await;
        assert!(world.rest(DAY).await);
        let after = check_out_of(&world);
        assert!(
            after
                .rows
                .iter()
                .any(|r| matches!(r.event, dewy_saga::Event::Reopened { .. })),
            "{:?}",
            after.state
        );
        assert_eq!(refunds(&world), 2, "made again");
        assert_sound(&world);
    });
}

/// What the guest does at the bank.
async fn at_the_bank(world: &World, decision: &str) {
    let state = world.sandbox.state();
    let intent = state["stripe"]["payment_intents"]
        .as_array()
        .unwrap()
        .iter()
        .find(|i| i["status"] == "requires_action")
        .unwrap()
        .clone();
    let request = HttpRequest {
        method: "POST".to_owned(),
        url: format!("http://sandbox.test/3ds/{}", intent["id"].as_str().unwrap()),
        headers: vec![(
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned(),
        )],
        body: format!("decision={decision}").into_bytes(),
    };
    let answer = world
        .sandbox
        .send(request, Duration::from_secs(5))
        .await
        .unwrap();
    assert!(answer.status == 303 || answer.status == 200, "{answer:?}");
}

async fn asks_the_bank(world: &World) -> ToolAnswer {
    let input = json!({ "amount": 25000, "payment_method_id": "pm_card_authenticationRequired" });
    let answer = world
        .beth("process_guest_checkout", Some("t1"), input)
        .await;
    assert_eq!(answer.status(), 202, "{answer:?}");
    answer
}

#[test]
fn the_bank_asks_and_the_guest_completes_fails_or_walks_away() {
    for (decision, state) in [
        ("complete", State::Completed),
        ("fail", State::Refused),
        ("walk away", State::Refused),
    ] {
        on_virtual_time(async {
            let world = with(vec![]);
            asks_the_bank(&world).await;
            tokio::time::sleep(Duration::from_secs(90)).await;
            if decision != "walk away" {
                at_the_bank(&world, decision).await;
                // The return page rings, twice.
                for _ in 0..2 {
                    world
                        .journal
                        .wake(check_out_of(&world).id, world.clock.now())
                        .await
                        .unwrap();
                }
            }
            assert!(world.rest(DAY).await);
            assert_eq!(check_out_of(&world).state, state, "{decision}");
            let taken: i64 = world
                .ledger()
                .values()
                .filter(|(_, _, o)| o.is_some())
                .map(|(t, r, _)| t - r)
                .sum();
            assert_eq!(taken, if decision == "complete" { 25000 } else { 0 });
            assert_sound(&world);
        });
    }
}

#[test]
fn the_guest_completes_while_nobody_rings() {
    on_virtual_time(async {
        let world = with(vec![]);
        asks_the_bank(&world).await;
        at_the_bank(&world, "complete").await;
        assert!(world.rest(DAY).await);
        assert_eq!(check_out_of(&world).state, State::Completed);
        assert_sound(&world);
    });
}

#[test]
fn the_guest_was_checked_out_by_hand_while_the_bank_asked() {
    on_virtual_time(async {
        let world = with(vec![]);
        asks_the_bank(&world).await;
        let booking = world.row("Booking__c", "Name", "BK-0042");
        edit(
            &world,
            "Booking__c",
            &booking["Id"],
            json!({ "Status__c": "Checked Out" }),
        );
        at_the_bank(&world, "complete").await;
        assert!(world.rest(DAY).await);
        assert_eq!(
            check_out_of(&world).state,
            State::Compensated,
            "what was paid for nothing goes back"
        );
        assert_eq!(
            world.row("Booking__c", "Name", "BK-0042")["Status__c"],
            "Checked Out",
            "theirs stays"
        );
    });
}

#[test]
fn a_charge_is_posted_voided_and_never_twice() {
    on_virtual_time(async {
        let world = with(vec![composite(FaultKind::TimeoutAfterEffect)]);
        let folio = world.row("Booking__c", "Name", "BK-0042")["Opportunity__c"]
            .as_str()
            .unwrap()
            .to_owned();
        let before = balance(&world.sandbox_ledger(), &folio);
        let input = json!({ "room_number": "302", "amount": 5000, "description": "Minibar, \"two\" O'Briens" });
        let posted = desk(&world, "post_charge", "p1", input.clone()).await;
        assert_eq!(posted.status(), 201, "{posted:?}");
        assert_eq!(balance(&world.sandbox_ledger(), &folio), before + 5000);
        let replayed = desk(&world, "post_charge", "p1", input).await;
        assert_eq!(data(&replayed), data(&posted));
        let folio_of_beth = world.beth("get_folio", None, json!({})).await;
        assert!(
            folio_of_beth
                .body(Persona::Guest)
                .to_string()
                .contains("Minibar"),
            "{folio_of_beth:?}"
        );
        let number = data(&posted)["charge_number"].clone();
        let void = json!({ "room_number": "302", "charge_number": number, "void": true });
        let voided = desk(&world, "post_charge", "p2", void.clone()).await;
        assert_eq!(voided.status(), 200, "{voided:?}");
        assert_eq!(balance(&world.sandbox_ledger(), &folio), before);
        let twice = desk(&world, "post_charge", "p3", void).await;
        assert_eq!(
            (code(&twice), twice.status()),
            (Some(ErrorCode::InvalidTransition), 409)
        );
        let nobody = desk(
            &world,
            "post_charge",
            "p4",
            json!({ "room_number": "205", "amount": 1, "description": "x" }),
        )
        .await;
        assert_eq!(
            (code(&nobody), nobody.status()),
            (Some(ErrorCode::RoomNotFound), 404),
            "{nobody:?}"
        );
        let both = desk(
            &world,
            "post_charge",
            "p5",
            json!({ "amount": 1, "void": true }),
        )
        .await;
        assert_eq!(code(&both), Some(ErrorCode::ValidationFailed));
        assert!(world.rest(DAY).await);
        assert_sound(&world);
    });
}

#[test]
fn a_text_is_sent_once_whatever_the_carrier_answers() {
    use FaultKind as K;
    for kind in [
        K::TimeoutBeforeEffect,
        K::TimeoutAfterEffect,
        K::LateEffect,
        K::ResetBeforeEffect,
        K::ResetAfterEffect,
        K::GarbageBody,
    ] {
        for (count, skip) in [(1, 0), (2, 0)] {
            on_virtual_time(async {
                let fault = Fault::new(System::Twilio, "message_create", kind)
                    .count(count)
                    .skip(skip)
                    .ms(60_000);
                let world = with(vec![fault]);
                let answer = world.check_out("t1").await;
                assert_eq!(
                    answer.status(),
                    200,
                    "a text is never on the critical path: {answer:?}"
                );
                assert!(world.rest(DAY).await);
                let sent = texts(&world);
                assert_eq!(sent.len(), 1, "{kind:?} × {count}: {sent:?}");
                let noted = world.sandbox_ledger().rows("SMS_Notification__c");
                assert_eq!(noted.len(), 1, "written down");
                assert_sound(&world);
            });
        }
    }
}

#[test]
fn lists_show_what_needs_a_person_and_what_was_undone() {
    on_virtual_time(async {
        let world = with(vec![
            composite(FaultKind::TimeoutBeforeEffect).count(0),
            refund(FaultKind::Status).status(400).count(0),
        ]);
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        let list = async |tool: &str, input: Value| {
            let caller = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Rest);
            let call = ToolCall {
                tool: tool.to_owned(),
                input,
                idempotency_token: None,
                wait: None,
            };
            world.hotels[0].dispatch(&caller, call).await
        };
        let waiting = data(&list("search_executions", json!({ "state": "needs_attention" })).await);
        assert_eq!(
            waiting["executions"].as_array().map(Vec::len),
            Some(1),
            "{waiting}"
        );
        assert_eq!(waiting["executions"][0]["reason"], "REFUND_REFUSED");
        let none = data(
            &list(
                "search_executions",
                json!({ "state": "needs_attention", "guest_email": SARAH }),
            )
            .await,
        );
        assert_eq!(
            none["executions"].as_array().map(Vec::len),
            Some(0),
            "{none}"
        );
        let undone = data(&list("list_compensations", json!({ "guest_email": BETH })).await);
        assert_eq!(
            undone["compensations"][0]["status"], "needs_attention",
            "{undone}"
        );
        let wrong = list(
            "search_executions",
            json!({ "from": "2026-03-11", "to": "2026-03-10" }),
        )
        .await;
        assert_eq!(code(&wrong), Some(ErrorCode::ValidationFailed));
        let cut = data(&list("search_executions", json!({ "limit": 1 })).await);
        assert_eq!(cut["executions"].as_array().map(Vec::len), Some(1));
        let maid = Caller::staff(
            "housekeeping@dewy.example",
            Role::Housekeeping,
            Interface::Rest,
        );
        let call = ToolCall {
            tool: "search_executions".into(),
            input: json!({}),
            idempotency_token: None,
            wait: None,
        };
        assert_eq!(
            code(&world.hotels[0].dispatch(&maid, call).await),
            Some(ErrorCode::UnknownTool)
        );
    });
}

#[test]
fn check_in_beside_the_references_order() {
    on_virtual_time(async {
        let world = with(vec![]);
        world.sandbox.set_latency(Latency::reference());
        // Signed in before, as any running hotel is.
        world.beth("get_folio", None, json!({})).await;
        let began = tokio::time::Instant::now();
        let sarah = Caller::guest(SARAH, Interface::Mcp);
        let answer = world
            .call(&sarah, "check_in_guest", Some("a"), json!({}))
            .await;
        assert_eq!(answer.status(), 200, "{answer:?}");
        // Contact, booking, room, then the three updates, one after another, at the same latencies.
        let reference = Duration::from_millis(3 * 850 + 3 * 900);
        let ratio = began.elapsed().as_secs_f64() / reference.as_secs_f64();
        println!(
            "check-in: {:?}, in the reference's order {reference:?}, ratio {ratio:.2}",
            began.elapsed()
        );
        assert!(ratio <= 0.45, "{ratio}");
    });
}

/// Whatever is reported of a completed check-out, its payment stays; and what a person has settled
/// by hand stays settled.
#[test]
fn a_look_undoes_nothing_that_is_completed_or_settled() {
    on_virtual_time(async {
        let world = with(vec![]);
        world.check_out("t1").await;
        let id = check_out_of(&world).id;
        for ask in [Ask::Look, Ask::Compensate, Ask::RetryNow] {
            let signal = Signal {
                key: ask.name().into(),
                ask,
                by: "webhook".into(),
                why: "refund.failed".into(),
            };
            assert!(
                world
                    .journal
                    .signal(id, &signal, world.clock.now())
                    .await
                    .unwrap()
            );
        }
        world.journal.wake(id, world.clock.now()).await.unwrap();
        assert!(world.rest(DAY).await);
        assert_eq!(
            (check_out_of(&world).state, refunds(&world)),
            (State::Completed, 0)
        );
        assert_sound(&world);
    });
    on_virtual_time(async {
        let world = with(vec![
            composite(FaultKind::TimeoutBeforeEffect).count(0),
            refund(FaultKind::Status).status(400).count(0),
        ]);
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        world.sandbox.clear_faults();
        let id = check_out_of(&world).id;
        let input = json!({ "execution_id": id, "resolution": "mark_solved", "reason": "paid back in cash" });
        assert_eq!(
            desk(&world, "resolve_execution", "r1", input)
                .await
                .status(),
            200
        );
        for _ in 0..2 {
            world.hotels[0].sweep().await;
            assert!(world.rest(DAY).await);
        }
        assert_eq!(refunds(&world), 0, "it was paid back by hand");
    });
}

/// The time is up, the payment is to be called off, and just then the guest completes it: what was
/// taken is not taken for nothing.
#[test]
fn the_guest_completes_when_the_time_is_up() {
    on_virtual_time(async {
        let cancel = Fault::new(
            System::Stripe,
            "payment_intent_cancel",
            FaultKind::TimeoutBeforeEffect,
        )
        .count(0);
        let world = with(vec![cancel]);
        asks_the_bank(&world).await;
        tokio::time::sleep(Duration::from_secs(1000)).await;
        assert!(
            world
                .sandbox
                .calls()
                .iter()
                .any(|c| c.operation == "payment_intent_cancel"),
            "it was to be called off"
        );
        at_the_bank(&world, "complete").await;
        world.sandbox.clear_faults();
        assert!(world.rest(DAY).await);
        assert_eq!(check_out_of(&world).state, State::Completed);
        assert_sound(&world);
    });
}

#[test]
fn a_payment_called_off_cannot_be_completed_any_more() {
    on_virtual_time(async {
        let world = with(vec![]);
        asks_the_bank(&world).await;
        tokio::time::sleep(Duration::from_secs(1000)).await;
        let state = world.sandbox.state();
        let intents = state["stripe"]["payment_intents"].as_array().unwrap();
        assert!(
            intents.iter().all(|i| i["status"] != "requires_action"),
            "nothing waits at the bank"
        );
        assert!(world.rest(DAY).await);
        assert_eq!(check_out_of(&world).state, State::Refused);
        assert_sound(&world);
    });
}

#[test]
fn the_process_goes_down_while_the_bank_asks_and_another_goes_on() {
    on_virtual_time(async {
        let world = World::new(Setup {
            workers: 2,
            ..Setup::default()
        });
        asks_the_bank(&world).await;
        world.retire(0).await;
        at_the_bank(&world, "complete").await;
        assert!(world.rest(DAY).await);
        let record = check_out_of(&world);
        assert_eq!(record.state, State::Completed);
        assert_eq!(record.rows.last().map(|r| r.by.as_str()), Some("worker-1"));
        assert_sound(&world);
    });
}

#[test]
fn without_a_carrier_no_text_is_sent_and_the_record_says_why() {
    on_virtual_time(async {
        let world = World::new(Setup {
            texts: false,
            ..Setup::default()
        });
        world.check_out("t1").await;
        assert!(world.rest(DAY).await);
        let sent: Vec<Record> = world
            .journal
            .snapshot()
            .into_iter()
            .filter(|record| record.saga == "send_text")
            .collect();
        let answer = sent[0].answer.clone().unwrap();
        assert_eq!((sent.len(), sent[0].state), (1, State::Completed));
        assert_eq!(answer["data"]["sent"], false, "{answer}");
        assert_eq!(
            answer["data"]["why"], "text messages are not configured",
            "{answer}"
        );
        let state = world.sandbox.state();
        assert_eq!(texts(&world), Vec::<String>::new());
        assert_eq!(
            state["salesforce"]["SMS_Notification__c"]
                .as_array()
                .map_or(0, Vec::len),
            0
        );
    });
}
