//! Front desk scenarios: check-in, charges, refunds by people and by the scheduled job, 3-D Secure,
//! texts.

pub mod bank_authentication;
mod check_in;
mod overpaid;
mod refunds;

use dewy_connectors::{Stripe, StripeConfig};
use dewy_domain::{
    money::Currency,
    payment::{Payment, PaymentOrder, PaymentTexts},
    ports::Payments,
};
use dewy_test_kit::memory;

use crate::prelude::*;

const SARAH: &str = "sarah@example.com";

fn refund(kind: FaultKind) -> Fault {
    stripe("refund_create", kind)
}

fn data(answer: &ToolAnswer) -> Value {
    answer.body(Persona::Staff)["data"].clone()
}

fn refunds(hotel: &SimulatedHotel) -> usize {
    hotel.sandbox.stripe_state()["refunds"]
        .as_array()
        .map_or(0, Vec::len)
}

/// Payment made by another program at the payment system.
pub async fn paid_elsewhere(
    hotel: &SimulatedHotel,
    cents: i64,
    metadata: &[(&str, &str)],
) -> Payment {
    paid_with(hotel, cents, "pm_card_visa", metadata).await
}

async fn paid_with(
    hotel: &SimulatedHotel,
    cents: i64,
    card: &str,
    metadata: &[(&str, &str)],
) -> Payment {
    let mut config = StripeConfig::new("sk_test_sandbox".to_owned().into());
    config.api_base = "http://sandbox.test".to_owned();
    let clock: Arc<dyn Clock> = hotel.clock.clone();
    let transport: Arc<dyn Transport> = Arc::new(hotel.sandbox.clone());
    let stripe = Stripe::new(config, transport, clock);
    let customer = stripe
        .customers(&BETH.into())
        .await
        .answered()
        .unwrap()
        .remove(0);
    let metadata: BTreeMap<_, _> = metadata
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    let key = format!("elsewhere:{cents}:{metadata:?}");
    let order = PaymentOrder {
        amount: Cents(cents),
        currency: Currency::USD,
        customer: Some(customer.id),
        payment_method: card.parse().unwrap(),
        save_card: false,
        return_url: "http://127.0.0.1:3000/".to_owned(),
        texts: PaymentTexts::default(),
        metadata,
        key,
    };
    stripe
        .send_pay(&stripe.pay(&order))
        .await
        .answered()
        .unwrap()
}

/// Execution that no longer exists anywhere.
pub const LOST: &str = "exe_00000000000070008000000000000001";

/// Orphaned payment whose execution is missing in the journal; returns its id.
pub async fn lost_payment(hotel: &SimulatedHotel, cents: i64) -> String {
    orphan(hotel, cents).await.id.into()
}

async fn orphan(hotel: &SimulatedHotel, cents: i64) -> Payment {
    orphan_of(hotel, cents, "pm_card_visa").await
}

async fn orphan_of(hotel: &SimulatedHotel, cents: i64, card: &str) -> Payment {
    let installation = hotel.installation.to_string();
    let of = [
        ("installation_id", installation.as_str()),
        ("execution_id", LOST),
        ("booking_number", "BK-0042"),
        ("room_number", "302"),
    ];
    paid_with(hotel, cents, card, &of).await
}

fn given_back(hotel: &SimulatedHotel, payment: &str) -> i64 {
    hotel.ledger()[payment].1
}

fn sarahs_stay(hotel: &SimulatedHotel) -> (Value, Value, Value) {
    let contact = hotel.contact(SARAH);
    let booking = hotel.row(
        "Booking__c",
        "Primary_Guest__c",
        contact["Id"].as_str().unwrap(),
    );
    let room = hotel.room_of(&booking);
    let opportunity = hotel.opportunity_of(&booking);
    (booking, room, opportunity)
}

#[tokio::test(start_paused = true)]
async fn a_charge_is_posted_voided_and_never_twice() {
    let hotel = with(vec![composite(FaultKind::TimeoutAfterEffect)]);
    let folio = hotel.booking("BK-0042")["Opportunity__c"]
        .as_str()
        .unwrap()
        .to_owned();
    let before = hotel.sandbox_ledger().balance(&folio);
    let input =
        json!({ "room_number": "302", "amount": 5000, "description": "Minibar, \"two\" O'Briens" });
    let posted = hotel.post_charge("p1", input.clone()).await;
    assert_eq!(posted.status(), 201, "{posted:?}");
    assert_eq!(hotel.sandbox_ledger().balance(&folio), before + 5000);
    let replayed = hotel.post_charge("p1", input).await;
    assert_eq!(data(&replayed), data(&posted));
    let folio_of_beth = hotel.beth("get_folio", None, json!({})).await;
    assert!(
        folio_of_beth
            .body(Persona::Guest)
            .to_string()
            .contains("Minibar"),
        "{folio_of_beth:?}"
    );
    let number = data(&posted)["charge_number"].clone();
    let void = json!({ "room_number": "302", "charge_number": number, "void": true });
    let voided = hotel.post_charge("p2", void.clone()).await;
    assert_eq!(voided.status(), 200, "{voided:?}");
    assert_eq!(hotel.sandbox_ledger().balance(&folio), before);
    let twice = hotel.post_charge("p3", void).await;
    assert_refused(&twice, ErrorCode::InvalidTransition);
    let nobody = hotel
        .post_charge(
            "p4",
            json!({ "room_number": "205", "amount": 1, "description": "x" }),
        )
        .await;
    assert_refused(&nobody, ErrorCode::BookingNotFound);
    let both = hotel
        .post_charge("p5", json!({ "amount": 1, "void": true }))
        .await;
    assert_refused(&both, ErrorCode::ValidationFailed);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_equal_charge_is_asked_about_and_posted_again_on_purpose() {
    let hotel = with(vec![]);
    let mut charge = json!({ "room_number": "302", "amount": 1800, "description": "Minibar" });
    let first = hotel.post_charge("d1", charge.clone()).await;
    let number = data(&first)["charge_number"].clone();
    // Other words and the booking instead of its room are the same wish
    let by_booking =
        json!({ "booking_number": "BK-0042", "amount": 1800, "description": "mini bar" });
    for (token, input) in [("d2", charge.clone()), ("d3", by_booking)] {
        let asked = hotel.post_charge(token, input).await;
        let body = asked.body(Persona::Staff);
        assert_eq!(body["error_code"], "POSSIBLE_DUPLICATE", "{body}");
        let similar = &body["details"]["similar"];
        assert_fields(similar, json!({ "number": number, "minutes_ago": 0 }));
    }
    let mut other = charge.clone();
    other["amount"] = json!(1900);
    let other = hotel.post_charge("d4", other).await;
    assert_eq!(other.status(), 201, "another amount is another wish");
    charge["repeat_of"] = number.clone();
    let again = hotel.post_charge("d5", charge.clone()).await;
    assert_eq!(again.status(), 201, "{again:?}");
    let replayed = hotel.post_charge("d5", charge.clone()).await;
    assert_eq!(data(&replayed), data(&again));
    let third = hotel.post_charge("d6", charge.clone()).await;
    let third = third.body(Persona::Staff);
    assert_eq!(
        third["details"]["similar"]["number"],
        data(&again)["charge_number"],
        "the question is about the latest one: {third}"
    );
    tokio::time::sleep(Duration::from_secs(601)).await;
    charge.as_object_mut().unwrap().remove("repeat_of");
    let later = hotel.post_charge("d7", charge).await;
    assert_eq!(later.status(), 201, "{later:?}");
}

#[test]
fn a_text_is_sent_once_for_any_carrier_response() {
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
                let hotel = with(vec![fault]);
                let answer = hotel.check_out("t1").await;
                assert_eq!(
                    answer.status(),
                    200,
                    "a text is never on the critical path: {answer:?}"
                );
                assert!(hotel.run_until_idle(DAY).await);
                let sent = texts(&hotel);
                assert_eq!(sent.len(), 1, "{kind:?} × {count}: {sent:?}");
                let noted = hotel.records("SMS_Notification__c");
                assert_eq!(noted.len(), 1, "written down");
                assert_sound(&hotel);
            });
        }
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_carrier_the_record_explains_the_missing_text() {
    let hotel = set_up(|s| s.texts = false);
    hotel.check_out("t1").await;
    assert!(hotel.run_until_idle(DAY).await);
    let sent: Vec<ExecutionRecord> = hotel
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
    let state = hotel.sandbox.state();
    assert_eq!(texts(&hotel), Vec::<String>::new());
    assert_eq!(
        state["salesforce"]["SMS_Notification__c"]
            .as_array()
            .map_or(0, Vec::len),
        0
    );
}

/// A text that was started and cannot be deleted from the outbox is tried again after a pause, not
/// in a loop that never sleeps.
#[tokio::test(start_paused = true)]
async fn an_outbox_row_that_cannot_be_deleted_is_no_busy_loop() {
    let hotel = with(vec![]);
    hotel.journal.hooks(|hooks| {
        for nth in 1..=1_000 {
            // Rows are dropped by the same operation of the store as signals.
            hooks.fail(memory::Op::Signal, nth, memory::Fault::Full);
        }
    });
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    let before = hotel.journal.hooks(|hooks| hooks.count(memory::Op::Signal));
    tokio::time::sleep(Duration::from_secs(10)).await;
    let tried = hotel.journal.hooks(|hooks| hooks.count(memory::Op::Signal)) - before;
    assert!((1..=100).contains(&tried), "{tried} tries in ten seconds");
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(texts(&hotel).len(), 1);
}

/// News of the past is not sent, whatever held it up; what the carrier refuses for good ends at once.
#[tokio::test(start_paused = true)]
async fn a_text_ends_when_it_is_refused_or_too_old() {
    let send =
        |status| Fault::new(System::Twilio, "message_create", FaultKind::Status).status(status);
    let hidden = salesforce("query", FaultKind::Status).status(503);
    let unknown = Fault::new(
        System::Twilio,
        "message_create",
        FaultKind::TimeoutBeforeEffect,
    );
    let blind = Fault::new(System::Twilio, "message_list", FaultKind::Status).status(401);
    for (name, faults, says) in [
        ("refused", vec![send(400)], "twilio_20001"),
        (
            "too many calls",
            vec![send(429)],
            "it is too old to be news",
        ),
        ("no access", vec![send(401)], "it is too old to be news"),
        (
            "no phone to be read",
            vec![hidden],
            "it is too old to be news",
        ),
        (
            "never known",
            vec![unknown, blind],
            "the carrier never told whether it has the message",
        ),
    ] {
        let hotel = with(vec![]);
        assert_eq!(hotel.check_out("t1").await.status(), 200, "{name}");
        for fault in faults {
            hotel.fault(fault.count(0));
        }
        // Longer than a text is news
        hotel.clock.sleep(Duration::from_secs(6 * 3600)).await;
        let state = |record: &ExecutionRecord| record.saga == "send_text";
        let record = hotel.journal.snapshot().into_iter().find(state).unwrap();
        assert_eq!(record.state, State::Completed, "{name}");
        let answer = record.answer.clone().unwrap()["data"].clone();
        assert_eq!(answer["sent"], false, "{name}: {answer}");
        let told = format!("{answer} {:?}", record.rows);
        assert!(told.contains(says), "{name}: {told}");
        hotel.sandbox.clear_faults();
        assert!(hotel.run_until_idle(DAY).await, "{name}");
        assert_eq!(texts(&hotel), Vec::<String>::new(), "{name}");
    }
}
