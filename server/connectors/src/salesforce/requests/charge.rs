//! Adds a line to a folio, or cancels one: one composite each.
//!
//! ```text
//! guard ─→ Booking ─→ folio ─→ line ─→ trace
//! query     PATCH      query    POST    query: after-images and the folio      a charge
//! both      PATCH               PATCH   query                                  a void; guards the line too
//! ```
//!
//! The booking is touched, so that its stamp moves: a concurrent operation that read the folio
//! before this line was added (a check-out with a payment in progress) fails its own guard. The
//! line itself is written once: `folio` is not found if a line has this reference.

use dewy_domain::{
    ports::{ChargeOrder, VoidOrder},
    stay::Stay,
    upstream_request::Call,
    vocabulary::LineStatus,
};

use super::{Requests, folio_without, stay_queries};
use crate::salesforce::{Picklist, composite::Composite, fields::Fields, soql};

const LINE: &str = "Payment_Transaction__c";

pub(super) fn post(requests: &Requests, order: &ChargeOrder) -> Call {
    let vocabulary = &requests.vocabulary;
    let line = Fields::new()
        .refer("Opportunity__c", "folio.records[0].Id")
        .text("External_ID__c", &order.execution_id)
        .text(
            "Transaction_Type__c",
            vocabulary.theirs(Picklist::LineType, "Charge"),
        )
        .text(
            "Status__c",
            vocabulary.theirs(Picklist::LineStatus, LineStatus::Pending.as_str()),
        )
        .money("Amount__c", order.amount)
        .moment("Transaction_Date__c", order.at);
    let composite = Composite::new(requests).query("guard", &booking_guard(requests, &order.stay));
    let folio = folio_without(&order.stay.opportunity.id, &[&order.execution_id]);
    let composite = touch(requests, composite, &order.stay).query("folio", &folio);
    finish(composite.make("line", LINE, line), &order.stay)
}

pub(super) fn void(requests: &Requests, order: &VoidOrder) -> Call {
    let composite = Composite::new(requests)
        .query("guard", &booking_guard(requests, &order.stay))
        .query("line_guard", &line_guard(requests, order));
    let line = Fields::new().text(
        "Status__c",
        requests
            .vocabulary
            .theirs(Picklist::LineStatus, LineStatus::Cancelled.as_str()),
    );
    finish(
        touch(requests, composite, &order.stay).change_if_found("line", LINE, "line_guard", line),
        &order.stay,
    )
}

fn touch<'a>(requests: &Requests, composite: Composite<'a>, stay: &Stay) -> Composite<'a> {
    let own = requests.booking_touch(&stay.booking);
    composite.change_found("booking", "Booking__c", "guard", &stay.booking.stamp, own)
}

fn finish(composite: Composite<'_>, stay: &Stay) -> Call {
    composite
        .query(
            "trace",
            &stay_queries::trace(&stay.opportunity.id, &stay.booking.id),
        )
        .call()
}

fn booking_guard(requests: &Requests, stay: &Stay) -> String {
    format!(
        "SELECT Id FROM Booking__c WHERE Id = {} AND Status__c = {} AND LastModifiedById = {} AND Opportunity__c = {}",
        soql::text(&stay.booking.id),
        requests.booking_status(&stay.booking.status),
        soql::text(&stay.booking.stamp.by),
        soql::text(&stay.opportunity.id),
    )
}

/// Guards a charge of this folio in the status in which it was read: never a payment, and never
/// another line.
fn line_guard(requests: &Requests, order: &VoidOrder) -> String {
    let mut guard = format!(
        "SELECT Id FROM Payment_Transaction__c WHERE Id = {} AND Opportunity__c = {} AND Transaction_Type__c = {}",
        soql::text(&order.line_id),
        soql::text(&order.stay.opportunity.id),
        soql::text(requests.vocabulary.theirs(Picklist::LineType, "Charge")),
    );
    if let Some(line) = order
        .stay
        .lines
        .iter()
        .find(|line| line.id == order.line_id)
    {
        guard.push_str(&format!(
            " AND Status__c = {}",
            soql::text(
                requests
                    .vocabulary
                    .theirs(Picklist::LineStatus, line.status.as_str())
            )
        ));
    }
    guard
}
