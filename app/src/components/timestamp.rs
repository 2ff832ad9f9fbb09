//! Timestamps in the hotel's time zone.

use jiff::Timestamp;
use leptos::prelude::*;

use crate::{
    dates::{self, moment},
    duration_text,
    hotel_time::{self, HotelClock},
};

/// Timestamp; only the time of day when `brief`.
#[component]
pub fn Timestamp(
    at: Timestamp,
    /// Whether to show only the time of day.
    #[prop(optional)]
    brief: bool,
) -> impl IntoView {
    let hotel = HotelClock::here();
    let (text, title) = if brief {
        (dates::clock_time_for_reader(at), Some(moment(&hotel, at)))
    } else {
        (moment(&hotel, at), None)
    };
    view! { <time datetime=at.to_string() title=title>{text}</time> }
}

/// Time between two timestamps, to the hundredth of a second where it is short.
pub fn lasted(from: Timestamp, to: Timestamp) -> String {
    duration_text::precise(to.as_millisecond() - from.as_millisecond())
}

/// Age of a timestamp; keeps counting where scripts run, and shows the timestamp on hover.
#[component]
pub fn Ago(at: Timestamp) -> impl IntoView {
    let title = moment(&HotelClock::here(), at);
    match hotel_time::now() {
        Some(now) => {
            let text = duration_text::short(now.as_second() - at.as_second());
            view! { <time datetime=at.to_string() title=title data-since=at.as_second().to_string()>{text}</time> }
        }
        None => view! { <time datetime=at.to_string()>{title}</time> },
    }
}

/// Time remaining until a timestamp; counts down where scripts run.
#[component]
pub fn Until(at: Timestamp) -> impl IntoView {
    let title = moment(&HotelClock::here(), at);
    match hotel_time::now() {
        Some(now) => {
            let text = duration_text::exact(at.as_second() - now.as_second());
            view! { <time datetime=at.to_string() title=title data-until=at.as_second().to_string()>{text}</time> }
        }
        None => view! { <time datetime=at.to_string()>{title}</time> },
    }
}
