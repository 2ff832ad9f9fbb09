//! Age of a page that doesn't update automatically.

use crate::{http_request::with_path, pages::prelude::*};

/// `As of 14:03. Refresh.`
#[component]
pub fn AsOf() -> impl IntoView {
    let at = hotel_time::now().map(|now| hour(&HotelClock::here(), now));
    let here = with_path(str::to_owned);
    at.map(|at| view! { <p class="as-of">{t!("as-of", time = at)} " " <a href=here>{t!("refresh")}</a></p> })
}
