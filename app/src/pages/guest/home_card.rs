//! Main panel of the home page: the stay, its state, and one big button.

use dewy_domain::{
    execution_view::GuestActivity, stay_overview::StayBalance, tool_output::CheckOutResult,
};

use super::{check_out_progress, guest_stay::GuestStay, next_action::NextAction};
use crate::{
    components::choices,
    dates::short_day,
    pages::{prelude::*, public::room_picture},
};

/// Panel for the next action; checked-in guests have a balance.
pub fn card(
    next: &NextAction,
    balance: Option<StayBalance>,
    activities: &[GuestActivity],
) -> AnyView {
    match next {
        NextAction::ChooseStay(stays) => choose_stay(stays),
        NextAction::DueOut(stay) | NextAction::CheckedIn(stay)
            if check_out_progress::of(activities, &stay.booking_number).is_some() =>
        {
            let going = check_out_progress::of(activities, &stay.booking_number)
                .map(check_out_progress::progress_panel);
            stay_card(stay.room(), Some(stay), going.into_any())
        }
        NextAction::DueOut(stay) => checked_in_card(stay, balance, true),
        NextAction::CheckedIn(stay) => checked_in_card(stay, balance, false),
        NextAction::ArrivingToday(stay) => arrival_card(stay),
        NextAction::Upcoming(stay, days) => upcoming_card(stay, *days),
        NextAction::CheckedOut(stay, activity, ahead) => {
            checked_out_card(stay.as_deref(), activity, ahead.as_deref())
        }
        NextAction::NoBooking => no_booking_card(),
    }
}

/// Panel with stay, message and actions.
fn stay_card(title: String, stay: Option<&GuestStay>, content: AnyView) -> AnyView {
    let picture = stay
        .and_then(|stay| stay.room_type.as_deref())
        .map(|kind| room_picture(kind, false));
    let dates = stay.map(|stay| view! { <p class="dates">{stay.days()}</p> });
    let about = stay.map(|stay| {
        let what = [nights(stay.nights()), stay.description()]
            .into_iter()
            .filter(|what| !what.is_empty());
        let what = what.collect::<Vec<_>>().join(labels::DOT);
        view! { <p class="aside">{t!("booking-number", number = stay.booking_number.as_str())} {labels::DOT} {what}</p> }
    });
    view! {
        <section class="card stay" aria-labelledby="stay">
            {picture}
            <h2 id="stay">{title}</h2>
            {dates}
            {content}
            {about}
        </section>
    }
    .into_any()
}

fn checked_in_card(stay: &GuestStay, balance: Option<StayBalance>, leaving: bool) -> AnyView {
    let (bill, check_out) = (
        page_url::with_booking("/guest/folio", &stay.booking_number),
        page_url::with_booking("/guest/check-out", &stay.booking_number),
    );
    let balance = balance.map_or_else(
        || view! { <p>{t!("card-ask-bill")}</p> }.into_any(),
        |known| balance_line(known.balance, known.currency),
    );
    let content = if leaving {
        let today = hotel_time::hotel_day();
        let words = match stay.check_out_date.zip(today) {
            Some((day, today)) if today.since(day) > 0 => {
                t!("card-overdue", day = short_day(&day.to_string()))
            }
            _ => t!("card-leave-today").to_owned(),
        };
        view! {
            <p>{words}</p>
            {balance}
            <p class="actions stacked">
                <a class="button wide" href=check_out>{t!("check-out")}</a>
                <a href=bill>{t!("card-bill-first")}</a>
            </p>
        }
        .into_any()
    } else {
        view! {
            <p>{t!("check-in-done")} ". " {t!("card-nothing-to-do")}</p>
            {balance}
            <p class="actions stacked">
                <a class="button wide" href=bill>{t!("see-bill")}</a>
                <a href=check_out>{t!("card-early")}</a>
            </p>
        }
        .into_any()
    };
    stay_card(stay.room(), Some(stay), content)
}

fn balance_line(balance: Cents, currency: Currency) -> AnyView {
    let (label, balance) = labels::balance(balance, currency);
    view! { <p class="balance"><span>{label}</span> <strong>{balance}</strong></p> }.into_any()
}

fn arrival_card(stay: &GuestStay) -> AnyView {
    let href = page_url::with_booking("/guest/check-in", &stay.booking_number);
    let waits = stay.room_ready == Some(false);
    let button = if waits {
        "button quiet wide"
    } else {
        "button wide"
    };
    let content = if waits {
        view! {
            <p class="standing"><StatusBadge state="waiting" word=t!("card-preparing") /></p>
            <p>{t!("card-not-ready")}</p>
        }
        .into_any()
    } else {
        view! {
            <p class="standing"><StatusBadge state="completed" word=t!("card-ready") /></p>
        }
        .into_any()
    };
    let content = view! {
        {content}
        <p class="actions stacked">
            <a class=button href=href>{t!("check-in")}</a>
        </p>
    };
    stay_card(t!("card-today").to_owned(), Some(stay), content.into_any())
}

fn upcoming_card(stay: &GuestStay, days: i32) -> AnyView {
    let title = if days == 1 {
        t!("card-tomorrow").to_owned()
    } else {
        t!("card-in-days", count = days)
    };
    let href = page_url::booking(&stay.booking_number, "change");
    let content = view! {
        <p>{t!("card-look-forward")}</p>
        <p class="actions stacked">
            <a class="button quiet wide" href=href>{t!("card-change")}</a>
        </p>
    };
    stay_card(title, Some(stay), content.into_any())
}

fn checked_out_card(
    stay: Option<&GuestStay>,
    activity: &GuestActivity,
    ahead: Option<&GuestStay>,
) -> AnyView {
    let ahead = ahead.map(|stay| {
        let href = page_url::with_booking("/guest", &stay.booking_number);
        view! { <p><a href=href>{t!("card-next-stay", days = stay.days())}</a></p> }
    });
    let content = if activity.state.is_open() {
        let result = activity.body().result::<CheckOutResult>();
        let open = result.and_then(|result| result.left_open.zip(result.currency));
        view! {
            {open.map(|(open, currency)| balance_line(open, currency))}
            {check_out_progress::progress_panel(activity)}
            {ahead}
        }
        .into_any()
    } else {
        let href = format!("/guest/receipt/{}", activity.execution_id);
        view! {
            <p>{t!("card-settled")}</p>
            {ahead}
            <p class="actions stacked">
                <a class="button wide" href=href>{t!("see-receipt")}</a>
                <a href="/guest/book">{t!("book-another")}</a>
            </p>
        }
        .into_any()
    };
    stay_card(t!("checked-out").to_owned(), stay, content)
}

fn no_booking_card() -> AnyView {
    let content = view! {
        <p>{t!("card-no-booking")}</p>
        <p class="actions stacked">
            <a class="button wide" href="/guest/book">{t!("find-room")}</a>
            <a href="/guest/bookings">{t!("card-earlier")}</a>
        </p>
    };
    stay_card(t!("card-nothing").to_owned(), None, content.into_any())
}

fn choose_stay(stays: &[GuestStay]) -> AnyView {
    let items = stays.iter().map(|stay| {
        let page = page_url::with_booking("/guest", &stay.booking_number);
        (page, stay.room(), stay.days())
    });
    view! {
        <p class="lead">{t!("card-which")}</p>
        {choices(items)}
    }
    .into_any()
}
