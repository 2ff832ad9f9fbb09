//! Salesforce's rows and their conversion to domain types. Fields missing for a check-out are
//! reported, never guessed.

use dewy_domain::{
    email_address::EmailAddress,
    guest_identity::GuestIdentity,
    inventory::{MissingField, RoomFacts},
    ports::Contact,
    reservation::{BookingField, BookingFill},
    stay::{Booking, Line, LineKind, Opportunity, Room, Stamp},
    upstream_request::Fault,
    vocabulary::{BookingStatus, FaultCode},
};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{json, value::RawValue};

use super::{Found, decimal, timestamp::SalesforceTimestamp};
use crate::{
    Country,
    salesforce::{OrgVocabulary, Picklist, soql},
};

/// Record id; any other shape is not valid in Salesforce.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct RecordId(pub(super) String);

impl TryFrom<String> for RecordId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if soql::is_id(&text) {
            Ok(Self(text))
        } else {
            Err("not a record id")
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct OpportunityRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "StageName")]
    stage: String,
    #[serde(rename = "Amount")]
    amount: Option<Box<RawValue>>,
    #[serde(rename = "CloseDate")]
    close_date: Date,
    #[serde(rename = "Payment_ID__c")]
    payment_id: Option<String>,
    #[serde(rename = "LastModifiedDate")]
    modified: SalesforceTimestamp,
    #[serde(rename = "LastModifiedById")]
    modified_by: RecordId,
    #[serde(rename = "Bookings__r")]
    pub(super) bookings: Option<Found<BookingRow>>,
    #[serde(rename = "Payment_Transactions__r")]
    pub(super) lines: Option<Found<LineRow>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BookingRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "Name")]
    pub(super) number: String,
    #[serde(rename = "Status__c")]
    status: Option<String>,
    #[serde(rename = "Check_In_Date__c")]
    check_in: Option<Date>,
    #[serde(rename = "Check_Out_Date__c")]
    check_out: Option<Date>,
    #[serde(rename = "Primary_Guest__c")]
    guest_id: Option<RecordId>,
    #[serde(rename = "Primary_Guest__r")]
    pub(super) guest: Option<GuestRow>,
    #[serde(rename = "LastModifiedDate")]
    modified: SalesforceTimestamp,
    #[serde(rename = "LastModifiedById")]
    modified_by: RecordId,
    #[serde(rename = "Room__r")]
    pub(super) room: Option<RoomRow>,
    #[serde(rename = "Number_of_Guests__c")]
    pub(super) guests: Option<Box<RawValue>>,
    #[serde(rename = "Special_Requests__c")]
    pub(super) requests: Option<String>,
    #[serde(rename = "External_ID__c")]
    pub(super) external_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GuestRow {
    #[serde(rename = "Email")]
    pub(super) email: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RoomRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "Room_Number__c")]
    pub(super) number: Option<String>,
    #[serde(rename = "Status__c")]
    status: Option<String>,
    #[serde(rename = "Current_Guest__c")]
    current_guest: Option<RecordId>,
    #[serde(rename = "LastModifiedDate")]
    modified: SalesforceTimestamp,
    #[serde(rename = "LastModifiedById")]
    modified_by: RecordId,
    // The following fields are queried only to create a booking or to search rooms.
    #[serde(rename = "Room_Type__c")]
    kind: Option<String>,
    #[serde(rename = "Floor__c")]
    floor: Option<Box<RawValue>>,
    #[serde(rename = "Nightly_Rate__c")]
    rate: Option<Box<RawValue>>,
    #[serde(rename = "Max_Occupancy__c")]
    sleeps: Option<Box<RawValue>>,
    #[serde(rename = "Bed_Configuration__c")]
    beds: Option<String>,
    #[serde(rename = "View_Type__c")]
    view: Option<String>,
    #[serde(rename = "Accessible__c")]
    accessible: Option<bool>,
    #[serde(rename = "Square_Footage__c")]
    square_footage: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct LineRow {
    #[serde(rename = "Id")]
    pub(super) id: RecordId,
    #[serde(rename = "Name")]
    number: String,
    #[serde(rename = "Transaction_Type__c")]
    kind: Option<String>,
    #[serde(rename = "Amount__c")]
    amount: Option<Box<RawValue>>,
    #[serde(rename = "Status__c")]
    status: Option<String>,
    #[serde(rename = "Transaction_Date__c")]
    at: Option<SalesforceTimestamp>,
    #[serde(rename = "External_ID__c")]
    pub(super) external_id: Option<String>,
    #[serde(rename = "Stripe_Transaction_ID__c")]
    stripe_id: Option<String>,
    #[serde(rename = "CreatedDate")]
    pub(super) created: SalesforceTimestamp,
    #[serde(rename = "CreatedById")]
    pub(super) created_by: RecordId,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ContactRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "FirstName")]
    first_name: Option<String>,
    #[serde(rename = "LastName")]
    last_name: String,
    #[serde(rename = "Phone")]
    phone: Option<String>,
    #[serde(rename = "MobilePhone")]
    mobile: Option<String>,
}

impl OpportunityRow {
    pub(super) fn opportunity(&self, vocabulary: &OrgVocabulary) -> Opportunity {
        Opportunity {
            id: self.id.0.clone(),
            stage: vocabulary.ours(Picklist::Stage, &self.stage).into(),
            amount: self.amount.as_deref().and_then(decimal::cents),
            close_date: self.close_date,
            payment_id: self.payment_id.clone(),
            stamp: stamp(self.modified, &self.modified_by),
        }
    }
}

impl BookingRow {
    /// The booking; empty fields are read as `fill` says.
    pub(super) fn booking(
        &self,
        vocabulary: &OrgVocabulary,
        fill: &BookingFill,
    ) -> Result<Booking, Fault> {
        let lacks = |field: &'static str| move || self.lacks(field);
        Ok(Booking {
            id: self.id.0.clone(),
            number: self.number.clone().into(),
            status: self.status(vocabulary).ok_or_else(lacks("Status__c"))?,
            check_in: (self.check_in.or(fill.check_in)).ok_or_else(lacks("Check_In_Date__c"))?,
            check_out: (self.check_out.or(fill.check_out))
                .ok_or_else(lacks("Check_Out_Date__c"))?,
            guest_id: (self.guest_id.clone().map(|id| id.0))
                .or_else(|| fill.guest_id.clone())
                .ok_or_else(lacks("Primary_Guest__c"))?,
            external_id: Some(self.external_id.clone().unwrap_or_default()),
            stamp: stamp(self.modified, &self.modified_by),
        })
    }

    /// Empty fields that a change of the booking can fill.
    pub(super) fn missing(&self) -> Vec<BookingField> {
        let fields = [
            (self.check_in.is_none(), BookingField::CheckInDate),
            (self.check_out.is_none(), BookingField::CheckOutDate),
            (self.room.is_none(), BookingField::Room),
            (self.guest_id.is_none(), BookingField::Guest),
        ];
        let missing = fields.into_iter().filter(|(is_empty, _)| *is_empty);
        missing.map(|(_, field)| field).collect()
    }

    /// The guest's email, if any.
    pub(super) fn guest_email(&self) -> Option<EmailAddress> {
        let email = self.guest.as_ref()?.email.as_deref()?;
        Some(email.into())
    }

    pub(super) fn is_of(&self, guest: &GuestIdentity) -> bool {
        let email = self.guest.as_ref().and_then(|row| row.email.as_deref());
        guest.owns(email, self.guest_id.as_ref().map(|id| id.0.as_str()))
    }

    /// Status in the hotel's vocabulary.
    pub(super) fn status(&self, vocabulary: &OrgVocabulary) -> Option<BookingStatus> {
        word(vocabulary, Picklist::BookingStatus, &self.status).map(Into::into)
    }

    pub(super) fn room(
        &self,
        vocabulary: &OrgVocabulary,
        fill: &BookingFill,
    ) -> Result<Room, Fault> {
        let room = self.room.as_ref().map(|row| row.room(vocabulary));
        let room = room.or_else(|| fill.room.as_ref().map(|facts| facts.room.clone()));
        room.ok_or_else(|| self.lacks("Room__c"))
    }

    /// Room with the fields that a booking depends on.
    pub(super) fn room_facts(
        &self,
        vocabulary: &OrgVocabulary,
        fill: &BookingFill,
    ) -> Result<RoomFacts, Fault> {
        let room = self.room.as_ref().map(|row| row.facts(vocabulary));
        room.or_else(|| fill.room.clone())
            .ok_or_else(|| self.lacks("Room__c"))
    }

    fn lacks(&self, field: &str) -> Fault {
        incomplete(
            &format!("Booking {}", self.number),
            "Booking__c",
            &self.id,
            field,
        )
    }

    pub(super) fn is(&self, id: &str) -> bool {
        self.id.0 == id
    }
}

impl RoomRow {
    /// Room; a missing status is the empty word, which allows nothing that needs a certain one.
    fn room(&self, vocabulary: &OrgVocabulary) -> Room {
        self.facts(vocabulary).room
    }

    /// Room with the fields that a booking depends on. Required fields that are empty are listed in
    /// `missing`.
    pub(super) fn facts(&self, vocabulary: &OrgVocabulary) -> RoomFacts {
        let word = |list, theirs| word(vocabulary, list, theirs);
        let rate = self.rate.as_deref().and_then(decimal::cents);
        let sleeps = self.sleeps.as_deref().and_then(decimal::whole);
        let status = word(Picklist::RoomStatus, &self.status);
        let number = (self.number.as_deref().map(str::trim)).filter(|number| !number.is_empty());
        let missing = [
            (number.is_none(), MissingField::RoomNumber),
            (status.is_none(), MissingField::Status),
            (rate.is_none(), MissingField::NightlyRate),
            (sleeps.is_none(), MissingField::MaxOccupancy),
        ];
        RoomFacts {
            room: Room {
                id: self.id.0.clone(),
                number: number.unwrap_or_default().into(),
                status: status.unwrap_or_default().into(),
                current_guest: self.current_guest.clone().map(|id| id.0),
                stamp: stamp(self.modified, &self.modified_by),
            },
            kind: word(Picklist::RoomType, &self.kind).unwrap_or_default(),
            floor: self.floor.as_deref().and_then(decimal::whole),
            rate: rate.unwrap_or_default(),
            sleeps: sleeps.unwrap_or_default(),
            beds: word(Picklist::Beds, &self.beds),
            view: word(Picklist::View, &self.view),
            accessible: self.accessible.unwrap_or_default(),
            square_footage: self.square_footage.as_deref().and_then(decimal::whole),
            missing: missing
                .into_iter()
                .filter_map(|(is_missing, what)| is_missing.then_some(what))
                .collect(),
        }
    }
}

impl LineRow {
    pub(super) fn line(&self, vocabulary: &OrgVocabulary) -> Line {
        let kind = word(vocabulary, Picklist::LineType, &self.kind);
        let (kind, org_type) = match kind.as_deref() {
            Some("Charge") => (LineKind::Charge, None),
            Some("Payment") => (LineKind::Payment, None),
            Some("Refund") => (LineKind::Refund, None),
            _ => (LineKind::Other, Some(self.kind.clone().unwrap_or_default())),
        };
        Line {
            id: self.id.0.clone(),
            kind,
            org_type,
            number: self.number.clone(),
            amount: self.amount.as_deref().and_then(decimal::cents),
            status: word(vocabulary, Picklist::LineStatus, &self.status)
                .unwrap_or_default()
                .into(),
            at: self.at.map(|moment| moment.0),
            external_id: self.external_id.clone(),
            stripe_id: self.stripe_id.clone(),
        }
    }
}

impl ContactRow {
    pub(super) fn contact(self, country: Country) -> Contact {
        let phone = country.texted(self.mobile.as_deref(), self.phone.as_deref());
        Contact {
            id: self.id.0,
            first_name: self.first_name.unwrap_or_default(),
            last_name: self.last_name,
            phone,
            stored_phone: country.best(self.mobile, self.phone),
        }
    }
}

/// The hotel's word for an org word, if the field is not empty.
fn word(vocabulary: &OrgVocabulary, list: Picklist, theirs: &Option<String>) -> Option<String> {
    theirs
        .as_deref()
        .map(|theirs| vocabulary.ours(list, theirs))
}

pub(super) fn stamp(at: SalesforceTimestamp, by: &RecordId) -> Stamp {
    Stamp {
        at: at.0,
        by: by.0.clone(),
    }
}

/// Record that a person has to complete first; `name` is its display name.
pub(super) fn incomplete(name: &str, object: &str, id: &RecordId, field: &str) -> Fault {
    let label = field.trim_end_matches("__c").replace('_', " ");
    let details = json!({
        "record": name, "object": object, "id": id.0, "field": field, "problem": format!("{name}: {label} is empty."),
    });
    Fault {
        details,
        ..Fault::new(
            FaultCode::IncompleteRecord,
            format!("{object} {} has no usable {field}", id.0),
        )
    }
}
