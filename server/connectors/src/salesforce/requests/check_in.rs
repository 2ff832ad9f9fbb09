//! Check-in: one composite.
//!
//! ```text
//! guard ─→ Opportunity ─→ Room ─→ Booking ─→ trace
//! query     PATCH          PATCH   PATCH      query: after-images and the folio
//! ```
//!
//! As in the check-out, guard and stamps overlap: a stamp has a resolution of whole seconds. The
//! opportunity moves on only from its first stage. In any other stage (another booking of it is
//! checked in already, or sales uses it differently) the check-in neither writes nor guards it.

use dewy_domain::{
    ports::CheckInOrder,
    upstream_request::Call,
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};

use super::{Requests, stay_queries};
use crate::salesforce::{composite::Composite, fields::Fields, soql};

impl Requests {
    pub(crate) fn check_in(&self, order: &CheckInOrder) -> Call {
        let (booking, room, opportunity) = (
            &order.stay.booking,
            &order.stay.room,
            &order.stay.opportunity,
        );
        let vocabulary = &self.vocabulary;
        let moves_on = opportunity.stage == OpportunityStage::BookingConfirmed;
        let mut composite = Composite::new(self).query("guard", &guard(self, order, moves_on));
        if moves_on {
            let stage = Fields::new().value(vocabulary, &OpportunityStage::CheckedIn);
            composite = composite.change(
                "opportunity",
                "Opportunity",
                &opportunity.id,
                &opportunity.stamp,
                stage,
            );
        }
        composite
            .change(
                "room",
                "Hotel_Room__c",
                &room.id,
                &room.stamp,
                Fields::new()
                    .value(vocabulary, &RoomStatus::Occupied)
                    .text("Current_Guest__c", &booking.guest_id),
            )
            .change_found(
                "booking",
                "Booking__c",
                "guard",
                &booking.stamp,
                Fields::new().value(vocabulary, &BookingStatus::CheckedIn),
            )
            .query("trace", &stay_queries::trace(&opportunity.id, &booking.id))
            .call()
    }
}

/// Guard: everything is as it was read.
fn guard(requests: &Requests, order: &CheckInOrder, moves_on: bool) -> String {
    let (booking, room, opportunity) = (
        &order.stay.booking,
        &order.stay.room,
        &order.stay.opportunity,
    );
    let mut guard = format!(
        "SELECT Id FROM Booking__c WHERE Id = {} AND Status__c = {} AND Primary_Guest__c = {} AND LastModifiedById = {} \
         AND Room__c = {} AND Room__r.Status__c = {} AND Room__r.Current_Guest__c {} AND Room__r.LastModifiedById = {}",
        soql::text(&booking.id),
        requests.literal(&booking.status),
        soql::text(&booking.guest_id),
        soql::text(&booking.stamp.by),
        soql::text(&room.id),
        requests.literal(&room.status),
        soql::equals(room.current_guest.as_deref()),
        soql::text(&room.stamp.by),
    );
    if moves_on {
        guard.push_str(&format!(
            " AND Opportunity__c = {} AND Opportunity__r.StageName = {} AND Opportunity__r.LastModifiedById = {}",
            soql::text(&opportunity.id),
            requests.literal(&opportunity.stage),
            soql::text(&opportunity.stamp.by),
        ));
    }
    guard
}
