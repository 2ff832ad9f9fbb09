//! Posts a charge to a folio, or voids one: form, review, confirmation.

pub mod charge_request;
mod folio;
mod folio_guest;
mod review;

use self::{
    charge_request::{ChargeRequest, FORM},
    folio_guest::FolioGuest,
};
use super::{board::read_snapshot, require_front_desk::require_front_desk};
use crate::{
    kept_reviews::{self, REVIEW},
    pages::prelude::*,
};

pub use self::charge_request::void_button;

pub const PAGE: &str = "/staff/charges";

/// Form, the requested folio, and the review.
pub async fn charges_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let authenticator = &*request.ctx.authenticator;
    let name = request.query_param(REVIEW);
    let reviewed = kept_reviews::find(authenticator, FORM, name).await;
    let content = if request.query_param("step") == Some("confirm") {
        let reviewed = reviewed.and_then(|draft| Some((ChargeRequest::of(&draft)?, draft)));
        let Some((wanted, draft)) = reviewed else {
            kept_reviews::say_gone(authenticator, FORM).await;
            return Err(PageError::Redirect(PAGE.to_owned()));
        };
        let snapshot = read_snapshot(&request, &user).await?;
        let folio = FolioGuest::find(&request, &user, &wanted, &snapshot).await?;
        let token = name.unwrap_or_default();
        let again = review::similar(&request, &user, &wanted).await;
        review::read_back(&wanted, &folio, snapshot.currency, draft, again, token)
    } else {
        let failed = FormDraft::take(authenticator, FORM).await;
        let draft = match reviewed {
            Some(reviewed) if failed.title.is_empty() => reviewed,
            _ => failed,
        };
        // A void has no fields to enter again
        let draft = match draft.value("charge_number").is_empty() {
            true => draft,
            false => draft.with_fields_of(FormDraft::default()),
        };
        let done = Flash::take(authenticator).await;
        let (found, shown) = folio::find(&request, &user).await?;
        view! {
            {done.map(Flash::view)}
            <ErrorSummary draft=draft.clone() />
            <h1>"Charges"</h1>
            <div class="ways-two">
                {fill(&request, &draft)}
                <section aria-labelledby="folio">
                    <h2 id="folio">"A guest’s folio"</h2>
                    {folio::form(&request, &found)}
                    {shown}
                </section>
            </div>
        }
        .into_any()
    };
    Ok(PageLayout::new("Charges").who(&user).staff(content))
}

fn fill(request: &PageRequest, draft: &FormDraft) -> impl IntoView + use<> {
    let place = |name| draft.value_or(name, request.query_param(name).unwrap_or_default());
    view! {
        <section aria-labelledby="post">
            <h2 id="post">"Post a charge"</h2>
            <form method="post" action="/form/charge_check">
                <div class="filter-fields">
                    <Field name="room" known=Known::Rooms label="Room" optional=true value=place("room") problem=draft.problem("room_number") />
                    <Field name="booking" known=Known::Bookings label="or booking" optional=true value=place("booking") problem=draft.problem("booking_number") />
                </div>
                <Field name="amount" label="Amount" inputmode="decimal" hint="As you write it: 12.50 or 12,50, in the hotel’s currency" value=draft.value("amount") problem=draft.problem("amount") />
                <Field name="description" label="Description" hint="Minibar, laundry, late check-out" value=draft.value("description") problem=draft.problem("description") />
                // Of a charge whose outcome is not known
                <input type="hidden" name=TOKEN value=draft.value(TOKEN) />
                <p class="actions">
                    <button>"Review"</button>
                </p>
            </form>
        </section>
    }
}
