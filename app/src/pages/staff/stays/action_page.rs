//! Action on a stay: its effect, and a confirmation.

use super::{
    FORM, cancel_or_no_show, change_stay, check_out_form, find_booking::FoundBooking,
    guest_request, move_stay, undo_check_in,
};
use crate::pages::{
    prelude::*,
    staff::{board::take_kept, require_front_desk::require_front_desk},
};

pub async fn stay_act_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let found = FoundBooking::of(&request, &user).await?;
    let draft = take_kept(&request, FORM).await;
    let token = token_of(&draft, &request.ctx);
    let (title, form) = match request.act.as_str() {
        "check-out" => (
            "Check out",
            check_out_form::form(&request, &user, &found, &draft, token).await?,
        ),
        "change" => {
            let last_night = request.query_param("last_night");
            (
                "Change the booking",
                change_stay::form(&found, &draft, token, last_night),
            )
        }
        "move" => (
            move_stay::title(&request),
            move_stay::form(&request, &user, &found, token).await?,
        ),
        "cancel" => (
            "Cancel this booking?",
            cancel_or_no_show::form(&found, true, token),
        ),
        "no-show" => (
            "Mark as no-show?",
            cancel_or_no_show::form(&found, false, token),
        ),
        "undo-check-in" => ("Undo this check-in?", undo_check_in::form(&found, token)),
        "request" => ("New request", guest_request::form(&found, &draft, token)),
        _ => return Err(PageError::NotFound),
    };
    let back = page_url::stay(&found.booking.booking_number);
    let heading = if request.act == "check-out" {
        format!("Check out {}", found.name())
    } else {
        title.to_owned()
    };
    let wide = if request.act == "move" { "" } else { "narrow" };
    let content = view! {
        <div class=wide>
            <p class="crumbs"><a href=back>{found.name()} ", " {found.booking.booking_number.to_string()}</a></p>
            <crate::components::ErrorSummary draft=draft />
            <h1>{heading}</h1>
            {form}
        </div>
    };
    Ok(PageLayout::new(title).who(&user).staff(content))
}
