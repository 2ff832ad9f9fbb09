//! Check-out at the front desk: one click where nothing is to pay, otherwise from the page that
//! shows the folio.

use dewy_domain::{
    caller::Persona, tool_catalog::ProcessGuestCheckout, tool_output::CheckOutResult,
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{FORM, PAGE};
use crate::{
    form_draft::FormDraft,
    form_submission,
    idempotency_token::TokenGenerator,
    labels, page_url,
    pages::staff::board::{DECLINED_CARDS, QuickAction, guest_of},
    tool_form::{TOKEN, form_input},
};

/// Path of the form, for the page that shows the folio.
pub fn desk_check_out_path() -> &'static str {
    DeskCheckOut::PATH
}

/// Button for a guest with nothing to pay. The tool compares the amount: if something was charged
/// in the meantime, the page with the folio says so.
pub fn settled_button(
    number: &str,
    name: &str,
    id: String,
    token_generator: &TokenGenerator,
) -> AnyView {
    view! {
        <form class="tap" method="post" action=DeskCheckOut::PATH>
            <input type="hidden" name="booking_number" value=number.to_owned() />
            <input type="hidden" name="amount" value="0" />
            <input type="hidden" name=TOKEN value=token_generator.token() />
            <button class="row-act" id=id aria-label=format!("Check out: {name}")>"Check out"</button>
        </form>
    }
    .into_any()
}

/// Runs the check-out and redirects to the today board; a longer operation is followed on its own
/// page.
#[server(prefix = "/form", endpoint = "desk_check_out")]
pub async fn desk_check_out(
    #[server(default)] booking_number: String,
    #[server(default)] amount: String,
    #[server(default)] payment_method_id: String,
    #[server(default)] leave_open: String,
    #[server(default)] declined_cards: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let back = format!("{}/check-out", page_url::stay(&booking_number));
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, &back).await? else {
        return Ok(());
    };
    let draft = FormDraft::default()
        .field("payment_method_id", payment_method_id.clone())
        .field(DECLINED_CARDS, declined_cards);
    let guest = guest_of(&ctx, &user, &booking_number).await;
    let tap = QuickAction {
        tool: ProcessGuestCheckout::NAME,
        input: form_input([
            ("booking_number", &*booking_number),
            ("amount", &amount),
            ("payment_method_id", &payment_method_id),
            ("leave_open", if leave_open == "true" { "true" } else { "" }),
        ]),
        form: FORM,
        back,
        then: PAGE.to_owned(),
        failure_title: format!("{guest} was not checked out"),
        draft,
        token: idempotency_token,
        record: None,
    };
    tap.send(&ctx, &user, move |result: CheckOutResult| {
        match result.charged() {
            Some((sum, currency)) => {
                let sum = labels::money(sum, currency);
                format!("{guest} is checked out and paid {sum}.")
            }
            None => match result.left_open.zip(result.currency) {
                Some((open, currency)) => {
                    let open = labels::balance_sentence(open, currency);
                    format!("{guest} is checked out. {open}: see Needs attention.")
                }
                None => format!("{guest} is checked out."),
            },
        }
    })
    .await
}
