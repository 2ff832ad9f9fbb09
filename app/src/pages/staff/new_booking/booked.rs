//! The end of every booking at the desk: the stay that was booked, or the form with a question.

use std::time::Duration;

use dewy_domain::{
    tool_answer::{FinalAnswer, ToolAnswer},
    tool_output::BookingResult,
};

use super::asked_again::asks_again;
use crate::{
    flash::Undo,
    pages::{
        prelude::*,
        staff::board::{Notice, STILL_WORKING, guest_of},
    },
    tool_form::execution_page,
};

/// How long the form waits for the end.
const MAX_WAIT: Duration = Duration::from_secs(6);

/// First and last name in a booking's input; empty where a booking of the guest names them.
pub fn name_in(input: &Value) -> String {
    let name = ["guest_first_name", "guest_last_name"].map(|name| input[name].as_str());
    name.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Books for the guest of this name, and leads to the stay; while that takes longer, to the day's
/// board.
pub async fn book_and_land(
    mut call: ToolForm,
    name: String,
    form: &FormSubmission,
    user: &SignedIn,
) -> FormResult {
    let answer = call.start_and_wait(form, user, MAX_WAIT).await;
    if let Some(refused) = asks_again(&answer, &call.draft) {
        // With the fields that answer the question
        call.draft = refused.clone();
        return call.again(refused, form).await;
    }
    let ctx = &form.ctx;
    match answer {
        ToolAnswer::Pending { execution_id, .. } => {
            let about = match name.is_empty() {
                true => "The booking".to_owned(),
                false => format!("The booking for {name}"),
            };
            let words = format!("{about}: {STILL_WORKING}");
            Notice::put(ctx, Flash::new(words), Some(execution_id)).await;
            Ok(page_url::TODAY.to_owned())
        }
        ToolAnswer::Settled {
            settled: FinalAnswer::Done { ref data, .. },
            ref execution_id,
            ..
        } => {
            let Ok(booking) = serde_json::from_value::<BookingResult>(data.clone()) else {
                return call.finish(answer, form, user).await;
            };
            ctx.board.acted().await;
            // The board reaches a few weeks ahead, and may not have the booking yet
            let guest = match name.is_empty() {
                true => guest_of(ctx, user, &booking.booking_number).await,
                false => name,
            };
            let to = page_url::stay(&booking.booking_number);
            let flash = told(&booking, &guest, &to, ctx.token_generator.token());
            Notice::put(ctx, flash, execution_id.clone()).await;
            Ok(to)
        }
        // What was tried is told on the form, with the way to its record
        ToolAnswer::Settled {
            settled: FinalAnswer::Failed { code, ref details },
            execution_id: Some(id),
            ..
        } => {
            let title = match code {
                ErrorCode::NeedsAttention => "This booking needs attention",
                _ => &call.failure_title,
            };
            let draft = call.draft.clone();
            let told = ToolForm::refusal(title, code, details, Persona::Staff, draft);
            let record = (
                execution_page(Persona::Staff, &id),
                "See the record".to_owned(),
            );
            let follow = told.follow.clone().or(Some(record));
            call.again(FormDraft { follow, ..told }, form).await
        }
        answer => call.finish(answer, form, user).await,
    }
}

fn told(booking: &BookingResult, guest: &str, stay: &str, token: String) -> Flash {
    let room = booking.room_number.as_deref().unwrap_or_default();
    let number = &booking.booking_number;
    let note = booking.note.iter().map(|note| format!(" {note}"));
    let note = note.collect::<String>();
    if booking.booking_status != BookingStatus::CheckedIn {
        return Flash::new(format!(
            "Room {room} is booked for {guest}: {number}.{note}"
        ));
    }
    let undo = Undo {
        action: "/form/undo_check_in".to_owned(),
        label: format!("Undo the check-in of {guest}"),
        fields: vec![
            ("booking_number".to_owned(), number.to_string()),
            ("back".to_owned(), stay.to_owned()),
            (TOKEN.to_owned(), token),
        ],
    };
    Flash::new(format!("{guest} is checked in. The room is {room}.{note}")).undo(undo)
}
