//! Sets a room's status, along the allowed transitions.

use dewy_domain::{
    caller::Persona, tool_catalog::SetRoomStatus, tool_output::RoomResult, vocabulary::RoomStatus,
};
use leptos::{prelude::*, server_fn::ServerFn};
use serde_json::json;

use super::{FORM, PAGE};
use crate::{
    flash::{Flash, Undo},
    form_draft::FormDraft,
    form_submission,
    idempotency_token::TokenGenerator,
    page_context::safe_return_path,
    page_url,
    pages::{
        sign_in::home,
        staff::board::{ChangedRecord, QuickAction, crew_role},
    },
    tool_form::TOKEN,
};

/// Allowed next statuses, with the labels of their buttons, the usual one first.
pub fn moves(status: &RoomStatus) -> Vec<(RoomStatus, &'static str)> {
    use RoomStatus::{Cleaning, Maintenance, Occupied, OutOfService, Vacant};
    let label = |to: &RoomStatus| match (status, to) {
        (Maintenance, Vacant) => "Repaired, ready",
        (OutOfService, Vacant) => "Back in service",
        (_, Vacant) => "Clean, ready",
        (_, Cleaning) => "Needs cleaning",
        (_, Maintenance) => "Needs repair",
        (_, OutOfService) => "Take out of service",
        (_, Occupied | RoomStatus::Other(_)) => "",
    };
    let next = status.next().iter();
    next.map(|to| (to.clone(), label(to))).collect()
}

/// Button as a form of its own.
pub fn set_button(
    number: &str,
    seen: &RoomStatus,
    (status, words): (RoomStatus, &'static str),
    class: &'static str,
    back: &str,
    token_generator: &TokenGenerator,
) -> AnyView {
    let id = format!(
        "set-{number}-{}",
        status.as_str().to_lowercase().replace(' ', "-")
    );
    view! {
        <form class="tap" method="post" action=SetRoom::PATH>
            <input type="hidden" name="room_number" value=number.to_owned() />
            <input type="hidden" name="status" value=status.to_string() />
            <input type="hidden" name="seen" value=seen.to_string() />
            <input type="hidden" name="back" value=back.to_owned() />
            <input type="hidden" name=TOKEN value=token_generator.token() />
            <button class=class id=id aria-label=format!("{words}: room {number}")>{words}</button>
        </form>
    }
    .into_any()
}

/// Sets the status, and reports a conflict.
#[server(prefix = "/form", endpoint = "set_room")]
pub async fn set_room(
    #[server(default)] room_number: String,
    #[server(default)] status: String,
    #[server(default)] seen: String,
    #[server(default)] back: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let back = safe_return_path(Persona::Staff, &back).unwrap_or(PAGE);
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, back).await? else {
        return Ok(());
    };
    // The crew's own page offers to take it back; elsewhere the message does
    let crew = back == home(Persona::Staff) && crew_role(&user).is_some();
    let then = if crew && seen != status {
        page_url::with_query(back, [("done", room_number.as_str()), ("was", &seen)])
    } else {
        String::new()
    };
    let was = RoomStatus::from(seen.as_str());
    let now = RoomStatus::from(status.as_str());
    let undo = (!crew && moves(&now).iter().any(|(to, _)| *to == was)).then(|| Undo {
        action: SetRoom::PATH.to_owned(),
        label: format!("Undo: room {room_number}"),
        fields: [
            ("room_number", room_number.clone()),
            ("status", seen.clone()),
            ("seen", status.clone()),
            ("back", back.to_owned()),
            (TOKEN, ctx.token_generator.token()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec(),
    });
    let mut input = json!({ "room_number": room_number, "status": status });
    if !seen.is_empty() {
        input["shown"] = json!({ "status": seen });
    }
    let tap = QuickAction {
        tool: SetRoomStatus::NAME,
        input,
        form: FORM,
        back: back.to_owned(),
        then,
        failure_title: format!("Room {room_number} was not changed"),
        draft: FormDraft::default(),
        token: idempotency_token,
        record: Some(ChangedRecord::Room(room_number.clone())),
    };
    tap.send(&ctx, &user, move |result: RoomResult| {
        let flash = Flash::new(match result.room_status {
            RoomStatus::Vacant => format!("Room {room_number} is ready."),
            status => format!("Room {room_number} is {status} now."),
        });
        match undo {
            Some(undo) => flash.undo(undo),
            None => flash,
        }
    })
    .await
}
