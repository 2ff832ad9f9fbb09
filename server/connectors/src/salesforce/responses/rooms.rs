//! Rows of rooms.

use dewy_domain::{
    inventory::{ConflictingBooking, RoomFacts},
    upstream_request::Outcome,
};
use serde::Deserialize;

use super::{
    composite_parts::{Part, found_rows},
    stay_rows::{RecordId, RoomRow},
    timestamp::SalesforceTimestamp,
};
use crate::{exchange_result::malformed_response, salesforce::OrgVocabulary};

#[derive(Debug, Deserialize)]
pub(crate) struct ConflictingBookingRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "Name")]
    number: String,
    #[serde(rename = "CreatedDate")]
    created: SalesforceTimestamp,
    #[serde(rename = "CreatedById")]
    created_by: RecordId,
}

impl From<ConflictingBookingRow> for ConflictingBooking {
    fn from(row: ConflictingBookingRow) -> Self {
        Self {
            id: row.id.0,
            booking_number: row.number.into(),
            created_at: row.created.0,
            created_by: row.created_by.0,
        }
    }
}

pub(crate) fn rooms(rows: &[RoomRow], vocabulary: &OrgVocabulary) -> Vec<RoomFacts> {
    rows.iter().map(|row| row.facts(vocabulary)).collect()
}

/// Room after its status was set.
pub(crate) fn room_set(parts: Vec<Part>, vocabulary: &OrgVocabulary) -> Outcome<RoomFacts> {
    match found_rows::<RoomRow>(&parts, "room").as_deref() {
        Some([row]) => Outcome::Done(row.facts(vocabulary)),
        _ => malformed_response("a composite without its room"),
    }
}
