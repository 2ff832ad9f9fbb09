//! Requests to Salesforce, byte for byte; pure.

mod cases;
mod change_probe;
mod charge;
mod check_in;
mod check_out;
mod guests;
mod paid_folios;
mod reservations;
mod revert;
mod rooms;
mod sms_notification;
pub(crate) mod stay_overview;
mod stay_queries;

use std::sync::Arc;

use dewy_domain::{
    ports::{
        ChargeOrder, CheckInOrder, CheckOutOrder, RevertOrder, SentTextRecord, TextEnd, VoidOrder,
    },
    stay::Booking,
    upstream_request::{Call, System},
    vocabulary::{BookingStatus, OpportunityStage, RoomStatus},
};
use jiff::tz::TimeZone;

use super::{
    OrgVocabulary, Picklist,
    composite::{http_date, json_call},
    field_access::FieldAccess,
    fields::Fields,
    soql,
};
use crate::Country;
use crate::percent_encoding::percent;

/// Maximum length of a `Url` field; a longer receipt link is left out, because it must not fail a
/// check-out.
const URL_LENGTH: usize = 255;

/// Builds requests for one org.
#[derive(Clone, Debug)]
pub(crate) struct Requests {
    pub(crate) api_version: String,
    pub(crate) vocabulary: OrgVocabulary,
    pub(crate) time_zone: TimeZone,
    /// Whether contacts that a duplicate rule warns of are created anyway.
    pub(crate) allow_duplicates: bool,
    /// Record id of the account of new contacts.
    pub(crate) guest_account: Option<String>,
    /// Country of phone numbers without a country code.
    pub(crate) country: Country,
    /// Fields that our user can't see or write.
    pub(crate) access: Arc<FieldAccess>,
}

impl Requests {
    pub(crate) fn check_in(&self, order: &CheckInOrder) -> Call {
        check_in::call(self, order)
    }

    pub(crate) fn charge(&self, order: &ChargeOrder) -> Call {
        charge::post(self, order)
    }

    pub(crate) fn void_charge(&self, order: &VoidOrder) -> Call {
        charge::void(self, order)
    }

    pub(crate) fn record_text(&self, note: &SentTextRecord) -> Call {
        sms_notification::call(self, note)
    }

    pub(crate) fn record_text_end(&self, sid: &str, end: &TextEnd) -> Option<Call> {
        sms_notification::end(self, sid, end)
    }

    pub(crate) fn check_out(&self, order: &CheckOutOrder) -> Call {
        check_out::call(self, order)
    }

    pub(crate) fn revert(&self, order: &RevertOrder) -> Call {
        revert::call(self, order)
    }

    pub(crate) fn undo_check_in(&self, order: &RevertOrder) -> Call {
        revert::call_with_trace(self, order)
    }

    /// Next page of a long response.
    pub(crate) fn page(path: &str) -> Call {
        Call {
            system: System::Salesforce,
            operation: "query".to_owned(),
            method: "GET".to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: String::new(),
            idempotency_key: None,
        }
    }

    /// Writes the booking's external id unchanged: it changes nothing but the stamp.
    pub(crate) fn touch(&self, booking: &Booking) -> Call {
        let path = format!(
            "/services/data/{}/sobjects/Booking__c/{}",
            self.api_version,
            percent(&booking.id)
        );
        let mut call = json_call("update", "PATCH", path, self.booking_touch(booking).json());
        call.headers
            .push(("if-unmodified-since".to_owned(), http_date(&booking.stamp)));
        call
    }

    /// Writes an uncritical field unchanged: a concurrent change within the stamp's second is not
    /// overwritten.
    fn booking_touch(&self, booking: &Booking) -> Fields {
        match &booking.external_id {
            Some(key) => Fields::new().text_or_null(
                "External_ID__c",
                Some(key.as_str()).filter(|key| !key.is_empty()),
            ),
            // Journaled by a release that did not read it.
            None => Fields::new().text(
                "Status__c",
                self.theirs(Picklist::BookingStatus, booking.status.as_str()),
            ),
        }
    }
}

/// Finds the folio only if none of its lines has one of these references. A line that refers to the
/// result is written once, however often it is sent. The query runs after a row was written, so
/// that two concurrent deliveries wait for each other.
fn folio_without(opportunity_id: &str, references: &[&str]) -> String {
    let references: Vec<String> = references
        .iter()
        .map(|reference| soql::text(reference))
        .collect();
    format!(
        "SELECT Id FROM Opportunity WHERE Id = {} AND Id NOT IN (SELECT Opportunity__c FROM Payment_Transaction__c WHERE \
         External_ID__c IN ({}))",
        soql::text(opportunity_id),
        references.join(", ")
    )
}

impl Requests {
    /// The org's word for one of ours.
    fn theirs<'a>(&'a self, list: Picklist, ours: &'a str) -> &'a str {
        self.vocabulary.theirs(list, ours)
    }

    /// Booking status as a literal.
    fn booking_status(&self, ours: &BookingStatus) -> String {
        soql::text(self.theirs(Picklist::BookingStatus, ours.as_str()))
    }

    /// Statuses of bookings that are over, as a list of literals. In any other status, one that only
    /// the org knows or none included, a booking holds its room: in SOQL `NOT IN` also finds null.
    fn over(&self) -> String {
        BookingStatus::OVER
            .map(|status| self.booking_status(&status))
            .join(", ")
    }

    /// Room status as a literal.
    fn room_status(&self, ours: &RoomStatus) -> String {
        soql::text(self.theirs(Picklist::RoomStatus, ours.as_str()))
    }

    /// Opportunity stage as a literal.
    fn stage(&self, ours: &OpportunityStage) -> String {
        soql::text(self.theirs(Picklist::Stage, ours.as_str()))
    }
}

/// Receipt link, if it fits into Salesforce's field.
fn link(url: Option<&String>) -> Option<&str> {
    url.map(String::as_str)
        .filter(|url| url.len() <= URL_LENGTH)
}
