//! Action on a stay: its effect, and a confirmation.

use leptos::prelude::*;

use super::{FORM, change, check_out, end, found::Found, move_to, request, undo};
use crate::{
    address,
    layout::PageLayout,
    page::{PageError, PageRequest, page},
    pages::staff::{board::take_kept, reads::admit_desk},
    tool_form::token_of,
};

/// Action in the URL.
#[component]
pub fn StayActPage() -> impl IntoView {
    page(|visit: PageRequest| async move {
        let who = admit_desk(&visit).await?;
        let found = Found::of(&visit, &who).await?;
        let draft = take_kept(&visit, FORM).await;
        let token = token_of(&draft, &visit.ctx);
        let (title, form) = match visit.act.as_str() {
            "check-out" => (
                "Check out",
                check_out::form(&visit, &who, &found, &draft, token).await?,
            ),
            "change" => {
                let last_night = visit.query_param("last_night");
                (
                    "Change the booking",
                    change::form(&found, &draft, token, last_night),
                )
            }
            "move" => (
                move_to::title(&visit),
                move_to::form(&visit, &who, &found, token).await?,
            ),
            "cancel" => ("Cancel this booking?", end::form(&found, true, token)),
            "no-show" => ("Mark as no-show?", end::form(&found, false, token)),
            "undo-check-in" => ("Undo this check-in?", undo::form(&found, token)),
            "request" => ("New request", request::form(&found, &draft, token)),
            _ => return Err(PageError::NotFound),
        };
        let back = address::stay(&found.booking.booking_number);
        let heading = if visit.act == "check-out" {
            format!("Check out {}", found.name())
        } else {
            title.to_owned()
        };
        let wide = if visit.act == "move" { "" } else { "narrow" };
        let content = view! {
            <div class=wide>
                <p class="crumbs"><a href=back>{found.name()} ", " {found.booking.booking_number.clone()}</a></p>
                <crate::components::ProblemPanel draft=draft />
                <h1>{heading}</h1>
                {form}
            </div>
        };
        Ok(PageLayout::new(title).who(&who).staff(content))
    })
}

/// Notice that the stay is past this action.
pub fn too_late(found: &Found) -> AnyView {
    let status = found.booking.booking_status.to_string();
    let back = address::stay(&found.booking.booking_number);
    view! {
        <p class="notice">"The booking is " {status} " now, which does not allow this."</p>
        <p class="actions"><a class="button quiet" href=back>"Back to the stay"</a></p>
    }
    .into_any()
}
