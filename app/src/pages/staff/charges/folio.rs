//! Guest folio for the front desk: its lines, and which of them can be voided.

use dewy_domain::{
    stay::LineKind,
    tool_catalog::GetFolio,
    tool_output::{Folio, FolioLine},
    vocabulary::LineStatus,
};

use super::{PAGE, charge_request::void_button};
use crate::pages::{guest::bill, prelude::*, staff::staff_reads::read_tool};

/// Reads the folio named in the URL, with the parameters to show.
pub async fn find(
    request: &PageRequest,
    user: &SignedIn,
) -> Result<(FormDraft, AnyView), PageError> {
    let asked = |name: &str| request.query_param(name).unwrap_or_default();
    if asked("guest_email").is_empty() && asked("booking_number").is_empty() {
        return Ok((FormDraft::default(), ().into_any()));
    }
    let names = ["guest_email", "booking_number", "room_number"];
    let input = form_input(names.map(|name| (name, asked(name))));
    let answer = read_tool::<GetFolio>(&request.ctx, user, input, &request.here).await?;
    Ok(match answer {
        Ok(folio) => (FormDraft::default(), shown(folio)),
        Err(draft) => {
            let message = draft.message.clone();
            (draft, view! { <p class="notice">{message}</p> }.into_any())
        }
    })
}

/// Search form; the URL keeps the query.
pub fn form(request: &PageRequest, found: &FormDraft) -> impl IntoView + use<> {
    let value = |name: &str| request.query_param(name).unwrap_or_default().to_owned();
    view! {
        <form method="get" action=PAGE>
            <Field name="guest_email" known=Known::Guests label="Guest’s email" kind="email" optional=true value=value("guest_email") problem=found.problem("guest_email") />
            <Field name="booking_number" known=Known::Bookings label="Booking, if there are several or no email" optional=true value=value("booking_number") problem=found.problem("booking_number") />
            <p class="actions">
                <button class="quiet">"Show the folio"</button>
            </p>
        </form>
    }
}

fn shown(folio: Folio) -> AnyView {
    let booking = folio.booking_number.clone();
    let open = folio.booking_status == BookingStatus::CheckedIn;
    let act = move |line: &FolioLine| {
        let number = Some(line.number.as_str()).filter(|number| !number.is_empty())?;
        let standing = line.kind == LineKind::Charge && line.status == LineStatus::Pending;
        (open && standing).then(|| void_button(&booking, number))
    };
    view! {
        <section class="folio" aria-labelledby="lines">
            <h3 id="lines">"Room " {folio.room_number.to_string()} ", " {folio.booking_number.to_string()}</h3>
            <p class="aside">{date_range(folio.check_in_date, folio.check_out_date)} {labels::DOT} {folio.booking_status.to_string()}</p>
            {bill(&folio, act)}
        </section>
    }
    .into_any()
}
