//! Interpretation of Salesforce's responses; pure. ADR 4 has the table.

mod cases;
mod change_probe;
mod composite_parts;
mod decimal;
mod error_body;
mod guests;
mod paid_folios;
mod reservations;
mod rooms;
mod stay_overview;
mod stay_rows;
mod stays;
mod timestamp;
mod write_proof;

use dewy_domain::upstream_request::{Fault, Outcome};
use dewy_domain::{ports::Contact, vocabulary::FaultCode};
use std::marker::PhantomData;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

pub(crate) use cases::{CaseRow, case_written, cases};
pub(crate) use change_probe::change_probe;
pub(crate) use composite_parts::{Part, composite};
pub(crate) use guests::guests;
pub(crate) use paid_folios::paid_folios;
pub(crate) use reservations::{ListedRow, booked, listed, reservation};
pub(crate) use rooms::{room_set, rooms};
pub(crate) use stay_overview::{overview, overview_rows};
use stay_rows::RecordId;
pub(crate) use stay_rows::{ContactRow, OpportunityRow, RoomRow};
pub(crate) use stays::{BookingFilter, complete, stays, stays_each};
pub(crate) use write_proof::{checked_out, trace, written};

use crate::Country;
use crate::exchange_result::{Response, malformed_response, parsed, position};

/// Errors of an upsert for an existing line: its master can't be set again; or there are several.
const ALREADY_EXISTS: [&str; 2] = ["INVALID_FIELD_FOR_INSERT_UPDATE", "DUPLICATE_EXTERNAL_ID"];

/// List of rows, each parsed separately: an unreadable row doesn't affect the others.
#[derive(Debug, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Found<T> {
    done: bool,
    records: Vec<Box<RawValue>>,
    #[serde(skip)]
    row: PhantomData<T>,
}

/// The rows of a list that is whole and whose every row is readable: nearly all are, and are parsed in
/// one pass.
fn whole_list<T: DeserializeOwned>(body: &[u8]) -> Option<Vec<T>> {
    #[derive(Deserialize)]
    struct Whole<T> {
        done: bool,
        records: Vec<T>,
    }
    let list: Whole<T> = serde_json::from_slice(body).ok()?;
    list.done.then_some(list.records)
}

impl<T: DeserializeOwned> Found<T> {
    /// All rows. A truncated result is never mistaken for the whole, because a folio's balance
    /// depends on it.
    fn all(self) -> Result<Vec<T>, Fault> {
        if !self.done {
            return Err(cut_off());
        }
        let read = |row: &RawValue| {
            serde_json::from_str(row.get()).map_err(|e| {
                Fault::new(
                    FaultCode::UnreadableResponse,
                    format!("an unreadable row: {}", position(&e)),
                )
            })
        };
        self.records.iter().map(AsRef::as_ref).map(read).collect()
    }

    /// Readable rows, for lists that people look at. The log names the others.
    fn readable(self) -> Result<Vec<T>, Fault> {
        #[derive(Deserialize)]
        struct Named {
            #[serde(rename = "Id")]
            id: RecordId,
        }
        let read = |row: &RawValue| match serde_json::from_str(row.get()) {
            Ok(row) => Some(row),
            Err(error) => {
                let id = serde_json::from_str::<Named>(row.get())
                    .map(|named| named.id.0)
                    .unwrap_or_default();
                tracing::warn!(
                    id,
                    at = position(&error),
                    "an unreadable record was left out of a list"
                );
                None
            }
        };
        if !self.done {
            return Err(cut_off());
        }
        let rows = self.records.iter().map(AsRef::as_ref);
        Ok(rows.filter_map(read).collect())
    }

    /// All rows of a child list, which is missing where a record has no children.
    fn children(list: Option<Self>) -> Result<Vec<T>, Fault> {
        list.map_or_else(|| Ok(Vec::new()), Self::all)
    }
}

fn cut_off() -> Fault {
    Fault::new(
        "too_many_rows",
        "the result has more rows than one response can hold",
    )
}

/// Query whose every row matters.
pub(crate) fn query<T: DeserializeOwned>(response: &Response) -> Outcome<Vec<T>> {
    found(response, Found::all)
}

/// Query for display.
pub(crate) fn list<T: DeserializeOwned>(response: &Response) -> Outcome<Vec<T>> {
    found(response, Found::readable)
}

fn found<T: DeserializeOwned>(
    response: &Response,
    rows: fn(Found<T>) -> Result<Vec<T>, Fault>,
) -> Outcome<Vec<T>> {
    error_body::body(response).and_then(|body| list_rows(body, rows))
}

/// Rows of a list, whatever is wrong with some of them.
fn list_rows<T: DeserializeOwned>(
    body: &[u8],
    rows: fn(Found<T>) -> Result<Vec<T>, Fault>,
) -> Outcome<Vec<T>> {
    if let Some(rows) = whole_list(body) {
        return Outcome::Done(rows);
    }
    match serde_json::from_slice::<Found<T>>(body) {
        Ok(found) => rows(found).map_or_else(unread, Outcome::Done),
        Err(error) => malformed_response(position(&error)),
    }
}

/// Rows that exist but can't be used: a person must fix incomplete ones; garbage proves nothing.
pub(crate) fn unread<T>(error: Fault) -> Outcome<T> {
    if error.code == FaultCode::UnreadableResponse {
        Outcome::Unknown(error)
    } else {
        Outcome::Refused(error)
    }
}

/// One object of any kind.
pub(crate) fn object<T: DeserializeOwned>(response: &Response) -> Outcome<T> {
    error_body::body(response).and_then(parsed)
}

/// Row of a touch: 204 and nothing else.
pub(crate) fn touched(response: &Response) -> Outcome<()> {
    error_body::body(response).and_then(|_| match response {
        Ok(response) if response.status == 204 => Outcome::Done(()),
        _ => malformed_response("a change that did not end with 204"),
    })
}

/// Created row. Journals of older releases contain an upsert, which has the same response.
pub(crate) fn made(response: &Response) -> Outcome<()> {
    object(response).and_then(|row| error_body::saved(&[row]))
}

/// Lines that were written, all or none. An existing line can't be given its folio again.
pub(crate) fn lines(response: &Response) -> Outcome<()> {
    let written = object::<Vec<error_body::Saved>>(response).and_then(|rows| {
        if rows.is_empty() {
            return malformed_response("a write without rows");
        }
        error_body::saved(&rows)
    });
    match written {
        Outcome::Refused(error) if ALREADY_EXISTS.contains(&error.code.as_str()) => {
            Outcome::Refused(Fault {
                code: FaultCode::GuardFailed.into(),
                ..error
            })
        }
        other => other,
    }
}

/// Contacts, in the order of the query.
pub(crate) fn contacts(rows: Vec<ContactRow>, country: Country) -> Vec<Contact> {
    rows.into_iter().map(|row| row.contact(country)).collect()
}
