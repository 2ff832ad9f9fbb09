//! States that are not violations: decisions by staff, and edits by others.

use dewy_saga::{End, Event, SignalAction, State};
use serde_json::json;

use super::{
    consistent_hotel::{ConsistentHotel, GIVEN_BACK, answer, consistent_hotel, id},
    journal::{decided, done, intended, needs, read, record, row, settled},
    ledger_rows::{payment, stay},
};
use crate::{caller_answer::CallerAnswer, injected_payments::Kind, tool_names::CHECK_OUT};

/// Foreign edits are kept; without other programs at work, they are a violation.
#[test]
fn foreign_edits_are_allowed_where_others_work() {
    let mut server = consistent_hotel();
    server.state["salesforce"]["User"] =
        json!([{ "Id": "u-1", "Name": "Front Desk (Salesforce)" }]);
    let room = server.row("Hotel_Room__c", "Id", "r-carl");
    (room["Status__c"], room["LastModifiedById"]) = (json!("Maintenance"), json!("u-1"));
    let elsewhere = payment("pi_2", 700, None);
    server.list("stripe", "payment_intents").push(elsewhere);
    assert_eq!(server.wrong().len(), 2, "{:#?}", server.wrong());
    server.others = true;
    assert_eq!(server.wrong(), Vec::<String>::new());
}

/// A person's decision changes what is allowed; none of it is a violation.
#[test]
fn manually_settled_executions_are_exempt() {
    let solved = Event::Ended {
        end: End::Compensated,
        reason: Some("SOLVED_BY_HAND".to_owned()),
    };
    let handled = |action| Event::SignalHandled {
        key: "k".to_owned(),
        action,
        by: "staff:x".to_owned(),
        accepted: true,
    };
    let mut server = consistent_hotel();
    let facts = json!({ "balance": 25_000, "stay": stay("dora", "Checked In", "Occupied", None, "Checked In") });
    let events = vec![
        read(facts),
        intended("pay"),
        settled("pay", done(json!({}))),
        decided(),
        needs("REFUND_REFUSED"),
        handled(SignalAction::MarkSolved),
        solved,
    ];
    server
        .records
        .push(record(50, CHECK_OUT, json!({}), events));
    server
        .list("stripe", "payment_intents")
        .push(payment("pi_dora", 25_000, Some(&id(50))));
    server.answers.push(CallerAnswer {
        token: "d".to_owned(),
        ..answer(CHECK_OUT, 50, Some("NEEDS_ATTENTION"))
    });
    assert_eq!(server.wrong(), Vec::<String>::new());
    // Over the limit: flagged and not refunded, until a manager releases it.
    let flag = |h: &mut ConsistentHotel| {
        h.planted[0].kind = Kind::OverLimit;
        h.compensations[1].body["cause"] = json!("ORPHAN_OVER_LIMIT");
    };
    flag(&mut server);
    assert!(
        server.wrong().iter().any(|w| w.contains("OverLimit")),
        "nobody released it"
    );
    server.execution(GIVEN_BACK).rows.push(row(Event::Resumed {
        by: "staff:manager".to_owned(),
    }));
    assert_eq!(server.wrong(), Vec::<String>::new());
    assert_eq!(server.execution(GIVEN_BACK).state, State::Completed);
}
