//! Suggestions in fields that name a guest, a room, or a colleague: native lists, which work without
//! scripts. They show what is known of the hotel anyway, so typing costs no call of Salesforce.

use std::{collections::BTreeMap, sync::Arc};

use dewy_domain::{
    ports::{HotelSnapshot, SignedIn},
    reservation::BookingRow,
    vocabulary::BookingStatus,
};
use leptos::prelude::*;

use crate::page_context::PageContext;

/// Maximum number of suggestions in one list.
const MAX_SUGGESTIONS: usize = 200;

/// What a field names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Anything the search finds.
    Anything,
    /// A guest, by email.
    Guests,
    /// A booking, by number.
    Bookings,
    /// A room, by number.
    Rooms,
    /// A staff member, by email.
    Colleagues,
}

/// The newest snapshot, if there is one.
#[derive(Clone, Debug)]
struct Hotel(Arc<HotelSnapshot>);

#[derive(Clone, Debug)]
struct StaffEmails(Vec<String>);

/// Provides what is known, for the fields of this page.
pub async fn provide(ctx: &PageContext, user: &SignedIn, speculative: bool) {
    let latest = if speculative {
        ctx.board.known(&user.caller).await
    } else {
        ctx.board.latest(&user.caller).await
    };
    if let Some(snapshot) = latest.snapshot {
        provide_context(Hotel(snapshot));
    }
}

/// Provides the colleagues, for pages with a field that names one.
pub async fn provide_colleagues(ctx: &PageContext) {
    provide_context(StaffEmails(ctx.authenticator.colleagues().await));
}

impl Known {
    /// Id of the list, for the input.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Anything => "known-anything",
            Self::Guests => "known-guests",
            Self::Bookings => "known-bookings",
            Self::Rooms => "known-rooms",
            Self::Colleagues => "known-colleagues",
        }
    }

    pub fn list(self) -> AnyView {
        let options = self
            .options()
            .into_iter()
            .take(MAX_SUGGESTIONS)
            .map(|(value, label)| {
                let label = (!label.is_empty()).then_some(label);
                view! { <option value=value label=label></option> }
            });
        view! { <datalist id=self.id()>{options.collect_view()}</datalist> }.into_any()
    }

    /// Values, each with what it stands for.
    fn options(self) -> Vec<(String, String)> {
        if self == Self::Colleagues {
            let all = use_context::<StaffEmails>().map(|all| all.0);
            return all
                .unwrap_or_default()
                .into_iter()
                .map(|email| (email, String::new()))
                .collect();
        }
        use_context::<Hotel>().map_or_else(Vec::new, |hotel| self.of(&hotel.0))
    }

    fn of(self, hotel: &HotelSnapshot) -> Vec<(String, String)> {
        let by = |value: fn(&BookingRow) -> Option<String>, label: fn(&BookingRow) -> String| {
            let mut all = BTreeMap::new();
            for booking in hotel.bookings.iter().filter(|booking| open(booking)) {
                if let Some(value) = value(booking) {
                    all.entry(value).or_insert_with(|| label(booking));
                }
            }
            all.into_iter().collect::<Vec<_>>()
        };
        let rooms = || {
            let rooms = hotel.numbered_rooms();
            rooms.map(|room| (room.room.number.to_string(), format!("Room, {}", room.kind)))
        };
        match self {
            Self::Anything => {
                let guests = by(|b| b.guest_name.clone(), place);
                guests.into_iter().chain(rooms()).collect()
            }
            Self::Guests => by(
                |b| b.guest_email.as_ref().map(ToString::to_string),
                |b| join(&[b.guest_name.as_deref().unwrap_or_default(), &place(b)]),
            ),
            Self::Bookings => by(
                |b| Some(b.booking_number.to_string()),
                |b| b.guest_name.clone().unwrap_or_default(),
            ),
            Self::Rooms => rooms().collect(),
            Self::Colleagues => Vec::new(),
        }
    }
}

fn open(booking: &BookingRow) -> bool {
    matches!(
        booking.booking_status,
        BookingStatus::Reserved | BookingStatus::CheckedIn
    )
}

/// `room 302, BK-0042`.
fn place(booking: &BookingRow) -> String {
    let room = booking
        .room_number
        .as_ref()
        .map(|room| format!("room {room}"));
    join(&[&room.unwrap_or_default(), &booking.booking_number])
}

fn join(parts: &[&str]) -> String {
    let parts: Vec<_> = parts
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect();
    parts.join(", ")
}
