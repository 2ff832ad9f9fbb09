//! Sets a room's status, along the allowed transitions.

use dewy_domain::tool_catalog::SetRoomStatus;

use super::{FORM, PAGE};
use crate::{
    flash::Undo,
    pages::{
        prelude::*,
        sign_in::home,
        staff::board::{ChangedRecord, QuickAction, crew_role},
    },
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
    let fields = [
        ("room_number", number.to_owned()),
        ("status", status.to_string()),
        ("seen", seen.to_string()),
        ("back", back.to_owned()),
        (TOKEN, token_generator.token()),
    ];
    let label = format!("{words}: room {number}");
    let button = view! { <button class=class id=id aria-label=label>{words}</button> };
    tap("/form/set_room", fields, button)
}

/// Sets the status, and reports a conflict.
pub async fn set_room(form: FormSubmission) -> FormResult {
    let ctx = &form.ctx;
    let back = form.back(Persona::Staff, PAGE);
    let user = form.sender(Persona::Staff, back).await?;
    let room_number = form.raw("room_number").to_owned();
    let (status, seen) = (form.raw("status"), form.raw("seen"));
    // The crew's own page offers to take it back; elsewhere the message does
    let crew = back == home(Persona::Staff) && crew_role(&user).is_some();
    let then = if crew && seen != status {
        page_url::with_query(back, [("done", room_number.as_str()), ("was", seen)])
    } else {
        String::new()
    };
    let was = RoomStatus::from(seen);
    let now = RoomStatus::from(status);
    let undo = (!crew && moves(&now).iter().any(|(to, _)| *to == was)).then(|| Undo {
        action: "/form/set_room".to_owned(),
        label: format!("Undo: room {room_number}"),
        fields: [
            ("room_number", room_number.as_str()),
            ("status", seen),
            ("seen", status),
            ("back", back),
            (TOKEN, &ctx.token_generator.token()),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec(),
    });
    let mut input = json!({ "room_number": room_number, "status": status });
    if !seen.is_empty() {
        input["shown"] = json!({ "status": seen });
    }
    QuickAction::<SetRoomStatus>::new(FORM, back, format!("Room {room_number} was not changed"))
        .input(input)
        .then(then)
        .record(ChangedRecord::Room(room_number.clone()))
        .send(&form, &user, move |result| {
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
