//! Port for links to a booking.

use jiff::civil::Date;

use crate::{booking_number::BookingNumber, email_address::EmailAddress};

/// What a link in a confirmation stands for: no more than that email says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookingLink {
    /// Booking that it confirms.
    pub booking_number: BookingNumber,
    /// Address that the confirmation was sent to.
    pub email: EmailAddress,
    /// Last day on which the link works.
    pub until: Date,
}

/// Links that only this installation makes. A link is no sign-in: it leads to it.
pub trait BookingLinks: Send + Sync + std::fmt::Debug {
    /// Address of the page.
    fn address(&self, link: &BookingLink) -> String;

    /// What a link stands for; `None` once it has expired, or if it was altered.
    fn read(&self, token: &str) -> Option<BookingLink>;
}
