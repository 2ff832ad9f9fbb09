//! Card in the form of a room key: whose stay it is, where, and how the key is had. It opens no
//! door, and says so.

use super::{guest_stay::GuestStay, next_action::NextAction};
use crate::pages::prelude::*;

/// The card, before check-in and during the stay.
pub fn key_card(next: &NextAction, user: &SignedIn) -> AnyView {
    match next {
        NextAction::CheckedIn(stay) | NextAction::DueOut(stay) => {
            card(stay, user, true, t!("key-inside"))
        }
        NextAction::ArrivingToday(stay) => card(stay, user, false, t!("key-pick-up")),
        NextAction::Upcoming(stay, _) => card(stay, user, false, t!("key-pick-up")),
        NextAction::ChooseStay(_) | NextAction::CheckedOut(..) | NextAction::NoBooking => {
            ().into_any()
        }
    }
}

fn card(stay: &GuestStay, user: &SignedIn, inside: bool, how: &'static str) -> AnyView {
    let hotel = hotel();
    let name = [user.first_name.as_str(), &user.last_name].join(" ");
    // Before check-in the hotel may still change the room
    let room = if inside {
        stay.room_number.clone()
    } else {
        None
    };
    let room = match room {
        Some(number) => view! { <strong class="key-room">{number.to_string()}</strong> }.into_any(),
        None => view! { <strong class="key-kind">{stay.room_type.clone()}</strong> }.into_any(),
    };
    let rows = [
        (t!("key-guest"), Some(name.trim().to_owned())),
        (t!("key-dates"), Some(stay.days())),
        (t!("people"), stay.people()),
    ];
    let rows = rows
        .into_iter()
        .filter_map(|(label, value)| Some((label, value.filter(|text| !text.is_empty())?)))
        .map(|(label, value)| view! { <div><dt>{label}</dt> <dd>{value}</dd></div> })
        .collect_view();
    view! {
        <section class="key-card" aria-labelledby="key">
            <h2 id="key" class="unseen">{t!("key-title")}</h2>
            <p class="key-hotel"><Icon state="drop" /> <span>{hotel.name.clone()}</span></p>
            <p class="key-where"><span>{t!("room")}</span> {room}</p>
            <dl>{rows}</dl>
            <p class="key-how"><Icon state="key" /> <span>{how} " " {t!("key-no-door")}</span></p>
        </section>
    }
    .into_any()
}
