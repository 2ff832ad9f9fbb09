//! Line of help at the end of guests' pages.

use dewy_domain::hotel_profile::HotelProfile;
use leptos::prelude::*;

use crate::language::{rich, t};

/// Help at the same place on every page, with a phone link.
pub(super) fn help(inside: bool, hotel: &HotelProfile) -> AnyView {
    let phone = hotel.phone.clone().zip(hotel.phone_link());
    let phone = phone.map(|(phone, link)| {
        let link = view! { <a class="phone" href=link>{phone}</a> }.into_any();
        view! { " " {rich("help-call", vec![("phone", link)], &[])} }
    });
    let danger = hotel.emergency_number.clone().map(|number| {
        let link = dewy_domain::hotel_profile::phone_link(&number);
        let link = view! { <a class="phone" href=link>{number}</a> }.into_any();
        view! { " " {rich("help-danger", vec![("number", link)], &[])} }
    });
    let contact = match inside {
        true => {
            let link =
                view! { <a href="/guest/requests?ask=question#ask">{t!("ask-front-desk")}</a> };
            rich("help-ask", vec![("ask", link.into_any())], &[])
        }
        false => t!("help-happy").into_any(),
    };
    let address = hotel
        .address
        .clone()
        .map(|address| view! { <span class="address">{address}</span> });
    view! { <p class="help">{t!("help-need")} " " {contact} {phone} {danger} {address}</p> }
        .into_any()
}
