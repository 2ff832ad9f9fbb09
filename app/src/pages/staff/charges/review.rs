//! Review of a charge: whom it reaches, what it does, and whether the same was just posted.

use dewy_domain::{error_details::Similar, tool_catalog};

use super::{
    PAGE,
    charge_request::{ChargeOperation, ChargeRequest, FIELDS, REPEAT, STAY},
    folio_guest::FolioGuest,
};
use crate::{kept_reviews::REVIEW, pages::prelude::*};

/// Equal charge that was posted to the same stay a short while ago.
pub async fn similar(
    request: &PageRequest,
    user: &SignedIn,
    wanted: &ChargeRequest,
) -> Option<Similar> {
    let call = tool_catalog::PostCharge::preview(wanted.input());
    let prompts = &request.ctx.confirmations;
    let error = prompts.confirmation_for(&user.caller, &call).await.err()?;
    match error.code {
        ErrorCode::PossibleDuplicate => ErrorDetails::of(&error.details).similar,
        // Everything else is said on the click
        _ => None,
    }
}

fn warning(again: &Similar) -> AnyView {
    let age = match again.minutes_ago {
        Some(0) => "less than a minute ago".to_owned(),
        Some(1) => "a minute ago".to_owned(),
        Some(minutes) => format!("{minutes} minutes ago"),
        None => "a short while ago".to_owned(),
    };
    let words = format!(
        "The same amount was posted to this stay {age}, as {}. Post it only if it is another one.",
        again.number
    );
    view! { <p class="notice">{words}</p> }.into_any()
}

pub fn read_back(
    wanted: &ChargeRequest,
    folio: &FolioGuest,
    currency: Currency,
    draft: FormDraft,
    again: Option<Similar>,
    token: &str,
) -> AnyView {
    let place = folio.place.clone();
    let guest = ("Guest", folio.name.clone());
    let whom = match &folio.booking {
        Some(_) => folio.name.clone(),
        None => place.clone(),
    };
    let (title, rows, will, button) = match &wanted.what {
        ChargeOperation::Post {
            amount,
            description,
        } => {
            let sum = labels::money(*amount, currency);
            let rows = vec![
                guest,
                ("Where", place.clone()),
                ("Amount", sum.clone()),
                ("Description", description.clone()),
            ];
            let will = "The charge is on the guest’s folio at once and part of what check-out asks for. It can be voided until then.";
            (
                "Post this charge?".to_owned(),
                rows,
                will,
                match &again {
                    Some(_) => format!("Post another {sum} to {whom}"),
                    None => format!("Post {sum} to {whom}"),
                },
            )
        }
        ChargeOperation::Void { number } => {
            let rows = vec![guest, ("Where", place.clone()), ("Charge", number.clone())];
            let will = "The charge stays on the folio as voided and no longer counts.";
            (
                "Void this charge?".to_owned(),
                rows,
                will,
                format!("Void {number}"),
            )
        }
    };
    let booking = folio.booking.clone().unwrap_or_default();
    let repeated = again.as_ref().map(|again| again.number.clone());
    let fields = FIELDS.map(|name| (name, draft.value(name)));
    let fields = fields.into_iter().chain([
        (STAY, booking),
        (REPEAT, repeated.unwrap_or_default()),
        (TOKEN, token.to_owned()),
    ]);
    view! {
        <div class="narrow">
            <h1>{title}</h1>
            {again.as_ref().map(warning)}
            {facts("answers", rows)}
            <section class="card will" aria-labelledby="will">
                <h2 id="will">"What this does"</h2>
                <p>{will}</p>
            </section>
            <form method="post" action="/form/post_charge">
                {hidden(fields)}
                <p class="actions">
                    <button>{button}</button>
                    <a href=page_url::with_query(PAGE, [(REVIEW, token)])>"Change something"</a>
                </p>
            </form>
        </div>
    }
    .into_any()
}
