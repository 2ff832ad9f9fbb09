//! Booking in the URL: from the board, or read from the CRM if it is outside the board's dates.

use std::sync::Arc;

use dewy_domain::{tool_catalog::SearchBookings, tool_output::GuestListItem};

use crate::pages::{
    prelude::*,
    staff::{
        board::{ArrivalStatus, arrival_status, read_snapshot, return_url},
        guests,
        staff_reads::read_tool,
    },
};

/// Booking, with the snapshot of the hotel.
#[derive(Clone, Debug)]
pub struct FoundBooking {
    pub booking: BookingRow,
    pub guest: Option<GuestListItem>,
    pub snapshot: Arc<HotelSnapshot>,
}

impl FoundBooking {
    pub async fn of(request: &PageRequest, user: &SignedIn) -> Result<Self, PageError> {
        // Each org chooses the form of its numbers; what has no counter is none
        let number = request.id.clone();
        if !number.contains(|c: char| c.is_ascii_digit()) {
            return Err(PageError::NotFound);
        }
        let snapshot = read_snapshot(request, user).await?;
        let here = return_url(request);
        let guest = guests::find(&request.ctx, user, &number, &here)
            .await?
            .unwrap_or_default()
            .rows
            .into_iter()
            .next();
        let same = |booking: &&BookingRow| booking.booking_number.eq_ignore_ascii_case(&number);
        if let Some(booking) = snapshot.bookings.iter().find(same).cloned() {
            return Ok(Self {
                booking,
                guest,
                snapshot,
            });
        }
        let input = json!({ "booking_number": number });
        let all = read_tool::<SearchBookings>(&request.ctx, user, input, &here)
            .await?
            .unwrap_or_default();
        let booking = all
            .rows
            .into_iter()
            .next()
            .ok_or(PageError::NotFound)?
            .booking;
        if !same(&&booking) {
            // Found by another spelling, such as `BK0042`
            let page = page_url::stay(&booking.booking_number);
            return Err(PageError::Redirect(page));
        }
        Ok(Self {
            booking,
            guest,
            snapshot,
        })
    }

    pub fn arrival_status(&self) -> ArrivalStatus {
        arrival_status(&self.booking, self.snapshot.day())
    }

    pub fn name(&self) -> String {
        self.booking
            .guest_name
            .clone()
            .unwrap_or_else(|| self.booking.booking_number.to_string())
    }

    /// Room number; empty if the booking names no room.
    pub fn room_number(&self) -> &str {
        self.booking.room_number.as_deref().unwrap_or_default()
    }

    /// Email of the guest; empty if unknown. The contact was read just now, the board earlier.
    pub fn email(&self) -> String {
        let email = match &self.guest {
            Some(guest) => &guest.guest_email,
            None => &self.booking.guest_email,
        };
        email.as_deref().unwrap_or_default().to_owned()
    }

    /// Notice that the stay is past an action.
    pub fn too_late(&self) -> AnyView {
        let status = self.booking.booking_status.to_string();
        let back = page_url::stay(&self.booking.booking_number);
        view! {
            <p class="notice">"This can’t be done: the booking’s status is now " {status} "."</p>
            <p class="actions"><a class="button quiet" href=back>"Back to the stay"</a></p>
        }
        .into_any()
    }

    /// Whether it is reserved or checked in.
    pub fn is_open(&self) -> bool {
        !matches!(
            self.arrival_status(),
            ArrivalStatus::Over | ArrivalStatus::Unclear(_)
        )
    }
}
