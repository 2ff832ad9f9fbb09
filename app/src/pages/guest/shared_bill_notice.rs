//! Check-out of a stay that shares its bill with another: nobody's own balance is known, so the
//! front desk does it, and one click calls them.

use dewy_domain::tool_output::Folio;

use super::guest_bill::own_bill;
use crate::{
    form_draft::{FORM_OWNER, form_owner},
    pages::prelude::*,
};

/// Notice in place of the check-out form, with the request to the front desk.
pub fn shared_bill(folio: &Folio, user: &SignedIn, token: String) -> AnyView {
    let others = folio.shares_bill_with.join(", ");
    let request = t!(
        "shared-request",
        room = folio.room_number.as_str(),
        number = folio.booking_number.as_str(),
        others = others.as_str(),
    );
    let back = page_url::with_booking("/guest/folio", &folio.booking_number);
    let fields = [
        ("kind", "Concierge".to_owned()),
        ("priority", "High".to_owned()),
        ("description", request),
        ("room_number", folio.room_number.to_string()),
        (FORM_OWNER, form_owner(&user.caller)),
        (TOKEN, token),
    ];
    view! {
        <h1>{t!("check-out")}</h1>
        <p class="lead">{t!("shared-lead", others = others)}</p>
        <p class="aside">{t!("booking-number", number = folio.booking_number.as_str())} {labels::DOT} {date_range(folio.check_in_date, folio.check_out_date)}</p>
        <details class="review">
            <summary>{t!("shared-bill")}</summary>
            {own_bill(folio, false)}
        </details>
        <form method="post" action="/form/ask">
            {hidden(fields)}
            <p class="small">{t!("shared-how")}</p>
            <p class="actions">
                <button>{t!("shared-call")}</button>
                <a href=back>{t!("check-out-back")}</a>
            </p>
        </form>
    }
    .into_any()
}
