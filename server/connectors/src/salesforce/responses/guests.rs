//! Rows of guests.

use dewy_domain::guest::{Guest, GuestStay};
use jiff::civil::Date;
use serde::{Deserialize, Deserializer};

use super::{
    Found,
    stay_rows::{RecordId, stamp},
    timestamp::SalesforceTimestamp,
};
use crate::{
    Country,
    salesforce::{OrgVocabulary, Picklist},
};

/// Contact with current and future stays.
#[derive(Debug, Deserialize)]
pub(crate) struct GuestRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "FirstName")]
    first_name: Option<String>,
    #[serde(rename = "LastName")]
    last_name: String,
    #[serde(rename = "Email")]
    email: Option<String>,
    #[serde(rename = "Phone")]
    phone: Option<String>,
    #[serde(rename = "MobilePhone")]
    mobile: Option<String>,
    #[serde(rename = "Loyalty_Number__c")]
    loyalty: Option<String>,
    /// `None` while the field is hidden: it is not known to be empty.
    #[serde(rename = "Unique_Email__c", default, deserialize_with = "present")]
    unique_email: Option<Option<String>>,
    #[serde(rename = "LastModifiedDate")]
    modified: SalesforceTimestamp,
    #[serde(rename = "LastModifiedById")]
    modified_by: RecordId,
    #[serde(rename = "Bookings__r")]
    stays: Option<Found<StayRow>>,
}

#[derive(Debug, Deserialize)]
struct StayRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "Name")]
    number: String,
    #[serde(rename = "Status__c")]
    status: Option<String>,
    #[serde(rename = "Room__c")]
    room_id: Option<RecordId>,
    #[serde(rename = "Room__r")]
    room: Option<RoomName>,
    #[serde(rename = "Check_In_Date__c")]
    check_in: Option<Date>,
    #[serde(rename = "Check_Out_Date__c")]
    check_out: Option<Date>,
}

#[derive(Debug, Deserialize)]
struct RoomName {
    #[serde(rename = "Room_Number__c")]
    number: Option<String>,
}

/// `Some(None)` for a null field, so that only a field the row lacks is `None`.
fn present<'de, D: Deserializer<'de>>(given: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(given).map(Some)
}

pub(crate) fn guests(
    rows: Vec<GuestRow>,
    vocabulary: &OrgVocabulary,
    country: Country,
) -> Vec<Guest> {
    rows.into_iter()
        .map(|row| row.guest(vocabulary, country))
        .collect()
}

impl GuestRow {
    fn guest(self, vocabulary: &OrgVocabulary, country: Country) -> Guest {
        let stays = Found::children(self.stays).unwrap_or_default();
        // An incomplete booking is not a stay.
        let stay = |row: StayRow| {
            Some(GuestStay {
                booking_id: row.id.0,
                booking_number: row.number.into(),
                booking_status: vocabulary
                    .ours(Picklist::BookingStatus, &row.status?)
                    .into(),
                room_id: row.room_id?.0,
                room_number: row.room?.number?.into(),
                check_in_date: row.check_in?,
                check_out_date: row.check_out?,
            })
        };
        Guest {
            id: self.id.0,
            first_name: self.first_name.unwrap_or_default(),
            last_name: self.last_name,
            email: self.email.map(Into::into),
            phone: country.best(self.mobile, self.phone),
            loyalty_number: self.loyalty,
            unique_email: self.unique_email.map(Option::unwrap_or_default),
            stamp: stamp(self.modified, &self.modified_by),
            stays: stays.into_iter().filter_map(stay).collect(),
        }
    }
}
