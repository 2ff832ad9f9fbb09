//! Check-out: one composite.
//!
//! ```text
//! guard ─→ Opportunity ─→ Room ─→ Booking ─→ folio ─→ marker ─→ trace
//! query     PATCH          PATCH   PATCH      query    POST      query: after-images and the folio
//!
//! guard ─→ line ─→ … ─→ trace
//! query     PATCH        query          the pending lines, once their holds are captured, and the payment's id
//! ```
//!
//! Guard and stamps overlap on purpose. `If-Unmodified-Since` has a resolution of whole seconds;
//! the guard detects a concurrent write within the same second, by its values and its author.
//! `folio` is found only while neither the marker nor the compensation's lines exist, so that this
//! is applied once, and never after it was compensated.

use dewy_domain::{
    money::Cents,
    ports::{CheckOutOrder, RecordedPayment, SettleOrder},
    upstream_request::Call,
    vocabulary::{BookingStatus, LineStatus, OpportunityStage},
};

use super::{Requests, folio_without, link, stay_queries};
use crate::salesforce::{OrgVocabulary, Picklist, composite::Composite, fields::Fields, soql};

impl Requests {
    pub(crate) fn check_out(&self, order: &CheckOutOrder) -> Call {
        let (booking, room, opportunity) = (
            &order.stay.booking,
            &order.stay.room,
            &order.stay.opportunity,
        );
        let vocabulary = &self.vocabulary;
        let paid = order.payment.as_ref().or_else(|| order.held.first());
        let [payment, refund] =
            ["payment", "refund"].map(|what| format!("{}#{what}", order.execution_id));
        let mut composite = Composite::new(self)
            .query("guard", &guard(self, order))
            .change(
                "opportunity",
                "Opportunity",
                &opportunity.id,
                &opportunity.stamp,
                Fields::new()
                    .value(vocabulary, &OpportunityStage::ClosedWon)
                    .day(
                        "CloseDate",
                        order.at.to_zoned(self.time_zone.clone()).date(),
                    )
                    .text_if("Payment_ID__c", paid.map(|p| p.payment_intent.as_str())),
            );
        let left = left_room(vocabulary, order);
        if !left.is_empty() {
            composite = composite.change("room", "Hotel_Room__c", &room.id, &room.stamp, left);
        }
        composite = composite
            .change_found(
                "booking",
                "Booking__c",
                "guard",
                &booking.stamp,
                Fields::new().value(vocabulary, &BookingStatus::CheckedOut),
            )
            .query(
                "folio",
                &folio_without(&opportunity.id, &[&order.execution_id, &payment, &refund]),
            )
            .make("marker", LINE, marker(self, order));
        for (n, held) in order.held.iter().enumerate().skip(1) {
            let reference = format!("{}#{}", order.execution_id, n + 1);
            let line = line(self, order, &reference, Some(held), &LineStatus::Pending);
            composite = composite.make(&format!("line{}", n + 1), LINE, line);
        }
        composite
            .query("trace", &stay_queries::trace(&opportunity.id, &booking.id))
            .call()
    }

    /// Only the lines themselves are guarded: these are our own, and the values are final.
    pub(crate) fn settle_check_out(&self, order: &SettleOrder) -> Call {
        let mut composite = Composite::new(self);
        let folio = &order.opportunity_id;
        for (n, (id, paid)) in order.lines.iter().enumerate() {
            let [guard, reference] = ["guard", "line"].map(|what| format!("{what}{}", n + 1));
            let fields = match paid {
                Some(paid) => paid_by(
                    Fields::new()
                        .value(&self.vocabulary, &LineStatus::Completed)
                        .money("Amount__c", paid.amount),
                    Some(paid),
                ),
                None => Fields::new().value(&self.vocabulary, &LineStatus::Failed),
            };
            composite = composite
                .query(&guard, &line_of(folio, id))
                .change_if_found(&reference, LINE, &guard, fields);
        }
        if let Some((held, paid)) = &order.renamed {
            let named = format!(
                "SELECT Id FROM Opportunity WHERE Id = {} AND Payment_ID__c = {}",
                soql::text(folio),
                soql::text(held.as_str())
            );
            let fields = Fields::new().text_or_null("Payment_ID__c", paid.as_deref());
            composite = composite.query("named", &named).change_if_found(
                "opportunity",
                "Opportunity",
                "named",
                fields,
            );
        }
        let trace = stay_queries::trace(folio, &order.booking_id);
        composite.query("trace", &trace).call()
    }
}

const LINE: &str = "Payment_Transaction__c";

/// Query that finds this line of this folio.
pub(super) fn line_of(folio: &str, line: &str) -> String {
    format!(
        "SELECT Id FROM {LINE} WHERE Id = {} AND Opportunity__c = {}",
        soql::text(line),
        soql::text(folio)
    )
}

/// The room without its guest. A status that somebody set during the stay, such as Maintenance,
/// stays as it is, and so does a room where somebody else lives by now.
fn left_room(vocabulary: &OrgVocabulary, order: &CheckOutOrder) -> Fields {
    let room = &order.stay.room;
    let guest = room.current_guest.as_ref();
    if guest.is_some_and(|guest| *guest != order.stay.booking.guest_id) {
        return Fields::new();
    }
    let left = room.status.after_departure();
    let fields = if left == room.status {
        Fields::new()
    } else {
        Fields::new().value(vocabulary, &left)
    };
    fields.text_or_null("Current_Guest__c", None)
}

/// Guard: everything is as it was read.
fn guard(requests: &Requests, order: &CheckOutOrder) -> String {
    let (booking, room, opportunity) = (
        &order.stay.booking,
        &order.stay.room,
        &order.stay.opportunity,
    );
    format!(
        "SELECT Id FROM Booking__c WHERE Id = {} AND Status__c = {} AND LastModifiedById = {} AND Room__c = {} \
         AND Room__r.Status__c = {} AND Room__r.Current_Guest__c {} AND Room__r.LastModifiedById = {} \
         AND Opportunity__c = {} AND Opportunity__r.StageName = {} AND Opportunity__r.LastModifiedById = {}",
        soql::text(&booking.id),
        requests.literal(&booking.status),
        soql::text(&booking.stamp.by),
        soql::text(&room.id),
        requests.literal(&room.status),
        soql::equals(room.current_guest.as_deref()),
        soql::text(&room.stamp.by),
        soql::text(&opportunity.id),
        requests.literal(&opportunity.stage),
        soql::text(&opportunity.stamp.by),
    )
}

/// Marker row that proves the whole write: if it exists, everything was applied. A check-out with
/// nothing to pay has one too, with amount zero.
fn marker(requests: &Requests, order: &CheckOutOrder) -> Fields {
    let (paid, status) = match (&order.payment, order.held.first()) {
        (None, Some(held)) => (Some(held), LineStatus::Pending),
        (paid, _) => (paid.as_ref(), LineStatus::Completed),
    };
    line(requests, order, &order.execution_id, paid, &status)
}

/// A payment line with this reference.
fn line(
    requests: &Requests,
    order: &CheckOutOrder,
    reference: &str,
    paid: Option<&RecordedPayment>,
    status: &LineStatus,
) -> Fields {
    let vocabulary = &requests.vocabulary;
    let method = paid.map(|_| vocabulary.theirs(Picklist::Method, "Credit Card"));
    let fields = Fields::new()
        .refer("Opportunity__c", "folio.records[0].Id")
        .text("External_ID__c", reference)
        .word(vocabulary, Picklist::LineType, "Payment")
        .value(vocabulary, status)
        .money("Amount__c", paid.map_or(Cents(0), |p| p.amount))
        .moment("Transaction_Date__c", order.at)
        .text_if("Payment_Method__c", method);
    paid_by(fields, paid)
}

fn paid_by(fields: Fields, paid: Option<&RecordedPayment>) -> Fields {
    fields
        .text_if(
            "Stripe_Transaction_ID__c",
            paid.map(|p| p.payment_intent.as_str()),
        )
        .text_if("Last_4_Digits__c", paid.and_then(|p| p.last4.as_deref()))
        .text_if(
            "Receipt_URL__c",
            paid.and_then(|p| link(p.receipt_url.as_ref())),
        )
}
