//! Invariants of every world at rest, checked against the outside systems' ledgers, not the
//! journal.

use std::collections::BTreeMap;

use dewy_orchestrators::{CHECK_IN, CHECK_OUT, POST_CHARGE, SEND_TEXT};
use dewy_saga::{Direction, Event, Outcome, State, chain, journal::Record};
use serde_json::Value;

use super::world::{SandboxLedger, World};

const REASONS: [&str; 12] = [
    "REVERT_FAILED",
    "FOREIGN_EDIT",
    "REFUND_REFUSED",
    "REFUND_FAILED_LATER",
    "UNKNOWN_OUTCOME",
    "OPEN_BALANCE",
    "ORPHAN_OVER_LIMIT",
    "COMPENSATED_BY_ANOTHER",
    "RECORD_UNREADABLE",
    "RECORD_INCOMPLETE",
    "STUCK",
    "LATE_PAYMENT",
];

/// All violations of a world at rest.
pub fn violations(world: &World) -> Vec<String> {
    let mut wrong = world.watched.violations();
    wrong.extend(of(&world.sandbox_ledger(), &world.journal.snapshot()));
    match world.journal.stale_appends() {
        0 => {}
        appends => wrong.push(format!(
            "I6: {appends} appends under an old fencing token were taken"
        )),
    }
    wrong
}

/// All violations, given the outside systems' ledgers and the executions with their journals.
pub fn of(sandbox_ledger: &SandboxLedger, records: &[Record]) -> Vec<String> {
    let mut wrong = Vec::new();
    let ledger = sandbox_ledger.ledger();
    let mut charges: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
    for (id, (taken, given_back, owner)) in &ledger {
        if given_back > taken {
            wrong.push(format!("I2: {id}: {given_back} given back of {taken}"));
        }
        if let Some(owner) = owner
            && *taken > 0
        {
            charges
                .entry(owner)
                .or_default()
                .push((*taken, *given_back));
        }
    }
    let mut standing: BTreeMap<String, u32> = BTreeMap::new();
    for record in records {
        let id = record.id.to_string();
        if let Err(fault) = chain::verify(record.id, &record.rows, &record.audit) {
            wrong.push(format!("I5: {id}: {fault}"));
        }
        let mine = charges.remove(id.as_str()).unwrap_or_default();
        if mine.len() > 1 {
            wrong.push(format!("I2: {id} charged {} times", mine.len()));
        }
        let (taken, given_back) = mine.first().copied().unwrap_or((0, 0));
        if taken > given_back
            && let Some(booking) = label(record, "booking_number")
        {
            *standing.entry(booking).or_default() += 1;
        }
        judge(
            sandbox_ledger,
            records,
            record,
            taken,
            given_back,
            &mut wrong,
        );
    }
    texts(sandbox_ledger, records, &mut wrong);
    once(sandbox_ledger, records, &mut wrong);
    for owner in charges.keys() {
        wrong.push(format!(
            "I8: a charge of {owner}, of which the journal knows nothing"
        ));
    }
    for (booking, n) in standing {
        if n > 1 {
            wrong.push(format!("I2: {booking} paid {n} times"));
        }
    }
    wrong
}

fn label(record: &Record, name: &str) -> Option<String> {
    record
        .labels
        .iter()
        .find(|(n, _)| n == name)
        .map(|(_, v)| v.clone())
}

/// I13: however often a request is delivered, it is applied once.
fn once(sandbox_ledger: &SandboxLedger, records: &[Record], wrong: &mut Vec<String>) {
    for (object, key) in [
        ("Payment_Transaction__c", "External_ID__c"),
        ("Booking__c", "External_ID__c"),
        ("Case", "External_ID__c"),
        ("SMS_Notification__c", "Twilio_Message_SID__c"),
        ("Contact", "Unique_Email__c"),
    ] {
        let mut rows: BTreeMap<String, usize> = BTreeMap::new();
        for reference in sandbox_ledger
            .each(object)
            .iter()
            .filter_map(|row| row[key].as_str().map(str::to_owned))
        {
            *rows.entry(reference).or_default() += 1;
        }
        for (reference, n) in rows.into_iter().filter(|(_, n)| *n > 1) {
            wrong.push(format!(
                "I13: {n} rows of {object} carry the reference {reference}"
            ));
        }
    }
    let lines = sandbox_ledger.each("Payment_Transaction__c");
    let has = |reference: String| {
        lines
            .iter()
            .any(|line| line["External_ID__c"] == reference.as_str())
    };
    for record in records {
        let id = record.id.to_string();
        if has(format!("{id}#refund")) && !has(format!("{id}#payment")) && !has(id.clone()) {
            wrong.push(format!("I13: {id}: a refund's line without its payment's"));
        }
        if has(format!("{id}#payment")) && has(id.clone()) {
            wrong.push(format!("I13: {id}: the payment stands on the folio twice"));
        }
        let charge = record.saga == POST_CHARGE && record.input["void"] != true;
        if charge && record.state == State::Completed && record.answer.is_some() && !has(id.clone())
        {
            wrong.push(format!(
                "I13: {id}: the charge is completed and has no line"
            ));
        }
        if charge && record.state == State::Refused && has(id.clone()) {
            wrong.push(format!("I13: {id}: the charge was refused and has a line"));
        }
    }
}

/// No message is sent twice, and none that is owed is lost.
fn texts(sandbox_ledger: &SandboxLedger, records: &[Record], wrong: &mut Vec<String>) {
    let mut sent: BTreeMap<String, usize> = BTreeMap::new();
    for message in sandbox_ledger.0["twilio"]["messages"]
        .as_array()
        .into_iter()
        .flatten()
    {
        *sent
            .entry(message["body"].as_str().unwrap_or_default().to_owned())
            .or_default() += 1;
    }
    // The carrier has no idempotency keys: a message that the network delivers twice is sent twice.
    let again: usize = sent.values().map(|n| n - 1).sum();
    if again
        > sandbox_ledger.0["messages_brought_again"]
            .as_u64()
            .unwrap_or_default() as usize
    {
        wrong.push(format!("messages were sent more than once: {sent:?}"));
    }
    for record in records {
        let done = record
            .answer
            .as_ref()
            .is_some_and(|a| a["data"]["sent"] == true);
        if record.saga == SEND_TEXT && record.state == State::Completed && done {
            let body = record.input["body"].as_str().unwrap_or_default();
            if !sent.contains_key(body) {
                wrong.push(format!(
                    "the message {body:?} counts as sent and is not there"
                ));
            }
        }
        let moved = record.rows.iter().any(|row| {
            matches!(&row.event, Event::Settled { step, way: Direction::Forward, outcome: Outcome::Done { .. }, .. } if step == "move")
        });
        let owed = (record.saga == CHECK_OUT || record.saga == CHECK_IN)
            && record.state == State::Completed
            && moved;
        let what = if record.saga == CHECK_IN {
            "check_in"
        } else {
            "check_out"
        };
        let token = format!("{}:{what}", record.id);
        if owed && !records.iter().any(|r| r.token.as_deref() == Some(&token)) {
            wrong.push(format!("{}: its message was never begun", record.id));
        }
    }
}

fn facts(record: &Record) -> Option<Value> {
    record.rows.iter().find_map(|row| match &row.event {
        dewy_saga::Event::Read { facts } if facts.is_object() => Some(facts.clone()),
        _ => None,
    })
}

fn judge(
    sandbox_ledger: &SandboxLedger,
    records: &[Record],
    record: &Record,
    taken: i64,
    given_back: i64,
    wrong: &mut Vec<String>,
) {
    let id = record.id.to_string();
    let mut say = |text: String| wrong.push(format!("{id} ({}): {text}", record.state));
    if record.saga != CHECK_OUT {
        if !record.state.has_ended() {
            say("I7: it does not rest".to_owned());
        }
        return;
    }
    let facts = facts(record);
    let lines = sandbox_ledger.each("Payment_Transaction__c");
    let marker = lines
        .iter()
        .filter(|l| l["External_ID__c"] == id.as_str())
        .count();
    match record.state {
        State::Completed => {
            let Some(facts) = facts else {
                if taken != 0 {
                    say(format!("I1: nothing was to be done, and {taken} was taken"));
                }
                return;
            };
            // A refund by others is not undone; a person must have been shown each one.
            let shown = |refund: &String| {
                let fact = format!("refunded:{refund}");
                records
                    .iter()
                    .any(|r| label(r, "fact").as_ref() == Some(&fact))
            };
            let unseen = given_back != 0 && !sandbox_ledger.refunds_of(&id).iter().all(shown);
            if taken != facts["balance"].as_i64().unwrap_or(-1) || unseen {
                say(format!(
                    "I1: balance {}, taken {taken}, given back {given_back}",
                    facts["balance"]
                ));
            }
            if marker != 1 {
                say(format!("I1: {marker} marker rows"));
            }
            let booking = sandbox_ledger.row(
                "Booking__c",
                "Id",
                facts["stay"]["booking"]["id"].as_str().unwrap_or_default(),
            );
            // Later changes by another user, or by the org itself, are allowed.
            if booking["Status__c"] != "Checked Out" && written_by_us(sandbox_ledger, &booking) {
                say(format!("I1: the booking is {}", booking["Status__c"]));
            }
        }
        State::Refused => {
            if taken != 0 || marker != 0 {
                say(format!("I1: taken {taken}, {marker} marker rows"));
            }
        }
        State::Compensated => {
            if taken != given_back {
                say(format!("I1: taken {taken}, given back {given_back}"));
            }
            if let Some(facts) = facts {
                put_back(sandbox_ledger, records, &facts, &mut say);
            }
        }
        // What a person did outside the hotel is unknown; here the result must not claim that it
        // was done.
        State::SettledByHand => {}
        State::NeedsAttention => {
            let reason = record.rows.iter().rev().find_map(|row| match &row.event {
                dewy_saga::Event::Ended { reason, .. } => reason.clone(),
                _ => None,
            });
            if !reason.as_deref().is_some_and(|r| REASONS.contains(&r)) {
                say(format!("I1: reason {reason:?} is not on the list"));
            }
            // A completed check-out whose rows a flow changed at once is still valid.
            let stands = marker == 1
                && !record
                    .rows
                    .iter()
                    .any(|row| matches!(row.event, Event::Decided { .. }));
            if reason.as_deref() == Some("FOREIGN_EDIT") && taken != given_back && !stands {
                say(format!("I1: taken {taken}, given back {given_back}"));
            }
        }
        _ => say("I7: it does not rest".to_owned()),
    }
}

/// Whether the hotel's own user wrote the row last.
fn written_by_us(sandbox_ledger: &SandboxLedger, row: &Value) -> bool {
    let user = sandbox_ledger.row(
        "User",
        "Id",
        row["LastModifiedById"].as_str().unwrap_or_default(),
    );
    !user["Name"]
        .as_str()
        .is_some_and(|name| name.starts_with("Front Desk") || name.starts_with("Automated"))
}

/// The stay is as it was read, and the folio owes the same, once.
fn put_back(
    sandbox_ledger: &SandboxLedger,
    records: &[Record],
    facts: &Value,
    say: &mut impl FnMut(String),
) {
    let stay = &facts["stay"];
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let booking = sandbox_ledger.row("Booking__c", "Id", &text(&stay["booking"]["id"]));
    let room = sandbox_ledger.row("Hotel_Room__c", "Id", &text(&stay["room"]["id"]));
    let opportunity = sandbox_ledger.row("Opportunity", "Id", &text(&stay["opportunity"]["id"]));
    // Later writes by another user are foreign edits, and are kept.
    let theirs = |row: &Value| !written_by_us(sandbox_ledger, row);
    let (room_theirs, opportunity_theirs) = (theirs(&room), theirs(&opportunity));
    let expected = [
        ("booking", &booking["Status__c"], &stay["booking"]["status"]),
        ("room", &room["Status__c"], &stay["room"]["status"]),
        (
            "room's guest",
            &room["Current_Guest__c"],
            &stay["room"]["current_guest"],
        ),
        (
            "opportunity",
            &opportunity["StageName"],
            &stay["opportunity"]["stage"],
        ),
        (
            "close date",
            &opportunity["CloseDate"],
            &stay["opportunity"]["close_date"],
        ),
        (
            "payment id",
            &opportunity["Payment_ID__c"],
            &stay["opportunity"]["payment_id"],
        ),
    ];
    // A later check-out may have completed; then it is judged instead.
    let again = records.iter().any(|r| {
        r.state == State::Completed
            && r.labels
                .iter()
                .any(|(n, v)| n == "booking_number" && *v == text(&stay["booking"]["number"]))
    });
    if again {
        return;
    }
    for (what, found, before) in expected {
        let foreign = (what.starts_with("room") && room_theirs)
            || (matches!(what, "opportunity" | "close date" | "payment id") && opportunity_theirs);
        if found != before && !foreign {
            say(format!("I1: the {what} is {found}, it was {before}"));
        }
    }
    let owed = balance(sandbox_ledger, &text(&stay["opportunity"]["id"]));
    if Some(owed) != facts["balance"].as_i64() {
        say(format!(
            "I1: the folio owes {owed}, it owed {}",
            facts["balance"]
        ));
    }
}

/// Balance of a folio in cents, from Salesforce's own rows.
pub fn balance(sandbox_ledger: &SandboxLedger, opportunity: &str) -> i64 {
    let cents =
        |v: &Value| dewy_domain::money::Cents::from_decimal(&v.to_string()).map_or(0, |c| c.0);
    let mut owed = cents(&sandbox_ledger.row("Opportunity", "Id", opportunity)["Amount"]);
    for line in sandbox_ledger
        .each("Payment_Transaction__c")
        .iter()
        .filter(|l| l["Opportunity__c"] == opportunity)
    {
        let amount = cents(&line["Amount__c"]);
        match (
            line["Transaction_Type__c"].as_str(),
            line["Status__c"].as_str(),
        ) {
            (Some("Charge"), Some("Cancelled" | "Failed")) => {}
            (Some("Charge"), _) | (Some("Refund"), Some("Completed" | "Pending")) => owed += amount,
            (Some("Payment"), Some("Completed")) => owed -= amount,
            _ => {}
        }
    }
    owed
}

/// All violations of several hotels, each with its own store and org, on one Stripe account.
pub fn violations_together(worlds: &[&World]) -> Vec<String> {
    let known: Vec<String> = worlds
        .iter()
        .flat_map(|world| world.journal.snapshot())
        .map(|record| record.id.to_string())
        .collect();
    let by_another = |wrong: &String| {
        wrong.contains("of which the journal knows nothing")
            && known.iter().any(|id| wrong.contains(id.as_str()))
    };
    let mut wrong: Vec<String> = worlds
        .iter()
        .flat_map(|world| violations(world))
        .filter(|wrong| !by_another(wrong))
        .collect();
    wrong.extend(worlds.iter().flat_map(|world| strangers(world)));
    wrong
}

/// I12: nothing of another installation is ever changed, and payments of others start no review.
fn strangers(world: &World) -> Vec<String> {
    let (own, sandbox_ledger) = (world.installation.to_string(), world.sandbox_ledger());
    let records = world.journal.snapshot();
    let mut wrong = Vec::new();
    let payments = sandbox_ledger.0["stripe"]["payment_intents"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let theirs = payments
        .iter()
        .filter(|payment| payment["metadata"]["installation_id"] != own.as_str());
    for payment in theirs {
        let id = payment["id"].as_str().unwrap_or_default();
        let refunds = sandbox_ledger.0["stripe"]["refunds"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let of_it = refunds
            .iter()
            .filter(|refund| refund["payment_intent"] == id);
        for refund in of_it.filter(|refund| refund["metadata"]["installation_id"] == own.as_str()) {
            wrong.push(format!(
                "I12: {own} refunded {id} by {}, which is not its own",
                refund["id"]
            ));
        }
        let case = records
            .iter()
            .find(|record| label(record, "payment_intent_id").as_deref() == Some(id));
        wrong.extend(case.map(|record| {
            format!(
                "I12: {own} has {} about {id}, which is not its own",
                record.id
            )
        }));
    }
    let keyed = world.account.calls().into_iter().filter(|call| {
        call.effect == "applied"
            && call
                .idempotency_key
                .as_ref()
                .is_some_and(|key| key.starts_with(&own))
    });
    for call in keyed {
        let foreign = payments.iter().find(|payment| {
            payment["metadata"]["installation_id"] != own.as_str()
                && payment["id"]
                    .as_str()
                    .is_some_and(|id| call.path.contains(id))
        });
        wrong.extend(
            foreign.map(|payment| {
                format!("I12: {own} sent {} about {}", call.operation, payment["id"])
            }),
        );
    }
    wrong
}
