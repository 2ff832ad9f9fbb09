//! One-click check-in at the front desk.

use dewy_domain::caller::Persona;
use leptos::{prelude::*, server_fn::ServerFn};
use serde_json::json;

use super::{FORM, PAGE};
use crate::{
    form,
    form_draft::FormDraft,
    page_context::{safe_way_back, sign_in_url},
    staff::board::{QuickAction, guest_of},
};

/// Path of the form, for other pages that check in.
pub fn desk_check_in_path() -> &'static str {
    DeskCheckIn::PATH
}

/// Checks in, and redirects to the board with the room number.
#[server(prefix = "/form", endpoint = "desk_check_in")]
pub async fn desk_check_in(
    #[server(default)] booking_number: String,
    #[server(default)] guest_email: String,
    #[server(default)] back: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let ctx = form::ctx()?;
    let back = safe_way_back(Persona::Staff, &back)
        .unwrap_or(PAGE)
        .to_owned();
    let Ok(who) = ctx.require_persona(Persona::Staff, &back).await else {
        return form::go(&sign_in_url(Persona::Staff, &back));
    };
    let guest = guest_of(&ctx, &who, &booking_number).await;
    let tap = QuickAction {
        tool: "check_in_guest",
        input: json!({ "guest_email": guest_email, "booking_number": booking_number }),
        form: FORM,
        back,
        then: String::new(),
        failure_title: format!("{guest} was not checked in"),
        draft: FormDraft::default(),
        token: idempotency_token,
        record: None,
    };
    tap.send(&ctx, &who, move |data| {
        let room = data
            .get("room_number")
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default();
        format!("{guest} is checked in. The room is {room}.")
    })
    .await
}
