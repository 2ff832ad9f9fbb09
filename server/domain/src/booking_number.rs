//! Numbers of bookings.

use crate::text_type::{any_text, text_type};

text_type! {
    /// Booking number, as the CRM assigns it: `BK-0042`.
    BookingNumber
}

any_text!(BookingNumber);
