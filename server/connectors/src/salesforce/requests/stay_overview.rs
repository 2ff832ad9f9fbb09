//! A guest's bookings, open cases, and folios: one composite that only reads.

use dewy_domain::{
    case::CaseQuery, ports::StayQuery, reservation::BookingQuery, stay_overview::StayOverviewQuery,
    upstream_request::Call,
};

use super::Requests;
use crate::salesforce::composite::Composite;

/// References of the parts.
pub(crate) const BOOKINGS: &str = "bookings";
pub(crate) const CASES: &str = "cases";
pub(crate) const FOLIOS: &str = "folios";

/// Stays whose folios are read.
pub(crate) fn in_house(query: &StayOverviewQuery) -> StayQuery {
    StayQuery::in_house(query.guest.clone())
}

impl Requests {
    /// Overview of a guest's stays.
    pub(crate) fn stay_overview(&self, query: &StayOverviewQuery) -> Call {
        let bookings = BookingQuery {
            guest: Some(query.guest.clone()),
            newest_first: true,
            limit: query.max_bookings,
            ..BookingQuery::default()
        };
        let cases = CaseQuery {
            guest: Some(query.guest.clone()),
            open: Some(true),
            limit: query.max_cases,
            ..CaseQuery::default()
        };
        Composite::new(self)
            .query(BOOKINGS, &self.bookings_soql(&bookings))
            .query(CASES, &self.cases_soql(&cases))
            .query(FOLIOS, &self.stays_soql(&in_house(query)))
            .independent_reads("stay_overview")
    }
}
