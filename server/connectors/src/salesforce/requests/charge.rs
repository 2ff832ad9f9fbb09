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

impl Requests {
    pub(crate) fn charge(&self, order: &ChargeOrder) -> Call {
        let vocabulary = &self.vocabulary;
        let line = Fields::new()
            .refer("Opportunity__c", "folio.records[0].Id")
            .text("External_ID__c", &order.execution_id)
            .word(vocabulary, Picklist::LineType, "Charge")
            .value(vocabulary, &LineStatus::Pending)
            .money("Amount__c", order.amount)
            .moment("Transaction_Date__c", order.at);
        let composite = Composite::new(self).query("guard", &booking_guard(self, &order.stay));
        let folio = folio_without(&order.stay.opportunity.id, &[&order.execution_id]);
        let composite = touch(self, composite, &order.stay).query("folio", &folio);
        finish(composite.make("line", LINE, line), &order.stay)
    }

    pub(crate) fn void_charge(&self, order: &VoidOrder) -> Call {
        let composite = Composite::new(self)
            .query("guard", &booking_guard(self, &order.stay))
            .query("line_guard", &line_guard(self, order));
        let line = Fields::new().value(&self.vocabulary, &LineStatus::Cancelled);
        finish(
            touch(self, composite, &order.stay).change_if_found("line", LINE, "line_guard", line),
            &order.stay,
        )
    }
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
        requests.literal(&stay.booking.status),
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
            requests.literal(&line.status)
        ));
    }
    guard
}
