//! Cancels a booking: the consequences first, then one red button that names the booking.

use dewy_domain::{tool_catalog::ManageBookings, tool_output::Folio};

use super::{
    bookings::act_page,
    guest_stay::{GuestStay, Phase},
    read_folio::{FolioLookup, read_folio},
};
use crate::pages::prelude::*;

const FORM: &str = "cancel-booking";

pub async fn cancel_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let today = request.hotel_day()?;
    let (stay, folio) = futures::join!(
        GuestStay::numbered(&request, &user),
        read_folio(&request.ctx, &user, Some(&request.id), &request.here)
    );
    let stay = stay?;
    let draft = FormDraft::take(&*request.ctx.authenticator, FORM).await;
    let content = match stay.phase(today) {
        Phase::Upcoming(_) | Phase::Arriving | Phase::NoShow
            if stay.booking_status == BookingStatus::Reserved =>
        {
            // The price is shown where it is known
            let folio = match folio {
                Ok(FolioLookup::One(folio)) => Some(*folio),
                _ => None,
            };
            let token = token_of(&draft, &request.ctx);
            consequence(&stay, folio.as_ref(), draft, token)
        }
        _ => not_now(&stay),
    };
    Ok(PageLayout::new(t!("cancel-title"))
        .who(&user)
        .guest(content))
}

fn consequence(
    stay: &GuestStay,
    folio: Option<&Folio>,
    draft: FormDraft,
    token: String,
) -> AnyView {
    let number = stay.booking_number.clone();
    let price = folio.and_then(|folio| Some((folio.balance?, folio.currency)));
    let price = price.map(|(balance, currency)| {
        let price = labels::money(balance, currency);
        view! { <li>{t!("cancel-price", price = price)}</li> }
    });
    let paid = folio.is_some_and(|folio| folio.paid() > Cents(0));
    let paid = paid.then(|| view! { <li>{t!("cancel-paid")}</li> });
    let about = [
        (t!("booking"), number.to_string()),
        (t!("stay"), stay.days()),
        (
            t!("room"),
            format!("{}, {}", stay.room(), stay.description()),
        ),
    ];
    view! {
        <ErrorSummary draft=draft />
        <h1>{t!("cancel-question")}</h1>
        {facts("answers", about)}
        <section class="card means" aria-labelledby="means">
            <h2 id="means">{t!("cancel-means")}</h2>
            <ul>
                {price}
                {paid}
                <li>{t!("cancel-available")}</li>
                <li>{t!("cancel-final")}</li>
            </ul>
        </section>
        <form method="post" action="/form/cancel_booking">
            {hidden([("booking_number", number.to_string()), (TOKEN, token)])}
            <p class="actions stacked">
                <button class="danger wide">{t!("cancel-button", number = number.as_str())}</button>
                <a href="/guest/bookings">{t!("cancel-keep")}</a>
            </p>
        </form>
    }
    .into_any()
}

fn not_now(stay: &GuestStay) -> AnyView {
    let why = if stay.booking_status == BookingStatus::CheckedIn {
        t!("cancel-checked-in")
    } else if !stay.booking_status.is_over() {
        t!("booking-unclear")
    } else {
        t!("cancel-ended")
    };
    view! {
        <h1>{t!("cancel-not-possible")}</h1>
        <p class="lead">{why}</p>
        <p class="actions">
            <a class="button" href="/guest/bookings">{t!("see-bookings")}</a>
        </p>
    }
    .into_any()
}

/// Starts the cancellation and leads to its page at once.
pub async fn cancel_booking(form: FormSubmission) -> FormResult {
    let booking_number = form.raw("booking_number");
    let back = act_page(booking_number, "cancel");
    let user = form.sender(Persona::Guest, &back).await?;
    ToolForm::new::<ManageBookings>(FORM, back, t!("cancel-failed"))
        .input(json!({ "booking_number": booking_number, "action": "cancel" }))
        .send(&form, &user)
        .await
}
