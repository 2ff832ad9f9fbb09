//! Check-out at the front desk: one click where nothing is to pay, otherwise from the page that
//! shows the folio.

use dewy_domain::tool_catalog::ProcessGuestCheckout;

use super::FORM;
use crate::pages::{
    prelude::*,
    staff::board::{DECLINED_CARDS, QuickAction, guest_of},
};

/// Button for a guest with nothing to pay. The tool compares the amount: if something was charged
/// in the meantime, the page with the folio says so.
pub fn settled_button(
    number: &str,
    name: &str,
    id: String,
    token_generator: &TokenGenerator,
) -> AnyView {
    let fields = [
        ("booking_number", number.to_owned()),
        ("amount", "0".to_owned()),
        (TOKEN, token_generator.token()),
    ];
    let label = format!("Check out: {name}");
    let button = view! { <button class="row-act" id=id aria-label=label>"Check out"</button> };
    tap("/form/desk_check_out", fields, button)
}

/// Runs the check-out and leads to the today board; a longer operation is followed on the stay's page.
pub async fn desk_check_out(form: FormSubmission) -> FormResult {
    let booking_number = form.raw("booking_number");
    let back = format!("{}/check-out", page_url::stay(booking_number));
    let user = form.sender(Persona::Staff, &back).await?;
    let mut input = form.input(&["payment_method_id"]);
    input["booking_number"] = json!(booking_number);
    input["amount"] = form.number("amount");
    if form.raw("leave_open") == "true" {
        input["leave_open"] = json!(true);
    }
    let guest = guest_of(&form.ctx, &user, booking_number).await;
    QuickAction::<ProcessGuestCheckout>::new(FORM, back, format!("{guest} was not checked out"))
        .input(input)
        .then(page_url::TODAY)
        .meanwhile(page_url::stay(booking_number))
        .draft(form.draft(&["payment_method_id", DECLINED_CARDS]))
        .send(&form, &user, move |result| {
            if let Some((sum, currency)) = result.charged() {
                let sum = labels::money(sum, currency);
                return format!("{guest} is checked out and paid {sum}.");
            }
            match result.left_open.zip(result.currency) {
                Some((open, currency)) => {
                    let open = labels::balance_sentence(open, currency);
                    format!("{guest} is checked out. {open}: see Needs attention.")
                }
                None => format!("{guest} is checked out."),
            }
        })
        .await
}
