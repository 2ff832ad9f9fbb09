//! Executions of the consistent hotel, with their journals.

use dewy_saga::{End, Fault, Outcome, journal::ExecutionRecord};
use serde_json::{Value, json};

use super::{
    super::{
        journal::{decided, done, ended, intended, needs, read, record, settled, settled_at_once},
        ledger_rows::stay,
    },
    ASKED_FOR, BOOKED, CHARGED, CHECKED_IN, CHECKED_OUT, COMPENSATED, FLAGGED, GIVEN_BACK, LOOKING,
    NOT_BOOKED, NOT_CHARGED, NOT_IN, TEXTED, VOIDED, id,
};
use crate::tool_names::{BOOK, CHARGE, CHECK_IN, CHECK_OUT, COMPENSATE, REQUEST, TEXT};

/// Journals that agree with the records of `systems.rs`.
pub(super) fn executions() -> Vec<ExecutionRecord> {
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
    vec![
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
                settled("post", Outcome::Refused(Fault::new("foreign_edit", "x"))),
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
    ]
}
