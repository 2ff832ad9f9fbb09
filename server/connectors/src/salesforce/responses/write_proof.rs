//! Current state of one check-out.

use super::{
    Found,
    composite_parts::{Part, created_id, found_rows},
    stay_rows::{LineRow, OpportunityRow},
    unread,
};
use crate::{exchange_result::malformed_response, salesforce::OrgVocabulary};
use dewy_domain::{
    ports::{CheckOutMarker, CheckOutRecords},
    reservation::BookingFill,
    upstream_request::{Fault, Outcome},
};

/// From the rows of a trace query; `None` when the opportunity or the booking is gone.
pub(crate) fn trace(
    rows: Vec<OpportunityRow>,
    execution_id: &str,
    vocabulary: &OrgVocabulary,
) -> Outcome<Option<CheckOutRecords>> {
    match rows.into_iter().next() {
        None => Outcome::Done(None),
        Some(row) => of_one(row, vocabulary, |_| Some(execution_id.to_owned()))
            .map_or_else(unread, Outcome::Done),
    }
}

/// From a successful check-out: the last part holds the rows, the marker's part its id. A missing
/// value there doesn't mean that it was not applied, so the outcome is unknown and will be
/// rechecked.
pub(crate) fn checked_out(
    parts: Vec<Part>,
    vocabulary: &OrgVocabulary,
) -> Outcome<CheckOutRecords> {
    with_marker(&parts, "marker", vocabulary).and_then(|trace| match trace.marker {
        Some(_) => Outcome::Done(trace),
        None => malformed_response("a check-out whose marker is not among the folio's lines"),
    })
}

/// From any other composite that ends with a trace. A charge's line is recognized by its reference,
/// as a marker is; check-ins and voids leave none.
pub(crate) fn written(parts: Vec<Part>, vocabulary: &OrgVocabulary) -> Outcome<CheckOutRecords> {
    with_marker(&parts, "line", vocabulary)
}

fn with_marker(
    parts: &[Part],
    reference: &str,
    vocabulary: &OrgVocabulary,
) -> Outcome<CheckOutRecords> {
    let made = created_id(parts, reference);
    let found = found_rows::<OpportunityRow>(parts, "trace");
    let Some(row) = found.and_then(|rows| rows.into_iter().next()) else {
        return malformed_response("a composite without its trace");
    };
    let of_marker = |lines: &[LineRow]| {
        let made = made?;
        let marker = lines.iter().find(|line| line.id.0 == made)?;
        marker.external_id.clone()
    };
    match of_one(row, vocabulary, of_marker) {
        Ok(Some(trace)) => Outcome::Done(trace),
        Ok(None) => malformed_response("a trace without its booking"),
        Err(error) => malformed_response(error.message),
    }
}

fn of_one(
    mut row: OpportunityRow,
    vocabulary: &OrgVocabulary,
    execution: impl FnOnce(&[LineRow]) -> Option<String>,
) -> Result<Option<CheckOutRecords>, Fault> {
    let rows = Found::children(row.lines.take())?;
    let bookings = Found::children(row.bookings.take())?;
    let Some(booking) = bookings.first() else {
        return Ok(None);
    };
    let ours = execution(&rows);
    let with = |wanted: &str| {
        rows.iter()
            .find(|line| line.external_id.as_deref() == Some(wanted))
    };
    let marker = ours.as_deref().and_then(with).map(|line| CheckOutMarker {
        id: line.id.0.clone(),
        created_at: line.created.0,
        created_by: line.created_by.0.clone(),
    });
    Ok(Some(CheckOutRecords {
        marker,
        compensated: ours.is_some_and(|id| with(&format!("{id}#refund")).is_some()),
        booking: booking.booking(vocabulary, &BookingFill::default())?,
        room: booking.room(vocabulary, &BookingFill::default())?,
        opportunity: row.opportunity(vocabulary),
        lines: rows.iter().map(|line| line.line(vocabulary)).collect(),
    }))
}
