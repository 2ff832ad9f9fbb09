//! Rows of cases.

use dewy_domain::{
    case::{Case, CaseComment},
    upstream_request::Outcome,
    vocabulary::BookingStatus,
};
use serde::Deserialize;

use super::{
    Found,
    composite_parts::{Part, found_rows},
    stay_rows::{RecordId, stamp},
    timestamp::SalesforceTimestamp,
};
use crate::{
    exchange_result::malformed_response,
    salesforce::{OrgVocabulary, Picklist},
};

#[derive(Debug, Deserialize)]
pub(crate) struct CaseRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "CaseNumber")]
    number: String,
    #[serde(rename = "Subject")]
    subject: Option<String>,
    #[serde(rename = "Description")]
    description: Option<String>,
    #[serde(rename = "Status")]
    status: Option<String>,
    #[serde(rename = "Priority")]
    priority: Option<String>,
    #[serde(rename = "Type")]
    kind: Option<String>,
    #[serde(rename = "IsClosed")]
    closed: bool,
    #[serde(rename = "CreatedDate")]
    created: SalesforceTimestamp,
    #[serde(rename = "Room__c")]
    room_id: Option<RecordId>,
    #[serde(rename = "Room__r")]
    room: Option<Room>,
    #[serde(rename = "Booking__r")]
    booking: Option<Booking>,
    #[serde(rename = "ContactId")]
    contact_id: Option<RecordId>,
    #[serde(rename = "Contact")]
    contact: Option<Contact>,
    #[serde(rename = "External_ID__c")]
    external_id: Option<String>,
    #[serde(rename = "LastModifiedDate")]
    modified: SalesforceTimestamp,
    #[serde(rename = "LastModifiedById")]
    modified_by: RecordId,
    #[serde(rename = "CaseComments")]
    comments: Option<Found<Comment>>,
}

#[derive(Debug, Deserialize)]
struct Room {
    #[serde(rename = "Room_Number__c")]
    number: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Booking {
    #[serde(rename = "Name")]
    name: Option<String>,
    #[serde(rename = "Status__c")]
    status: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Named {
    #[serde(rename = "Name")]
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Contact {
    #[serde(rename = "Name")]
    name: Option<String>,
    #[serde(rename = "Email")]
    email: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Comment {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "CommentBody")]
    body: Option<String>,
    #[serde(rename = "CreatedDate")]
    created: SalesforceTimestamp,
    #[serde(rename = "CreatedById")]
    created_by: RecordId,
    #[serde(rename = "CreatedBy")]
    author: Option<Named>,
}

pub(crate) fn cases(rows: Vec<CaseRow>, vocabulary: &OrgVocabulary) -> Vec<Case> {
    rows.into_iter().map(|row| row.case(vocabulary)).collect()
}

/// Case after it was opened or changed.
pub(crate) fn case_written(parts: Vec<Part>, vocabulary: &OrgVocabulary) -> Outcome<Case> {
    let found = found_rows::<CaseRow>(&parts, "case");
    match found.and_then(|rows| rows.into_iter().next()) {
        Some(row) => Outcome::Done(row.case(vocabulary)),
        None => malformed_response("a composite without its case"),
    }
}

impl CaseRow {
    fn case(self, vocabulary: &OrgVocabulary) -> Case {
        let word = |list, text: Option<String>| {
            text.map(|text| vocabulary.ours(list, &text))
                .unwrap_or_default()
        };
        let comments = Found::children(self.comments).unwrap_or_default();
        let contact = self.contact;
        let stay = self
            .booking
            .as_ref()
            .and_then(|booking| booking.status.clone());
        let stay: BookingStatus = word(Picklist::BookingStatus, stay).into();
        Case {
            id: self.id.0,
            number: self.number,
            subject: self.subject.unwrap_or_default(),
            description: self.description.unwrap_or_default(),
            status: word(Picklist::CaseStatus, self.status).into(),
            priority: word(Picklist::CasePriority, self.priority).into(),
            kind: word(Picklist::CaseType, self.kind).into(),
            closed: self.closed,
            created_at: self.created.0,
            room_id: self.room_id.map(|id| id.0),
            room_number: self.room.and_then(|room| room.number).map(Into::into),
            booking_number: self
                .booking
                .and_then(|booking| booking.name)
                .map(Into::into),
            stay_is_over: matches!(
                stay,
                BookingStatus::CheckedOut | BookingStatus::Cancelled | BookingStatus::NoShow
            ),
            contact_id: self.contact_id.map(|id| id.0),
            guest_name: contact.as_ref().and_then(|contact| contact.name.clone()),
            guest_email: contact.and_then(|contact| contact.email).map(Into::into),
            external_id: self.external_id,
            stamp: stamp(self.modified, &self.modified_by),
            comments: comments
                .into_iter()
                .map(|row| CaseComment {
                    id: row.id.0,
                    body: row.body.unwrap_or_default(),
                    at: row.created.0,
                    by: row.created_by.0,
                    by_name: row.author.and_then(|user| user.name).unwrap_or_default(),
                })
                .collect(),
        }
    }
}
