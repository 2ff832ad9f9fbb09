//! Grants a guest's late check-out with one click, free or for half a night.
//!
//! The fee is posted first, under a token of the case, so that a second click never posts it twice;
//! the grant itself is a change of the case, which the stay, the boards, and housekeeping show.

use std::time::Duration;

use dewy_domain::{
    tool::ToolCall,
    tool_answer::{FinalAnswer, ToolAnswer},
    tool_catalog::{ManageCases, PostCharge, RequestLateCheckout},
    tool_input::ToolInput,
    tool_output::CaseListItem,
    vocabulary::CaseStatus,
};

use super::{FORM, PAGE, find};
use crate::pages::{
    prelude::*,
    staff::board::{ChangedRecord, Notice, QuickAction},
};

/// How long the form waits for the fee.
const MAX_WAIT: Duration = Duration::from_secs(6);

/// Buttons, for a request that is open and that somebody who handles money looks at.
pub fn grant_buttons(
    case: &CaseListItem,
    snapshot: &HotelSnapshot,
    user: &SignedIn,
    token_generator: &TokenGenerator,
) -> Option<AnyView> {
    let (_, time, granted) = RequestLateCheckout::read(&case.subject)?;
    if granted || case.is_closed() || !user.caller.is_front_desk() {
        return None;
    }
    let button = |fee: Cents, words: String, class: &'static str| {
        let fields = [
            ("case_number", case.case_number.clone()),
            ("fee", fee.0.to_string()),
            ("seen", case.case_status.to_string()),
            (TOKEN, token_generator.token()),
        ];
        tap(
            "/form/grant_late",
            fields,
            view! { <button class=class>{words}</button> },
        )
    };
    let fee = fee(case, snapshot).map(|fee| {
        let sum = labels::money(fee, snapshot.currency);
        button(fee, format!("Grant {time} for {sum}, half a night"), "")
    });
    Some(
        view! {
            <div class="taps" role="group" aria-label="Decide">
                {button(Cents(0), format!("Grant {time} free of charge"), "")}
                {fee}
            </div>
        }
        .into_any(),
    )
}

/// Half a night of the room that the guest is in.
fn fee(case: &CaseListItem, snapshot: &HotelSnapshot) -> Option<Cents> {
    let booking = case.booking_number.as_ref()?;
    let mut stays = snapshot.bookings.iter();
    let stay = stays.find(|stay| stay.booking_number == *booking)?;
    let number = stay.room_number.as_deref()?;
    let mut rooms = snapshot.numbered_rooms();
    let room = rooms.find(|facts| *facts.room.number == *number)?;
    let in_house = stay.booking_status == BookingStatus::CheckedIn;
    (in_house && room.rate.0 > 1).then_some(Cents(room.rate.0 / 2))
}

/// Posts the fee, if any, and grants.
pub async fn grant_late(form: FormSubmission) -> FormResult {
    let number = form.raw("case_number").to_owned();
    let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty();
    let back = match plain {
        true => format!("{PAGE}/{number}"),
        false => PAGE.to_owned(),
    };
    let user = form.sender(Persona::Staff, &back).await?;
    let case = find(&form.ctx, &user, &number, &back).await;
    let case = case.map_err(|_| back.clone())?;
    let Some((day, time, granted)) = RequestLateCheckout::read(&case.subject) else {
        return Ok(back);
    };
    if !user.caller.is_front_desk() {
        return Ok(back);
    }
    if granted {
        let words =
            format!("Late check-out at {time} was granted already, nothing was posted now.");
        Notice::put(&form.ctx, Flash::new(&words), None).await;
        return Ok(back);
    }
    let free = form.raw("fee") == "0";
    let snapshot = form.ctx.board.snapshot(&user.caller).await.ok();
    let fee = snapshot.and_then(|snapshot| fee(&case, &snapshot));
    let fee = fee.filter(|fee| form.raw("fee") == fee.0.to_string());
    if !free && fee.is_none() {
        let draft = FormDraft::failed("Nothing was granted: that is not the fee now")
            .with_message("Press the button with the present fee, or the one without.");
        return form.again(draft, FORM, &back).await;
    }
    let fee = fee.unwrap_or_default();
    let mut price = "free of charge".to_owned();
    if fee.0 > 0
        && let Some(booking) = &case.booking_number
    {
        let input = json!({
            "booking_number": booking, "amount": fee.0,
            "description": format!("Late check-out at {time}"),
        });
        let call = ToolCall {
            tool: PostCharge::NAME.to_owned(),
            input,
            idempotency_token: Some(format!("late-checkout-{number}-{}", fee.0)),
            wait: Some(MAX_WAIT),
        };
        match form.ctx.dispatcher.dispatch(&user.caller, call).await {
            ToolAnswer::Settled {
                settled: FinalAnswer::Done { data, .. },
                ..
            } => {
                let posted = serde_json::from_value::<<PostCharge as ToolInput>::Output>(data);
                if let Ok(posted) = posted {
                    price = format!("for {}", labels::money(posted.amount, posted.currency));
                }
            }
            ToolAnswer::Settled {
                settled: FinalAnswer::Failed { code, details },
                ..
            } => {
                const TITLE: &str = "Nothing was granted: the fee could not be posted";
                let draft = FormDraft::default();
                let draft = ToolForm::refusal(TITLE, code, &details, Persona::Staff, draft);
                return form.again(draft, FORM, &back).await;
            }
            _ => {
                let words = "Nothing is granted yet: the fee is still being posted";
                let draft = FormDraft::failed(words)
                    .with_message("Press the same button again in a moment. It is posted once.");
                return form.again(draft, FORM, &back).await;
            }
        }
    }
    let input = json!({
        "case_number": number, "status": CaseStatus::InProgress, "assignee": user.caller.email,
        "subject": RequestLateCheckout::granted(day, time).to_string(),
        "comment": format!("Granted until {time}, {price}."),
        "shown": { "status": form.raw("seen") },
    });
    let told = format!("Late check-out at {time} is granted, {price}.");
    QuickAction::<ManageCases>::new(FORM, &*back, format!("Case {number} was not changed"))
        .input(input)
        .record(ChangedRecord::Case(number.clone()))
        .send(&form, &user, move |_| told)
        .await
}
