//! Changes dates, number of guests or special requests; sends only what differs. The tape chart leads
//! here with the new last night.

use dewy_domain::tool_catalog::{ManageBookings, NO_REQUESTS};

use super::{
    FORM,
    find_booking::FoundBooking,
    room_availability::{free, latest_departure, obstacle},
};
use crate::pages::{
    prelude::*,
    staff::board::{ChangedRecord, QuickAction},
};

const FIELDS: [&str; 4] = [
    "check_in_date",
    "check_out_date",
    "number_of_guests",
    "special_requests",
];

/// Departure after this last night, and its effect.
fn resized(found: &FoundBooking, last_night: &str) -> Option<(Date, AnyView)> {
    let (from, before) = found
        .booking
        .check_in_date
        .zip(found.booking.check_out_date)?;
    let to = last_night.parse::<Date>().ok()?.tomorrow().ok()?;
    if to <= from || to == before {
        let words = "A stay has one night at least, and this one ends on that day already.";
        return Some((before, view! { <p class="notice">{words}</p> }.into_any()));
    }
    let number = found.booking.booking_number.clone();
    let room = found.room_number().to_owned();
    let begins = from.max(found.snapshot.today);
    let nights = Nights { from: begins, to };
    let locale = locale();
    let message = match obstacle(found, &room, nights).filter(|_| to > before) {
        None => {
            let count = |to: Date| labels::nights((to - from).get_days().into());
            let text = format!(
                "The guest leaves on {} instead of {}: {} instead of {}, at the booked rate. Nothing is changed before you say so.",
                locale.short_day(to),
                locale.short_day(before),
                count(to),
                count(before)
            );
            view! { <p>{text}</p> }.into_any()
        }
        Some(why) => {
            let until =
                latest_departure(found, nights).filter(|day| *day > begins && *day != before);
            let until = until.and_then(|day| {
                let page = format!("{}/change", page_url::stay(&number));
                let href = page_url::with_query(&page, [("last_night", day.yesterday().ok()?.to_string().as_str())]);
                Some(view! { <p><a href=href>"Stay until " {locale.short_day(day)}</a>", when it is free."</p> })
            });
            let rooms = format!("{}/move", page_url::stay(&number));
            view! {
                <p class="block">{why}</p>
                {until}
                <p>{free(found, nights)} " "<a href=rooms>"Move to another room"</a>" first, then change the departure."</p>
            }
            .into_any()
        }
    };
    let card = view! {
        <section class="card will" aria-labelledby="will">
            <h2 id="will">{format!("Until {}", locale.short_day(to))}</h2>
            {message}
        </section>
    };
    Some((to, card.into_any()))
}

/// Form with the current values; with a last night, its departure and effect.
pub fn form(
    found: &FoundBooking,
    draft: &FormDraft,
    token: String,
    last_night: Option<&str>,
) -> AnyView {
    if !found.is_open() {
        return found.too_late();
    }
    let booking = &found.booking;
    let there = [
        booking
            .check_in_date
            .map(|day| day.to_string())
            .unwrap_or_default(),
        booking
            .check_out_date
            .map(|day| day.to_string())
            .unwrap_or_default(),
        booking
            .number_of_guests
            .map(|n| n.to_string())
            .unwrap_or_default(),
        booking.special_requests.clone().unwrap_or_default(),
    ];
    let resized = last_night.and_then(|night| resized(found, night));
    let (departure, effect) = resized.unzip();
    let value = |n: usize| {
        let name = FIELDS.get(n).copied().unwrap_or_default();
        draft
            .fields
            .get(name)
            .cloned()
            .or_else(|| departure.filter(|_| n == 1).map(|day| day.to_string()))
            .or_else(|| there.get(n).cloned())
            .unwrap_or_default()
    };
    let seen = FIELDS.iter().zip(&there).map(|(name, value)| {
        view! { <input type="hidden" name=format!("seen_{name}") value=value.clone() /> }
    });
    let reserved = booking.booking_status == BookingStatus::Reserved;
    let arrival = if reserved {
        view! { <Field name="check_in_date" label="Arrival" kind="date" value=value(0) problem=draft.problem("check_in_date") /> }
            .into_any()
    } else {
        view! { <input type="hidden" name="check_in_date" value=there.first().cloned().unwrap_or_default() /> }
            .into_any()
    };
    view! {
        {effect}
        <p class="lead">"New dates are charged at the booked rate. If the room isn’t available, nothing is changed."</p>
        <form method="post" action="/form/change_stay">
            {arrival}
            <Field name="check_out_date" label="Departure" kind="date" value=value(1) problem=draft.problem("check_out_date") />
            <Field name="number_of_guests" label="People" kind="number" value=value(2) problem=draft.problem("number_of_guests") />
            <Field name="special_requests" label="Asks for" kind="lines" optional=true value=value(3) problem=draft.problem("special_requests") />
            {seen.collect_view()}
            {hidden([("booking_number", booking.booking_number.to_string()), (TOKEN, token)])}
            <p class="actions">
                <button>"Change the booking"</button>
                <a href=page_url::stay(&booking.booking_number)>"Cancel"</a>
            </p>
        </form>
    }
    .into_any()
}

pub async fn change_stay(form: FormSubmission) -> FormResult {
    let booking_number = form.raw("booking_number").to_owned();
    let stay = page_url::stay(&booking_number);
    let back = format!("{stay}/change");
    let user = form.sender(Persona::Staff, &back).await?;
    let mut input = json!({ "booking_number": booking_number });
    let draft = form.draft(&FIELDS);
    for name in FIELDS {
        let (now, seen) = (form.get(name), form.raw(&format!("seen_{name}")));
        let emptied = now.is_empty() && name == "special_requests";
        if now != seen.trim() && (emptied || !now.is_empty()) {
            input[name] = json!(if emptied { NO_REQUESTS } else { now });
            input["shown"][name] = json!(seen);
        }
    }
    if input.as_object().is_some_and(|fields| fields.len() < 2) {
        let draft = FormDraft::failed("Nothing is different")
            .with_message("Make a change, or go back to the stay.")
            .with_fields_of(draft);
        return form.again(draft, FORM, &back).await;
    }
    QuickAction::<ManageBookings>::new(FORM, back, "The booking was not changed")
        .input(input)
        .then(stay)
        .draft(draft)
        .record(ChangedRecord::Booking(booking_number.clone()))
        .send(&form, &user, move |_| {
            format!("{booking_number} is changed.")
        })
        .await
}
