//! Parts of a guest's overview.

use dewy_domain::{
    stay_overview::{StayOverviewQuery, StayOverviewRecords},
    upstream_request::{Fault, Outcome},
};

use super::{
    BookingFilter, CaseRow, Found, ListedRow, OpportunityRow, cases, complete,
    composite_parts::{independent_parts, rows},
    listed,
};
use crate::{
    exchange_result::Response,
    salesforce::{
        OrgVocabulary,
        requests::stay_overview::{BOOKINGS, CASES, FOLIOS, in_house},
    },
};

pub(crate) struct OverviewRows {
    bookings: Vec<ListedRow>,
    cases: Vec<CaseRow>,
    folios: Vec<OpportunityRow>,
}

/// Rows of the parts. Bookings that can't be read fail the whole, because there is nothing to show
/// without them; so does a hidden field, which may be left out.
pub(crate) fn overview_rows(response: &Response) -> Outcome<OverviewRows> {
    independent_parts(response).and_then(|parts| {
        let bookings = rows(&parts, BOOKINGS, Found::readable);
        let cases = rows(&parts, CASES, Found::readable);
        let folios = rows(&parts, FOLIOS, Found::readable);
        let hidden = |error: &Fault| error.details["hidden"]["field"].is_string();
        match (cases, folios) {
            (Outcome::Refused(error), _) | (_, Outcome::Refused(error)) if hidden(&error) => {
                Outcome::Refused(error)
            }
            (cases, folios) => bookings.map(|bookings| OverviewRows {
                bookings,
                cases: optional(CASES, cases),
                folios: optional(FOLIOS, folios),
            }),
        }
    })
}

fn optional<T>(reference: &str, rows: Outcome<Vec<T>>) -> Vec<T> {
    rows.answered().unwrap_or_else(|error| {
        tracing::warn!(%error, part = reference, "a part of a guest's overview can't be read");
        Vec::new()
    })
}

pub(crate) fn overview(
    rows: OverviewRows,
    query: &StayOverviewQuery,
    vocabulary: &OrgVocabulary,
) -> StayOverviewRecords {
    StayOverviewRecords {
        bookings: listed(rows.bookings, vocabulary),
        cases: cases(rows.cases, vocabulary),
        in_house: complete(
            rows.folios,
            BookingFilter::Guest(&in_house(query)),
            vocabulary,
        ),
    }
}
