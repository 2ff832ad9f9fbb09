//! Folios with payments or refunds.

use dewy_domain::{paid_folio::PaidFolio, upstream_request::Fault};
use serde::Deserialize;

use super::{
    Found,
    stay_rows::{GuestRow, LineRow, RecordId},
    stays::lines,
};
use crate::salesforce::OrgVocabulary;

#[derive(Debug, Deserialize)]
pub(crate) struct PaidFolioRow {
    #[serde(rename = "Id")]
    id: RecordId,
    #[serde(rename = "Bookings__r")]
    bookings: Option<Found<FolioOwnerRow>>,
    #[serde(rename = "Payment_Transactions__r")]
    lines: Option<Found<LineRow>>,
}

#[derive(Debug, Deserialize)]
struct FolioOwnerRow {
    #[serde(rename = "Name")]
    number: String,
    #[serde(rename = "Primary_Guest__r")]
    guest: Option<GuestRow>,
}

/// All of them: unreadable amounts must not look as if they didn't exist.
pub(crate) fn paid_folios(
    rows: Vec<PaidFolioRow>,
    vocabulary: &OrgVocabulary,
) -> Result<Vec<PaidFolio>, Fault> {
    rows.into_iter()
        .map(|row| of_one(row, vocabulary))
        .collect()
}

fn of_one(row: PaidFolioRow, vocabulary: &OrgVocabulary) -> Result<PaidFolio, Fault> {
    let bookings = Found::children(row.bookings)?;
    let email = bookings
        .iter()
        .find_map(|booking| booking.guest.as_ref()?.email.as_deref());
    Ok(PaidFolio {
        id: row.id.0,
        guest_email: email.map(Into::into),
        booking_numbers: bookings
            .iter()
            .map(|booking| booking.number.as_str().into())
            .collect(),
        lines: lines(row.lines, vocabulary)?,
    })
}
