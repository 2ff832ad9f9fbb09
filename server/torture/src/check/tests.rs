//! Tests of the check itself: a good ledger passes, and each kind of violation is found.

mod cases;

use dewy_saga::{
    Ask, Decision, Direction, End, Event, ExecutionId, Fault, Outcome, Progress, Request, Row,
    State,
    journal::{BesideRow, Record},
};
use dewy_store::VerifyReport;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::*;
use crate::{
    front_desk_client::{Answer, Subject},
    ledger::Ledger,
    orphans::{Kind, Planted},
};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

/// Execution of this tool with these events in its journal.
fn record(n: u128, saga: &str, input: Value, events: Vec<Event>) -> Record {
    let id = ExecutionId(uuid::Uuid::from_u128(n));
    let (mut progress, mut rows, mut audit) = (Progress::new(id), Vec::new(), Vec::new());
    let queued = Event::Queued {
        saga: saga.to_owned(),
        version: 1,
    };
    for event in std::iter::once(queued).chain(events) {
        let (row, trail) = progress.push(event, NOW, "w", 1).unwrap();
        rows.push(row);
        audit.extend(trail);
    }
    Record {
        id,
        saga: saga.to_owned(),
        version: 1,
        caller: "staff:x".to_owned(),
        interface: "mcp".to_owned(),
        token: Some("t".to_owned()),
        input,
        state: progress.state.unwrap(),
        answer: None,
        wake_at: None,
        created_at: NOW,
        updated_at: NOW,
        fence: 1,
        lapses: 0,
        worker: None,
        labels: Vec::new(),
        rows,
        audit,
        signals: Vec::new(),
        damage: None,
    }
}

fn read(facts: Value) -> Event {
    Event::Read { facts }
}

fn ended(end: End) -> Event {
    Event::Ended { end, reason: None }
}

fn needs(reason: &str) -> Event {
    Event::Ended {
        end: End::NeedsAttention,
        reason: Some(reason.to_owned()),
    }
}

fn intended(step: &str) -> Event {
    let request = Request {
        key: None,
        deadline_ms: 1000,
        payload: json!({}),
    };
    Event::Intended {
        step: step.to_owned(),
        way: Direction::Forward,
        attempt: 1,
        guard: false,
        request,
    }
}

fn settled(step: &str, outcome: Outcome) -> Event {
    Event::Settled {
        step: step.to_owned(),
        way: Direction::Forward,
        guard: false,
        looked: false,
        outcome,
    }
}

/// Step that had nothing to send.
fn settled_at_once(step: &str) -> Event {
    Event::Skipped {
        step: step.to_owned(),
        way: Direction::Forward,
        why: json!({}),
    }
}

fn done(value: Value) -> Outcome {
    Outcome::Done { value }
}

fn decided() -> Event {
    let fault = Fault::new("x", "x");
    Event::Decided {
        decision: Decision {
            because: "move".to_owned(),
            fault,
            trigger: "saga".to_owned(),
        },
    }
}

/// Row whose position doesn't matter.
fn row(event: Event) -> Row {
    Row {
        seq: 99,
        at: NOW,
        by: "w".to_owned(),
        fence: 1,
        event,
        digest: String::new(),
    }
}

fn reopened() -> Row {
    let decision = Decision {
        because: "pay".to_owned(),
        fault: Fault::new("late", "x"),
        trigger: "watch".to_owned(),
    };
    row(Event::Reopened {
        decision,
        found: None,
    })
}

/// Consistent data of a whole hotel; each test breaks something.
struct TestServer {
    state: Value,
    records: Vec<Record>,
    compensations: Vec<BesideRow>,
    answers: Vec<Answer>,
    planted: Vec<Planted>,
    owed: usize,
    swept: bool,
    expected: Expectations,
    extra_texts: Vec<Text>,
    owners: Owners,
}

impl TestServer {
    fn wrong(&self) -> Vec<String> {
        let ledger = Ledger::read(&self.state, self.state["calls"].clone());
        let found = AtRest {
            records: self.records.clone(),
            compensations: self.compensations.clone(),
            owed: self.owed,
            swept: self.swept,
            at: NOW,
        };
        violations(&Scene {
            ledger: &ledger,
            found: &found,
            verified: &[VerifyReport::default()],
            answers: &self.answers,
            planted: &self.planted,
            expected: self.expected.clone(),
            extra_texts: self.extra_texts.clone(),
            clocks_jumped: false,
            owners: self.owners.clone(),
        })
    }

    fn list(&mut self, system: &str, list: &str) -> &mut Vec<Value> {
        self.state[system][list].as_array_mut().unwrap()
    }

    /// Record whose field has this value.
    fn row(&mut self, object: &str, field: &str, value: &str) -> &mut Value {
        self.list("salesforce", object)
            .iter_mut()
            .find(|r| r[field] == value)
            .unwrap()
    }

    fn execution(&mut self, n: u128) -> &mut Record {
        self.records
            .iter_mut()
            .find(|r| r.id == ExecutionId(uuid::Uuid::from_u128(n)))
            .unwrap()
    }
}

fn id(n: u128) -> String {
    ExecutionId(uuid::Uuid::from_u128(n)).to_string()
}

/// Executions of [`house`].
const CHECKED_OUT: u128 = 1;
const COMPENSATED: u128 = 2;
const CHECKED_IN: u128 = 3;
const NOT_IN: u128 = 4;
const CHARGED: u128 = 5;
const NOT_CHARGED: u128 = 6;
const VOIDED: u128 = 7;
const GIVEN_BACK: u128 = 8;
const FLAGGED: u128 = 9;
const TEXTED: u128 = 10;
const LOOKING: u128 = 11;
const BOOKED: u128 = 12;
const NOT_BOOKED: u128 = 13;
const ASKED_FOR: u128 = 14;
/// No journal contains it.
const LOST: u128 = 99;

fn stay(name: &str, status: &str, room: &str, guest: Option<&str>, stage: &str) -> Value {
    json!({
        "booking": { "id": format!("b-{name}"), "status": status, "guest_id": format!("c-{name}") },
        "room": { "id": format!("r-{name}"), "status": room, "current_guest": guest },
        "opportunity": { "id": format!("o-{name}"), "stage": stage, "amount": 25_000, "close_date": null, "payment_id": null },
    })
}

fn payment(id: &str, cents: i64, owner: Option<&str>) -> Value {
    json!({ "id": id, "status": "succeeded", "amount_received": cents, "metadata": { "execution_id": owner } })
}

fn refund(id: &str, payment: &str, cents: i64) -> Value {
    json!({ "id": id, "payment_intent": payment, "status": "succeeded", "amount": cents })
}

fn line(id: &str, of: &str, kind: &str, external: &str, status: &str, amount: f64) -> Value {
    json!({ "Id": id, "Opportunity__c": format!("o-{of}"), "Transaction_Type__c": kind, "External_ID__c": external,
        "Status__c": status, "Amount__c": amount })
}

fn compensation(payment: &str, n: u128, body: Value) -> BesideRow {
    BesideRow {
        key: payment.to_owned(),
        execution: ExecutionId(uuid::Uuid::from_u128(n)),
        body,
        updated_at: NOW,
    }
}

fn told(tool: &'static str, n: u128, code: Option<&str>) -> Answer {
    let code = code.map(str::to_owned);
    Answer {
        tool,
        token: "t".to_owned(),
        execution: Some(id(n)),
        code,
        body: Value::Null,
    }
}

/// Beth has checked out and Carl's check-out was compensated, Sarah is checked in and Noah's room
/// was not ready, Wei has a valid charge and a voided one, and two payments were injected: an
/// orphan and another program's.
fn house() -> TestServer {
    let in_house = |name: &str| {
        stay(
            name,
            "Checked In",
            "Occupied",
            Some(&format!("c-{name}")),
            "Checked In",
        )
    };
    let arriving = |name: &str| stay(name, "Reserved", "Vacant", None, "Booking Confirmed");
    let charge = |amount: i64, void: Value| json!({ "stay": in_house("wei"), "amount": amount, "void": void });
    let check_out = |name: &str| json!({ "balance": 25_000, "stay": in_house(name) });
    let posted = |n, facts: Value, end| {
        let events = vec![
            read(facts),
            intended("post"),
            settled("post", end),
            ended(End::Completed),
        ];
        record(n, CHARGE, json!({}), events)
    };
    let mut texted = record(
        TEXTED,
        TEXT,
        json!({ "body": "Welcome" }),
        vec![
            read(json!({})),
            intended("send"),
            settled("send", done(json!({ "sid": "SM1" }))),
            ended(End::Completed),
        ],
    );
    texted.token = Some(format!("{}:check_in", id(CHECKED_IN)));
    texted.answer = Some(json!({ "data": { "sent": true } }));
    let mut given_back = record(
        GIVEN_BACK,
        COMPENSATE,
        json!({ "payment_intent_id": "pi_lost" }),
        vec![
            read(json!({ "payment": { "id": "pi_lost" } })),
            ended(End::Completed),
        ],
    );
    given_back.caller = "clock:sweep".to_owned();
    let mut flagged = record(
        FLAGGED,
        COMPENSATE,
        json!({ "payment_intent_id": "pi_large" }),
        vec![
            read(json!({ "payment": { "id": "pi_large" } })),
            needs("ORPHAN_OVER_LIMIT"),
        ],
    );
    flagged.caller = "clock:sweep".to_owned();
    let records = vec![
        record(
            CHECKED_OUT,
            CHECK_OUT,
            json!({}),
            vec![read(check_out("beth")), ended(End::Completed)],
        ),
        record(
            COMPENSATED,
            CHECK_OUT,
            json!({}),
            vec![
                read(check_out("carl")),
                intended("pay"),
                settled("pay", done(json!({}))),
                decided(),
                ended(End::Compensated),
            ],
        ),
        record(
            CHECKED_IN,
            CHECK_IN,
            json!({ "guest_email": "sarah@x" }),
            vec![
                read(arriving("sarah")),
                intended("move"),
                settled("move", done(json!({}))),
                ended(End::Completed),
            ],
        ),
        record(
            NOT_IN,
            CHECK_IN,
            json!({ "guest_email": "noah@x" }),
            vec![ended(End::Refused)],
        ),
        posted(CHARGED, charge(5_000, Value::Null), done(json!({}))),
        record(
            NOT_CHARGED,
            CHARGE,
            json!({}),
            vec![
                read(charge(700, Value::Null)),
                intended("post"),
                settled(
                    "post",
                    Outcome::Refused {
                        fault: Fault::new("foreign_edit", "x"),
                    },
                ),
                ended(End::Refused),
            ],
        ),
        posted(
            VOIDED,
            charge(900, json!(["l-void", "PT-00002"])),
            done(json!({})),
        ),
        given_back,
        flagged,
        texted,
        record(
            BOOKED,
            BOOK,
            json!({}),
            vec![
                read(json!({})),
                settled_at_once("check"),
                ended(End::Completed),
            ],
        ),
        record(NOT_BOOKED, BOOK, json!({}), vec![ended(End::Refused)]),
        record(
            ASKED_FOR,
            REQUEST,
            json!({}),
            vec![
                read(json!({})),
                settled_at_once("open"),
                ended(End::Completed),
            ],
        ),
        record(
            LOOKING,
            TEXT,
            json!({ "body": "Goodbye" }),
            vec![read(json!({})), intended("send")],
        ),
    ];
    let booking = |name: &str, status: &str| {
        json!({ "Id": format!("b-{name}"), "Status__c": status, "Room__c": format!("r-{name}"),
        "Opportunity__c": format!("o-{name}"), "Primary_Guest__c": format!("c-{name}") })
    };
    let booked = |id: &str, owner: &str, from: &str, to: &str| {
        json!({ "Id": id, "Name": id, "External_ID__c": owner, "Status__c": "Reserved", "Room__c": "r-booked",
            "Check_In_Date__c": from, "Check_Out_Date__c": to })
    };
    let room = |name: &str, status: &str, guest: Value| json!({ "Id": format!("r-{name}"), "Status__c": status, "Current_Guest__c": guest });
    let opportunity = |name: &str, stage: &str| json!({ "Id": format!("o-{name}"), "StageName": stage, "Amount": 250.0, "CloseDate": null, "Payment_ID__c": null });
    let contact = |name: &str| json!({ "Id": format!("c-{name}"), "Email": format!("{name}@x") });
    let (lost, carl, beth) = (id(LOST), id(COMPENSATED), id(CHECKED_OUT));
    let state = json!({
        "stripe": {
            "payment_intents": [
                payment("pi_beth", 25_000, Some(&beth)), payment("pi_carl", 25_000, Some(&carl)),
                payment("pi_lost", 8_000, Some(&lost)), payment("pi_foreign", 9_000, None),
                payment("pi_large", 90_000, Some("exe_large")),
            ],
            "refunds": [refund("re_carl", "pi_carl", 25_000), refund("re_lost", "pi_lost", 8_000)],
        },
        "salesforce": {
            "Contact": [contact("sarah"), contact("noah")],
            "Booking__c": [
                booking("beth", "Checked Out"), booking("carl", "Checked In"), booking("sarah", "Checked In"),
                booking("noah", "Reserved"), booking("wei", "Checked In"),
                booked("b-1", &id(BOOKED), "2030-03-01", "2030-03-03"), booked("b-2", "by-hand", "2030-03-03", "2030-03-04"),
            ],
            "Case": [{ "Id": "k-1", "CaseNumber": "00001001", "External_ID__c": id(ASKED_FOR), "Status": "New" }],
            "CaseComment": [{ "Id": "m-1", "CommentBody": "Seen to, 1" }],
            "Hotel_Room__c": [
                room("beth", "Cleaning", Value::Null), room("carl", "Occupied", json!("c-carl")),
                room("sarah", "Occupied", json!("c-sarah")), room("noah", "Cleaning", Value::Null),
                room("wei", "Occupied", json!("c-wei")),
                { "Id": "r-booked", "Room_Number__c": "B1", "Status__c": "Vacant" },
            ],
            "Opportunity": [
                opportunity("beth", "Closed Won"), opportunity("carl", "Checked In"), opportunity("sarah", "Checked In"),
                opportunity("noah", "Booking Confirmed"), opportunity("wei", "Checked In"),
            ],
            "Payment_Transaction__c": [
                line("l-1", "beth", "Payment", &beth, "Completed", 250.0),
                line("l-2", "carl", "Payment", &format!("{carl}#paid"), "Completed", 250.0),
                line("l-3", "carl", "Refund", &format!("{carl}#refund"), "Completed", 250.0),
                line("l-4", "wei", "Charge", &id(CHARGED), "Pending", 50.0),
                line("l-void", "wei", "Charge", "by-hand", "Cancelled", 9.0),
                line("l-5", "wei", "Payment", &format!("{lost}#paid"), "Completed", 80.0),
                line("l-6", "wei", "Refund", &format!("{lost}#refund"), "Completed", 80.0),
            ],
        },
        "twilio": { "messages": [{ "to": "+15550100001", "body": "Welcome" }] },
        "calls": [],
    });
    let compensated =
        |refund: &str| json!({ "status": "compensated", "refund_id": refund, "cause": "x" });
    let large = json!({ "status": "needs_attention", "cause": "ORPHAN_OVER_LIMIT", "reason": "ORPHAN_OVER_LIMIT" });
    let planted =
        |kind, payment: &str, execution: Option<String>, opportunity: Option<&str>| Planted {
            kind,
            payment: payment.to_owned(),
            execution,
            opportunity: opportunity.map(str::to_owned),
            owed: 30_000,
        };
    TestServer {
        state,
        records,
        compensations: vec![
            compensation("pi_carl", COMPENSATED, compensated("re_carl")),
            compensation("pi_lost", GIVEN_BACK, compensated("re_lost")),
            compensation("pi_large", FLAGGED, large),
        ],
        answers: vec![
            told(CHECK_OUT, CHECKED_OUT, None),
            told(CHECK_IN, CHECKED_IN, None),
            told(CHECK_IN, NOT_IN, Some("ROOM_NOT_VACANT")),
            told(CHARGE, CHARGED, None),
        ]
        .into_iter()
        .enumerate()
        .map(|(n, answer)| Answer {
            token: n.to_string(),
            ..answer
        })
        .collect(),
        planted: vec![
            planted(Kind::Ours, "pi_lost", Some(lost), Some("o-wei")),
            planted(Kind::Foreign, "pi_foreign", None, None),
            planted(
                Kind::OverLimit,
                "pi_large",
                Some("exe_large".to_owned()),
                None,
            ),
        ],
        owed: 0,
        swept: true,
        expected: Expectations::from([
            (
                (Subject::Booking, "b-1".to_owned()),
                json!({ "Status__c": "Reserved", "Check_In_Date__c": "2030-03-01", "Check_Out_Date__c": "2030-03-03", "room": "B1" }),
            ),
            (
                (Subject::Case, "00001001".to_owned()),
                json!({ "Status": "New" }),
            ),
            ((Subject::Comment, "Seen to, 1".to_owned()), json!({})),
            (
                (Subject::Room, "B1".to_owned()),
                json!({ "Status__c": "Vacant" }),
            ),
        ]),
        extra_texts: Vec::new(),
        owners: Owners::default(),
    }
}

#[test]
fn a_good_ledger_has_nothing_wrong() {
    assert_eq!(house().wrong(), Vec::<String>::new());
}
