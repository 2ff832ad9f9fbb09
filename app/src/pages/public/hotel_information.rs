//! What a guest needs to know about the place: what the hotel has configured, and when it helps.

use super::illustrations::terrace;
use crate::{dates::stated_hour, pages::prelude::*};

/// When in a stay it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StayPhase {
    /// Not booked yet.
    Visiting,
    /// Before check-in.
    Before,
    Inside,
}

/// Section with everything that is configured and helps now; empty without any of it. The Wi-Fi
/// password is for guests who are checked in.
pub fn hotel_information(moment: StayPhase) -> AnyView {
    let hotel = hotel();
    let inside = moment == StayPhase::Inside;
    let text = |label, icon, words: Option<String>| {
        words.map(|words| item(label, icon, view! { <span>{words}</span> }.into_any()))
    };
    let wifi = hotel.wifi_network.clone().filter(|_| inside).map(|name| {
        let password = hotel.wifi_password.clone().map(|password| {
            view! { <span class="wifi-password">{t!("password")} " " <code class="id">{password}</code></span> }
        });
        item(
            t!("place-wifi"),
            "wifi",
            view! { <span>{name}</span> {password} }.into_any(),
        )
    });
    let getting_here = match (&hotel.address, &hotel.directions, &hotel.map_url) {
        (None, None, None) => None,
        _ if inside => None,
        (address, directions, map) => {
            let address = address.clone().map(|text| view! { <span>{text}</span> });
            let directions = directions
                .as_deref()
                .map(|text| view! { <span>{named("hotel", text)}</span> });
            let map = map
                .clone()
                .map(|url| view! { <a href=url rel="noreferrer">{t!("place-map")}</a> });
            Some(item(
                t!("place-getting-here"),
                "pin",
                view! { {address} {directions} {map} }.into_any(),
            ))
        }
    };
    let arrive = hotel.check_in_from.filter(|_| !inside);
    let leave = hotel.check_out_by.filter(|_| moment != StayPhase::Before);
    let items: Vec<AnyView> = [
        text(
            t!("place-check-in"),
            "key",
            arrive.map(|time| t!("place-from", time = stated_hour(time))),
        ),
        wifi,
        text(
            t!("place-breakfast"),
            "cup",
            hotel.breakfast.as_deref().map(|text| named("hotel", text)),
        ),
        text(
            t!("place-check-out"),
            "leave",
            leave.map(|time| t!("place-by", time = stated_hour(time))),
        ),
        getting_here,
    ]
    .into_iter()
    .flatten()
    .collect();
    if items.is_empty() {
        return ().into_any();
    }
    let list = view! { <dl>{items}</dl> };
    if moment == StayPhase::Visiting {
        return view! {
            <section class="place band visit" aria-labelledby="place">
                {terrace()}
                <div>
                    <h2 id="place">{t!("place-visit")}</h2>
                    {list}
                </div>
            </section>
        }
        .into_any();
    }
    view! {
        <section class="place" aria-labelledby="place">
            <h2 id="place">{t!("place-good-to-know")}</h2>
            {list}
        </section>
    }
    .into_any()
}

fn item(label: &'static str, icon: &'static str, content: AnyView) -> AnyView {
    view! {
        <div>
            <dt><Icon state=icon /> {label}</dt>
            <dd>{content}</dd>
        </div>
    }
    .into_any()
}
