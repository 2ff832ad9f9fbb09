//! The change number of one guest's part of the hotel: only changes to it refresh their pages.

use std::hash::{DefaultHasher, Hash, Hasher};

use dewy_domain::{
    execution_view::GuestActivity, guest_identity::GuestIdentity, ports::HotelSnapshot,
};

/// A number that changes with the guest's data. With a truncated snapshot it may miss a change.
pub(super) fn guest_change_number(
    snapshot: &HotelSnapshot,
    guest: &GuestIdentity,
    activities: &[GuestActivity],
) -> i64 {
    let mut hasher = DefaultHasher::new();
    format!("{:?}", snapshot.day()).hash(&mut hasher);
    // Includes the room's status, which tells an arriving guest that the room is ready
    for booking in snapshot.bookings_of_guest(guest) {
        format!(
            "{booking:?}{:?}",
            snapshot.balances.get(&booking.booking_number)
        )
        .hash(&mut hasher);
    }
    for case in snapshot
        .cases
        .iter()
        .filter(|case| guest.owns(case.guest_email.as_deref(), case.contact_id.as_deref()))
    {
        (&case.number, case.status.as_str()).hash(&mut hasher);
    }
    for activity in activities {
        (&activity.execution_id, &activity.state).hash(&mut hasher);
    }
    // JavaScript numbers are exact up to 2^53.
    i64::try_from(hasher.finish() >> 12).unwrap_or_default()
}
