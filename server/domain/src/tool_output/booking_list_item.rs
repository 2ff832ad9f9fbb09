//! Row of `search_bookings`.

use serde::{Deserialize, Serialize};

use super::{ListRow, OwnStay};
use crate::{money::Currency, reservation::BookingRow};

/// Booking as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingListItem {
    /// The booking.
    #[serde(flatten)]
    pub booking: BookingRow,
    /// Currency of its amounts.
    pub currency: Currency,
}

impl ListRow for BookingListItem {
    const LIST: &'static str = "bookings";
}

/// Booking as its guest sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OwnBookingListItem(pub OwnStay);

impl ListRow for OwnBookingListItem {
    const LIST: &'static str = BookingListItem::LIST;
}
