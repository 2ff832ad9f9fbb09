//! Parts of a change probe.

use dewy_domain::{
    change_probe::{ChangeProbe, LastChange},
    upstream_request::Outcome,
};
use serde::Deserialize;

use super::{
    composite_parts::{Part, found_rows},
    stay_rows::RecordId,
    timestamp::SalesforceTimestamp,
};
use crate::exchange_result::malformed_response;

#[derive(Debug, Deserialize)]
struct LastChangeRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "LastModifiedDate")]
    at: SalesforceTimestamp,
}

/// All parts; a missing part would look like a kind without rows.
pub(crate) fn change_probe(parts: &[Part]) -> Outcome<ChangeProbe> {
    let of = |name: &str| -> Option<Vec<LastChange>> {
        let rows = found_rows::<LastChangeRow>(parts, name)?.into_iter();
        let change = |row: LastChangeRow| LastChange {
            id: row.id.0,
            at: row.at.0,
        };
        Some(rows.map(change).collect())
    };
    let all = || -> Option<ChangeProbe> {
        Some(ChangeProbe {
            rooms: of("rooms")?,
            bookings: of("bookings")?,
            opportunities: of("opportunities")?,
            lines: of("lines")?,
            cases: of("cases")?,
        })
    };
    all().map_or_else(
        || malformed_response("a change probe without all its parts"),
        Outcome::Done,
    )
}
