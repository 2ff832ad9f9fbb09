//! Supporting facts of an error, read back: answers, conversations and journals keep them as JSON.

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    auto_number::is_same,
    booking_number::BookingNumber,
    email_address::EmailAddress,
    money::{Cents, Currency},
    room_number::RoomNumber,
    shown_values::ChangedValue,
    tool_answer::Problem,
    vocabulary::{BookingStatus, CaseStatus, RoomStatus},
};

/// Details of an error; each error has some of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ErrorDetails {
    /// Invalid fields.
    pub problems: Vec<Problem>,
    /// Execution that is in the way: `exe_…`.
    pub execution_id: Option<String>,
    /// Whether the guest was charged, if that is known.
    pub charged: Option<bool>,
    /// The bank's reason for declining: `insufficient_funds`.
    pub decline_code: Option<String>,
    /// Maximum number of guests of the room, or of the largest one.
    pub max_occupancy: Option<i64>,
    /// Reservations to choose from.
    #[serde(deserialize_with = "readable")]
    pub reservations: Vec<ReservationChoice>,
    pub searched: Option<String>,
    /// Room number: `302`.
    pub room_number: Option<RoomNumber>,
    pub room_status: Option<RoomStatus>,
    pub booking_status: Option<BookingStatus>,
    pub case_status: Option<CaseStatus>,
    /// Arrival date.
    pub check_in_date: Option<String>,
    /// Departure date.
    pub check_out_date: Option<String>,
    /// Day, or status, that was asked for.
    pub asked_for: Option<String>,
    /// Question to the person that follows from it.
    pub ask: Option<String>,
    /// Words in which the person can ask for it.
    pub say: Option<String>,
    /// Values that somebody changed after a form had shown them.
    pub changed: Vec<ChangedValue>,
    /// Who has the case now.
    pub assignee: Option<String>,
    /// Why it is not possible, as a sentence.
    pub why: Option<String>,
    /// Earlier effect that may be the same.
    pub similar: Option<Similar>,
    /// Price of the whole stay, where another one was agreed to.
    pub price: Option<Cents>,
    /// Price of the stay before the change.
    pub price_before: Option<Cents>,
    /// Agreed amount.
    pub amount: Option<Cents>,
    /// Currency of both.
    pub currency: Option<Currency>,
    /// First name on file of the guest whose email was given.
    pub guest_first_name: Option<String>,
    /// Last name on file.
    pub guest_last_name: Option<String>,
    /// Guests on file who have the phone number that was given.
    #[serde(deserialize_with = "readable")]
    pub guests: Vec<GuestChoice>,
    /// Record and field that are missing, as a sentence for staff.
    pub problem: Option<String>,
    /// Number of seconds after which a retry may succeed.
    pub retry_after_seconds: Option<u64>,
}

/// Earlier effect that a request may repeat by mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Similar {
    /// Number of its record: `PT-00012`, `BK-0042`; a phone number where that is what repeats.
    pub number: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_number: Option<RoomNumber>,
    /// Its age in whole minutes, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes_ago: Option<i64>,
}

impl Similar {
    /// Whether the text names its record, however it is written.
    #[must_use]
    pub fn is(&self, named: Option<&str>) -> bool {
        named.is_some_and(|named| is_same(&self.number, named))
    }
}

/// Guest on file to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestChoice {
    /// What books for them.
    pub same_guest_as: String,
    /// First and last name.
    pub name: String,
    /// Email, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<EmailAddress>,
}

/// Reservation to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReservationChoice {
    /// Booking number: `BK-0042`.
    pub booking_number: BookingNumber,
    /// Room number: `302`.
    pub room_number: Option<RoomNumber>,
    /// Arrival date.
    pub check_in_date: Option<String>,
    /// Departure date.
    pub check_out_date: Option<String>,
}

/// Entries of a list without those of another shape.
fn readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(given: D) -> Result<Vec<T>, D::Error> {
    let entries = Vec::<Value>::deserialize(given)?;
    let read = entries.into_iter().map(serde_json::from_value);
    Ok(read.filter_map(Result::ok).collect())
}

impl ErrorDetails {
    /// Parses details; empty if the value has another shape.
    #[must_use]
    pub fn of(details: &Value) -> Self {
        Self::deserialize(details).unwrap_or_default()
    }
}
