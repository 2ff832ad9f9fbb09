//! The parts of a pulse.

use dewy_domain::{
    call::Reply,
    pulse::{Beat, Pulse},
};
use serde::Deserialize;

use super::{
    Found,
    moment::Moment,
    parts::{Part, body},
    rows::RecordId,
};
use crate::heard::garbage;

#[derive(Debug, Deserialize)]
struct BeatRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "LastModifiedDate")]
    at: Moment,
}

/// All of it; a part that is missing would look like a kind of which there is nothing.
pub(crate) fn pulse(parts: &[Part]) -> Reply<Pulse> {
    let of = |name: &str| -> Option<Vec<Beat>> {
        let rows = body::<Found<BeatRow>>(parts, name)?.all().ok()?;
        Some(rows.into_iter().map(|row| Beat { id: row.id.0, at: row.at.0 }).collect())
    };
    let all = || -> Option<Pulse> {
        Some(Pulse {
            rooms: of("rooms")?,
            bookings: of("bookings")?,
            opportunities: of("opportunities")?,
            lines: of("lines")?,
            cases: of("cases")?,
        })
    };
    all().map_or_else(|| garbage("a pulse without all its parts"), Reply::Done)
}
