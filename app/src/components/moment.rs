//! Times, in the hotel's zone.

use jiff::Timestamp;
use leptos::prelude::*;

use crate::{
    clock::{self, HotelClock},
    span,
};

/// A moment; within the day only its clock time when `brief`.
#[component]
pub fn Moment(
    /// When.
    at: Timestamp,
    /// The clock time only.
    #[prop(optional)]
    brief: bool,
) -> impl IntoView {
    let hotel = HotelClock::here();
    let (text, title) = if brief {
        (hotel.clock_time(at), Some(hotel.moment(at)))
    } else {
        (hotel.moment(at), None)
    };
    view! { <time datetime=at.to_string() title=title>{text}</time> }
}

/// How long ago; counts on where a script runs, and tells the moment to who rests the cursor on it.
#[component]
pub fn Ago(
    /// Since when.
    at: Timestamp,
) -> impl IntoView {
    let moment = HotelClock::here().moment(at);
    match clock::now() {
        Some(now) => {
            let text = span::short(now.as_second() - at.as_second());
            view! { <time datetime=at.to_string() title=moment data-since=at.as_second().to_string()>{text}</time> }
        }
        None => view! { <time datetime=at.to_string()>{moment}</time> },
    }
}

/// How long until then; counts down where a script runs.
#[component]
pub fn Until(
    /// Until when.
    at: Timestamp,
) -> impl IntoView {
    let moment = HotelClock::here().moment(at);
    match clock::now() {
        Some(now) => {
            let text = span::exact(at.as_second() - now.as_second());
            view! { <time datetime=at.to_string() title=moment data-until=at.as_second().to_string()>{text}</time> }
        }
        None => view! { <time datetime=at.to_string()>{moment}</time> },
    }
}
