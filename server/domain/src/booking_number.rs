//! Numbers of bookings.

use crate::text_type::text_type;

text_type! {
    /// Booking number, as the CRM assigns it: `BK-0042`.
    BookingNumber
}

impl From<&str> for BookingNumber {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for BookingNumber {
    fn from(text: String) -> Self {
        Self(text)
    }
}
