//! What Salesforce's answers mean; pure. ARCHITECTURE.md has the table.

mod cases;
mod decimal;
mod fault;
mod guests;
mod moment;
mod paid_folios;
mod parts;
mod pulse;
mod reservations;
mod rooms;
mod rows;
mod stays;
mod trace;

use dewy_domain::call::{Reply, Trouble};
use dewy_domain::ports::Contact;
use serde::{Deserialize, de::DeserializeOwned};

pub(crate) use cases::{CaseRow, case_written, cases};
pub(crate) use guests::{GuestRow, guest_made, guests};
pub(crate) use paid_folios::{PaidFolioRow, paid_folios};
pub(crate) use parts::composite;
pub(crate) use pulse::pulse;
pub(crate) use reservations::{ListedRow, booked, listed, reservation};
pub(crate) use rooms::{RivalRow, room_set, rooms};
pub(crate) use rows::{ContactRow, OpportunityRow, RoomRow};
pub(crate) use stays::{Fits, complete, only_one, stays, stays_each};
pub(crate) use trace::{checked_out, trace, written};

use crate::heard::{Heard, garbage, then};

/// A guard failed: somebody else wrote meanwhile, or an earlier attempt of ours did.
pub(crate) const GUARD_FAILED: &str = "guard_failed";

/// A query's result.
#[derive(Debug, Deserialize)]
pub(crate) struct Found<T> {
    done: bool,
    records: Vec<T>,
}

impl<T> Found<T> {
    /// All rows; a result cut off in the middle is never mistaken for the whole, for a folio's balance hangs on it.
    fn all(self) -> Result<Vec<T>, Trouble> {
        if self.done {
            Ok(self.records)
        } else {
            Err(Trouble::new("too_many_rows", "the result has more rows than one answer holds"))
        }
    }
}

/// A query.
pub(crate) fn query<T: DeserializeOwned>(heard: &Heard) -> Reply<Vec<T>> {
    then(fault::body(heard), |body| match serde_json::from_slice::<Found<T>>(body) {
        Ok(found) => found.all().map_or_else(Reply::Refused, Reply::Done),
        Err(error) => garbage(position(&error)),
    })
}

/// One object, whatever it is.
pub(crate) fn object<T: DeserializeOwned>(heard: &Heard) -> Reply<T> {
    then(fault::body(heard), |body| match serde_json::from_slice(body) {
        Ok(object) => Reply::Done(object),
        Err(error) => garbage(position(&error)),
    })
}

/// The row of a touch: 204 and nothing else.
pub(crate) fn touched(heard: &Heard) -> Reply<()> {
    then(fault::body(heard), |_| match heard {
        Ok(response) if response.status == 204 => Reply::Done(()),
        _ => garbage("a change that did not end with 204"),
    })
}

/// An upsert: 201 for a new row, 200 for one that was there.
pub(crate) fn upserted(heard: &Heard) -> Reply<()> {
    then(fault::body(heard), |body| match serde_json::from_slice::<fault::Saved>(body) {
        Ok(row) => fault::saved(&[row]),
        Err(error) => garbage(position(&error)),
    })
}

/// The rows of an all-or-none create.
pub(crate) fn created(heard: &Heard) -> Reply<()> {
    then(fault::body(heard), |body| match serde_json::from_slice::<Vec<fault::Saved>>(body) {
        Ok(rows) if !rows.is_empty() => fault::saved(&rows),
        Ok(_) => garbage("a create without rows"),
        Err(error) => garbage(position(&error)),
    })
}

/// The contact, if the query found one.
pub(crate) fn contact(rows: Vec<ContactRow>) -> Option<Contact> {
    rows.into_iter().next().map(Contact::from)
}

/// Where an answer stopped making sense; never what it said, which may be a guest's data.
fn position(error: &serde_json::Error) -> String {
    format!("line {} column {}", error.line(), error.column())
}
