//! Grants a guest's late check-out with one click, free or for half a night.
//!
//! Grant and fee are one durable execution: a second click never posts the fee twice. The stay, the
//! boards, and housekeeping show the changed case.

use dewy_domain::{
    tool_catalog::{ManageCases, RequestLateCheckout},
    tool_output::CaseListItem,
    vocabulary::CaseStatus,
};

use super::{FORM, PAGE};
use crate::pages::{
    prelude::*,
    staff::board::{ChangedRecord, QuickAction},
};

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

/// Grants, with the fee if there is one, as one act.
pub async fn grant_late(form: FormSubmission) -> FormResult {
    let number = form.raw("case_number").to_owned();
    let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty();
    let back = match plain {
        true => format!("{PAGE}/{number}"),
        false => PAGE.to_owned(),
    };
    let user = form.sender(Persona::Staff, &back).await?;
    let input = json!({
        "case_number": number, "status": CaseStatus::InProgress, "late_checkout_fee": form.number("fee"),
        "shown": { "status": form.raw("seen") },
    });
    let title = "The late check-out was not granted, and nothing was posted";
    let snapshot = form.ctx.board.snapshot(&user.caller).await.ok();
    let currency = snapshot.map_or(Currency::USD, |snapshot| snapshot.currency);
    let price = match form.raw("fee").parse() {
        Ok(0) | Err(_) => "free of charge".to_owned(),
        Ok(fee) => format!("for {}", labels::money(Cents(fee), currency)),
    };
    QuickAction::<ManageCases>::new(FORM, &*back, title)
        .input(input)
        .record(ChangedRecord::Case(number))
        .send(&form, &user, move |case| {
            let time = RequestLateCheckout::read(&case.subject).map(|(_, time, _)| time);
            format!(
                "Late check-out at {} is granted, {price}.",
                time.unwrap_or_default()
            )
        })
        .await
}
