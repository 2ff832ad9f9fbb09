//! Write of the compensation.
//!
//! ```text
//! guards ─→ Booking ─→ Room ─→ Opportunity ─→ unpaid ─→ folio ─→ lines   one composite; each only if it has to be reverted
//! lines                                                           one all-or-none upsert, when no object is
//! ```
//!
//! As in the check-out, each object has a guard query besides its stamp: a foreign edit within the
//! same second must not be overwritten either. `folio` is found only while the pair of lines
//! doesn't exist. The upsert names the folio, which can't be set again on an existing line: a
//! second attempt is refused.

use dewy_domain::{
    money::Cents,
    ports::RevertOrder,
    stay::{Booking, Opportunity, Room},
    upstream_request::Call,
    vocabulary::LineStatus,
};

use super::{Requests, check_out::line_of, folio_without, link, stay_queries};
use crate::salesforce::{
    Picklist,
    composite::{Composite, json_call},
    fields::Fields,
    soql,
};

const LINE: &str = "Payment_Transaction__c";

impl Requests {
    pub(crate) fn revert(&self, order: &RevertOrder) -> Call {
        let rows = [
            order.booking.is_some(),
            order.room.is_some(),
            order.opportunity.is_some(),
            !order.unpaid.is_empty(),
        ];
        if !rows.contains(&true) {
            return upsert(self, order);
        }
        composite(self, order).call()
    }

    /// The same for a write that concerns no money, with a query for the after-images at the end.
    pub(crate) fn undo_check_in(&self, order: &RevertOrder) -> Call {
        let booking = order
            .booking
            .as_ref()
            .map_or("", |(present, _)| present.id.as_str());
        let trace = stay_queries::trace(&order.opportunity_id, booking);
        composite(self, order).query("trace", &trace).call()
    }
}

fn composite<'a>(requests: &'a Requests, order: &RevertOrder) -> Composite<'a> {
    let mut composite = guards(requests, order);
    let vocabulary = &requests.vocabulary;
    if let Some((present, before)) = &order.booking {
        let fields = Fields::new().value(vocabulary, &before.status);
        composite = composite.change_found(
            "booking",
            "Booking__c",
            "booking_guard",
            &present.stamp,
            fields,
        );
    }
    if let Some((present, before)) = &order.room {
        let guest = before.current_guest.as_deref();
        let fields = Fields::new()
            .value(vocabulary, &before.status)
            .text_or_null("Current_Guest__c", guest);
        composite = composite.change_found(
            "room",
            "Hotel_Room__c",
            "room_guard",
            &present.stamp,
            fields,
        );
    }
    if let Some((present, before)) = &order.opportunity {
        let fields = Fields::new()
            .value(vocabulary, &before.stage)
            .day("CloseDate", before.close_date)
            .text_or_null("Payment_ID__c", before.payment_id.as_deref());
        composite = composite.change_found(
            "opportunity",
            "Opportunity",
            "opportunity_guard",
            &present.stamp,
            fields,
        );
    }
    for (n, line) in order.unpaid.iter().enumerate() {
        let [guard, reference] = ["unpaid_guard", "unpaid"].map(|what| format!("{what}{}", n + 1));
        let fields = Fields::new().value(vocabulary, &LineStatus::Failed);
        composite = composite
            .query(&guard, &line_of(&order.opportunity_id, line))
            .change_if_found(&reference, LINE, &guard, fields);
    }
    if order.refund.is_some() {
        let [payment, refund] =
            ["payment", "refund"].map(|what| format!("{}#{what}", order.execution_id));
        composite = composite.query(
            "folio",
            &folio_without(&order.opportunity_id, &[&payment, &refund]),
        );
    }
    let start = Fields::new().refer("Opportunity__c", "folio.records[0].Id");
    for (reference, line) in lines(requests, order, &start) {
        composite = composite.make(reference, LINE, line);
    }
    composite
}

/// All guards first: they check objects that this composite itself is about to change.
fn guards<'a>(requests: &'a Requests, order: &RevertOrder) -> Composite<'a> {
    let mut composite = Composite::new(requests);
    if let Some((present, _)) = &order.booking {
        composite = composite.query("booking_guard", &booking(requests, present));
    }
    if let Some((present, _)) = &order.room {
        composite = composite.query("room_guard", &room(requests, present));
    }
    if let Some((present, _)) = &order.opportunity {
        composite = composite.query("opportunity_guard", &opportunity(requests, present));
    }
    composite
}

fn booking(requests: &Requests, present: &Booking) -> String {
    format!(
        "SELECT Id FROM Booking__c WHERE Id = {} AND Status__c = {} AND LastModifiedById = {}",
        soql::text(&present.id),
        requests.literal(&present.status),
        soql::text(&present.stamp.by)
    )
}

fn room(requests: &Requests, present: &Room) -> String {
    format!(
        "SELECT Id FROM Hotel_Room__c WHERE Id = {} AND Status__c = {} AND Current_Guest__c {} AND LastModifiedById = {}",
        soql::text(&present.id),
        requests.literal(&present.status),
        soql::equals(present.current_guest.as_deref()),
        soql::text(&present.stamp.by)
    )
}

fn opportunity(requests: &Requests, present: &Opportunity) -> String {
    format!(
        "SELECT Id FROM Opportunity WHERE Id = {} AND StageName = {} AND CloseDate = {} AND Payment_ID__c {} AND LastModifiedById = {}",
        soql::text(&present.id),
        requests.literal(&present.stage),
        present.close_date,
        soql::equals(present.payment_id.as_deref()),
        soql::text(&present.stamp.by)
    )
}

/// Payment before refund; a refund is never written unless its payment exists or is in the same
/// write. `start` is the common prefix of every line.
fn lines(requests: &Requests, order: &RevertOrder, start: &Fields) -> Vec<(&'static str, Fields)> {
    let vocabulary = &requests.vocabulary;
    let line = |what: &str, kind: &str, status: &LineStatus, amount: Cents| {
        start
            .clone()
            .text("External_ID__c", &format!("{}#{what}", order.execution_id))
            .word(vocabulary, Picklist::LineType, kind)
            .value(vocabulary, status)
            .money("Amount__c", amount)
            .moment("Transaction_Date__c", order.at)
            .word(vocabulary, Picklist::Method, "Credit Card")
    };
    let payment = order
        .missing_payment
        .as_ref()
        .filter(|_| order.refund.is_some())
        .map(|paid| {
            let fields = line("payment", "Payment", &LineStatus::Completed, paid.amount)
                .text("Stripe_Transaction_ID__c", paid.payment_intent.as_str())
                .text_if("Last_4_Digits__c", paid.last4.as_deref())
                .text_if("Receipt_URL__c", link(paid.receipt_url.as_ref()));
            ("payment", fields)
        });
    let refund = order.refund.as_ref().map(|refund| {
        let fields = line("refund", "Refund", &refund.status, refund.amount);
        (
            "refund",
            fields.text("Stripe_Transaction_ID__c", &refund.refund_id),
        )
    });
    payment.into_iter().chain(refund).collect()
}

/// One upsert of the lines by their references, both or none.
fn upsert(requests: &Requests, order: &RevertOrder) -> Call {
    let start = Fields::new().raw("attributes", Fields::new().text("type", LINE).json());
    let start = start.text("Opportunity__c", &order.opportunity_id);
    let records: Vec<String> = lines(requests, order, &start)
        .into_iter()
        .map(|(_, line)| requests.access.writable(LINE, line).json())
        .collect();
    let body = Fields::new()
        .raw("allOrNone", "true")
        .raw("records", format!("[{}]", records.join(",")));
    let path = format!(
        "/services/data/{}/composite/sobjects/{LINE}/External_ID__c",
        requests.api_version
    );
    json_call("upsert", "PATCH", path, body.json())
}
