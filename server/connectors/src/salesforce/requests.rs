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
    stay::{Booking, Stamp},
    upstream_request::Call,
    vocabulary::BookingStatus,
};
use jiff::tz::TimeZone;

use super::{
    OrgVocabulary,
    composite::{http_date, json_call},
    field_access::FieldAccess,
    fields::Fields,
    org_vocabulary::PicklistValue,
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
    /// Next page of a long response.
    pub(crate) fn page(path: &str) -> Call {
        stay_queries::get("query", path.to_owned())
    }

    fn object(&self, object: &str) -> String {
        format!("/services/data/{}/sobjects/{object}", self.api_version)
    }

    /// Changes a row, if it was not modified since `stamp`.
    fn update(&self, object: &str, id: &str, stamp: &Stamp, fields: Fields) -> Call {
        let path = format!("{}/{}", self.object(object), percent(id));
        let mut call = json_call("update", "PATCH", path, fields.json());
        call.headers
            .push(("if-unmodified-since".to_owned(), http_date(stamp)));
        call
    }

    /// Writes the booking's external id unchanged: it changes nothing but the stamp.
    pub(crate) fn touch(&self, booking: &Booking) -> Call {
        let own = self.booking_touch(booking);
        self.update("Booking__c", &booking.id, &booking.stamp, own)
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
            None => Fields::new().value(&self.vocabulary, &booking.status),
        }
    }
}

/// Finds the folio only if none of its lines has one of these references. A line that refers to the
/// result is written once, however often it is sent. The query runs after a row was written, so
/// that two concurrent deliveries wait for each other.
fn folio_without(opportunity_id: &str, references: &[&str]) -> String {
    format!(
        "SELECT Id FROM Opportunity WHERE Id = {} AND Id NOT IN (SELECT Opportunity__c FROM Payment_Transaction__c WHERE {})",
        soql::text(opportunity_id),
        soql::among("External_ID__c", references)
    )
}

impl Requests {
    /// The org's word for one of ours, as a literal.
    fn literal<V: PicklistValue>(&self, ours: &V) -> String {
        soql::text(self.vocabulary.theirs(V::LIST, ours.word()))
    }

    /// Statuses of bookings that are over, as a list of literals. In any other status, one that only
    /// the org knows or none included, a booking holds its room: in SOQL `NOT IN` also finds null.
    fn over(&self) -> String {
        BookingStatus::OVER
            .map(|status| self.literal(&status))
            .join(", ")
    }
}

/// Receipt link, if it fits into Salesforce's field.
fn link(url: Option<&String>) -> Option<&str> {
    url.map(String::as_str)
        .filter(|url| url.len() <= URL_LENGTH)
}
