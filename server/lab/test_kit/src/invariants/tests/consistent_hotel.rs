//! Consistent data of a whole hotel, for a test to break something in.

mod executions;
mod systems;

use dewy_saga::{
    ExecutionId,
    journal::{ExecutionRecord, ProjectionRow},
};
use serde_json::{Value, json};

use self::{executions::executions, systems::systems};
use super::journal::NOW;
use crate::{
    caller_answer::{CallerAnswer, Expectations, Subject},
    injected_payments::{InjectedPayment, Kind},
    invariants::{Evidence, installations::Owners, violations},
    outside_records::OutsideRecords,
    store_content::StoreContent,
    tool_names::{CHARGE, CHECK_IN, CHECK_OUT},
};

/// (stale link) Executions of [`test_server`].
pub(super) const CHECKED_OUT: u128 = 1;
pub(super) const COMPENSATED: u128 = 2;
pub(super) const CHECKED_IN: u128 = 3;
const NOT_IN: u128 = 4;
pub(super) const CHARGED: u128 = 5;
pub(super) const NOT_CHARGED: u128 = 6;
const VOIDED: u128 = 7;
pub(super) const GIVEN_BACK: u128 = 8;
pub(super) const FLAGGED: u128 = 9;
pub(super) const TEXTED: u128 = 10;
pub(super) const LOOKING: u128 = 11;
pub(super) const BOOKED: u128 = 12;
pub(super) const NOT_BOOKED: u128 = 13;
const ASKED_FOR: u128 = 14;
/// No journal contains it.
pub(super) const LOST: u128 = 99;

/// Consistent data of a whole hotel; each test breaks something.
pub(super) struct ConsistentHotel {
    pub(super) state: Value,
    pub(super) records: Vec<ExecutionRecord>,
    pub(super) compensations: Vec<ProjectionRow>,
    pub(super) answers: Vec<CallerAnswer>,
    pub(super) planted: Vec<InjectedPayment>,
    pub(super) owed: usize,
    pub(super) swept: bool,
    expected: Expectations,
    pub(super) extra_texts: Vec<(String, String)>,
    pub(super) owners: Owners,
    pub(super) others: bool,
}

impl ConsistentHotel {
    pub(super) fn wrong(&self) -> Vec<String> {
        let ledger = OutsideRecords::read(self.state.clone(), self.state["calls"].clone());
        let found = StoreContent {
            records: self.records.clone(),
            compensations: self.compensations.clone(),
            unsent_texts: self.owed,
            orphan_check_ran: self.swept,
            at: Some(NOW),
            chain_faults: Vec::new(),
            installation: None,
        };
        violations(&Evidence {
            answers: &self.answers,
            planted: &self.planted,
            expected: self.expected.clone(),
            extra_texts: self.extra_texts.clone(),
            owners: self.owners.clone(),
            others: self.others,
            ..Evidence::new(&ledger, &found)
        })
    }

    pub(super) fn list(&mut self, system: &str, list: &str) -> &mut Vec<Value> {
        self.state[system][list].as_array_mut().unwrap()
    }

    /// Record whose field has this value.
    pub(super) fn row(&mut self, object: &str, field: &str, value: &str) -> &mut Value {
        self.list("salesforce", object)
            .iter_mut()
            .find(|r| r[field] == value)
            .unwrap()
    }

    pub(super) fn execution(&mut self, n: u128) -> &mut ExecutionRecord {
        self.records
            .iter_mut()
            .find(|r| r.id == ExecutionId(uuid::Uuid::from_u128(n)))
            .unwrap()
    }
}

/// Beth has checked out and Carl's check-out was compensated, Sarah is checked in and Noah's room
/// was not ready, Wei has a valid charge and a voided one, and two payments were injected: an
/// orphan and another program's.
pub(super) fn consistent_hotel() -> ConsistentHotel {
    let compensated =
        |refund: &str| json!({ "status": "compensated", "refund_id": refund, "cause": "x" });
    let large = json!({ "status": "needs_attention", "cause": "ORPHAN_OVER_LIMIT", "reason": "ORPHAN_OVER_LIMIT" });
    let planted = |kind, payment: &str, execution: Option<String>, opportunity: Option<&str>| {
        InjectedPayment {
            kind,
            payment: payment.to_owned(),
            execution,
            opportunity: opportunity.map(str::to_owned),
            owed: 30_000,
        }
    };
    ConsistentHotel {
        state: systems(),
        records: executions(),
        compensations: vec![
            compensation("pi_carl", COMPENSATED, compensated("re_carl")),
            compensation("pi_lost", GIVEN_BACK, compensated("re_lost")),
            compensation("pi_large", FLAGGED, large),
        ],
        answers: vec![
            answer(CHECK_OUT, CHECKED_OUT, None),
            answer(CHECK_IN, CHECKED_IN, None),
            answer(CHECK_IN, NOT_IN, Some("ROOM_NOT_VACANT")),
            answer(CHARGE, CHARGED, None),
        ]
        .into_iter()
        .enumerate()
        .map(|(n, answer)| CallerAnswer {
            token: n.to_string(),
            ..answer
        })
        .collect(),
        planted: vec![
            planted(Kind::Ours, "pi_lost", Some(id(LOST)), Some("o-wei")),
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
        others: false,
    }
}

fn compensation(payment: &str, n: u128, body: Value) -> ProjectionRow {
    ProjectionRow {
        key: payment.to_owned(),
        execution: ExecutionId(uuid::Uuid::from_u128(n)),
        body,
        updated_at: NOW,
    }
}

pub(super) fn answer(tool: &'static str, n: u128, code: Option<&str>) -> CallerAnswer {
    let code = code.map(str::to_owned);
    CallerAnswer {
        tool,
        token: "t".to_owned(),
        execution: Some(id(n)),
        code,
        body: Value::Null,
    }
}

pub(super) fn id(n: u128) -> String {
    ExecutionId(uuid::Uuid::from_u128(n)).to_string()
}
