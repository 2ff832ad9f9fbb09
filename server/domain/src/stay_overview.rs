//! What a guest's home page shows of the CRM, read in one exchange.

use crate::{
    booking_number::BookingNumber,
    case::Case,
    guest_identity::GuestIdentity,
    money::{Cents, Currency},
    reservation::BookingRow,
    stay::Stay,
    tool_output::{OwnCase, OwnStay},
};

/// Name of this read in the audit log and in metrics. It is no tool: neither models nor programs
/// can call it.
pub const STAY_OVERVIEW: &str = "stay_overview";

/// Guest and limits of the lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StayOverviewQuery {
    pub guest: GuestIdentity,
    /// Maximum number of bookings.
    pub max_bookings: u32,
    /// Maximum number of cases.
    pub max_cases: u32,
}

/// Records of one guest. Only the bookings are certain to have been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StayOverviewRecords {
    /// All bookings, latest first.
    pub bookings: Vec<BookingRow>,
    /// Open cases, newest first; none if they can't be read.
    pub cases: Vec<Case>,
    /// Stays in the house with their folios; incomplete or unreadable ones are left out.
    pub in_house: Vec<Stay>,
}

/// A guest's stays, open requests, and balances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StayOverview {
    /// All stays, latest first.
    pub stays: Vec<OwnStay>,
    /// Open requests, newest first; none if they can't be read.
    pub requests: Vec<OwnCase>,
    /// Balances of stays in the house; `get_folio` says why one is missing.
    pub balances: Vec<StayBalance>,
}

/// Amount that a check-out would charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StayBalance {
    /// Booking number: `BK-0042`.
    pub booking_number: BookingNumber,
    /// Amount.
    pub balance: Cents,
    pub currency: Currency,
}
