//! The link of a confirmation: it leads to the booking, through the sign-in, and does nothing by
//! itself.

use dewy_domain::ports::BookingLink;

use super::bookings::act_page;
use crate::pages::{prelude::*, sign_in::prefilled};

pub async fn booking_link_page(request: PageRequest) -> PageResult {
    let Some(BookingLink {
        booking_number,
        email,
        ..
    }) = request.ctx.booking_links.read(&request.id)
    else {
        return Ok(PageLayout::new(t!("link-over")).guest(over()));
    };
    let to = act_page(&booking_number, "change");
    let authenticator = &*request.ctx.authenticator;
    let user = authenticator.signed_in().await;
    let signed_in = user.is_some_and(|user| user.caller.persona == Persona::Guest);
    let to = match signed_in {
        true => to,
        false => prefilled(authenticator, &email, &to).await,
    };
    Err(PageError::Redirect(to))
}

fn over() -> AnyView {
    view! {
        <h1>{t!("link-over")}</h1>
        <p class="lead">{t!("link-over-lead")}</p>
        <p class="actions"><a class="button" href="/guest/sign-in">{t!("sign-in")}</a></p>
    }
    .into_any()
}
