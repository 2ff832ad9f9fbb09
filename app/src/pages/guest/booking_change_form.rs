//! Form and preview of a booking change.

use dewy_domain::tool_output::AvailableRoom;

use super::{booking_change_price::ChangePrice, guest_stay::GuestStay};
use crate::{
    dates::days,
    pages::{
        prelude::*,
        public::{StayQuery, cards},
    },
};

#[derive(Clone, Debug)]
pub struct Preview {
    pub price: ChangePrice,
    pub currency: Currency,
    pub count: i64,
    pub nights: Nights,
    pub room: Option<AvailableRoom>,
}

fn page(stay: &GuestStay) -> String {
    page_url::booking(&stay.booking_number, "change")
}

/// Form; nothing is requested yet.
pub fn form(stay: &GuestStay, wanted: &StayQuery, draft: &FormDraft, other: bool) -> AnyView {
    let inside = stay.booking_status == BookingStatus::CheckedIn;
    let arrival = if inside {
        let from = stay
            .check_in_date
            .map(|date| day(&date.to_string()))
            .unwrap_or_default();
        let leave = page_url::with_booking("/guest/check-out", &stay.booking_number);
        view! {
            <p class="aside">{t!("change-arrived", day = from)}</p>
            <p class="aside">{t!("change-longer")} " " <a href=leave>{t!("change-leave")}</a></p>
        }
        .into_any()
    } else {
        view! {
            <Field name="check_in_date" label=t!("you-arrive") kind="date" value=wanted.from.clone() problem=draft.problem("check_in_date") />
        }
        .into_any()
    };
    let room = (!inside).then(|| {
        let choice = |value: &'static str, words: String, checked: bool| {
            let id = if value.is_empty() {
                "room"
            } else {
                "room-other"
            };
            view! {
                <label class="choice">
                    <input type="radio" name="room" id=id value=value checked=checked />
                    <span>{words}</span>
                </label>
            }
        };
        view! {
            <fieldset>
                <legend>{t!("room")}</legend>
                {draft.problem("room").map(|text| view! { <p class="field-problem">{text}</p> })}
                {choice("", t!("change-keep-room", room = stay.room().to_lowercase()), !other)}
                {choice("other", t!("change-show-others").to_owned(), other)}
            </fieldset>
        }
    });
    // A guest who is here stays at least as long as booked
    let least = stay.check_out_date.filter(|_| inside);
    let least = least.map(|date| date.to_string()).unwrap_or_default();
    view! {
        <ErrorSummary draft=draft.clone() />
        <h1>{t!("change-your-booking")}</h1>
        <p class="lead">{stay.room()} ", " {stay.days()} "."</p>
        <p class="aside">{t!("booking-number", number = stay.booking_number.as_str())} ". " {t!("change-nothing-yet")}</p>
        <form method="get" action=page(stay) class="search">
            <div class="search-fields">
                {arrival}
                <Field name="check_out_date" label=t!("you-leave") kind="date" min=least value=wanted.to.clone() problem=draft.problem("check_out_date") />
                <Field name="number_of_guests" label=t!("people") kind="number" inputmode="numeric" value=wanted.people.clone() problem=draft.problem("number_of_guests") />
            </div>
            {room}
            <p class="actions">
                <button>{t!("change-see-price")}</button>
                <a href="/guest/bookings">{t!("keep-as-is")}</a>
            </p>
        </form>
    }
    .into_any()
}

/// Notice for a booking that is over.
pub fn over(stay: &GuestStay) -> AnyView {
    view! {
        <h1>{t!("change-over")}</h1>
        <p class="lead">{stay.room()} ", " {stay.days()} "."</p>
        <p class="actions">
            <a class="button" href="/guest/bookings">{t!("see-bookings")}</a>
            <a href="/guest/book">{t!("book-another")}</a>
        </p>
    }
    .into_any()
}

pub fn other_rooms(
    stay: &GuestStay,
    wanted: &StayQuery,
    rooms: Vec<AvailableRoom>,
    wished: bool,
) -> AnyView {
    let why = if wished {
        t!("change-others")
    } else {
        t!("change-added")
    };
    let back = wanted.on(&page(stay), &[]);
    let list = if rooms.is_empty() {
        view! { <p>{t!("change-no-other")}</p> }.into_any()
    } else {
        let href =
            |room: &AvailableRoom| wanted.on(&page(stay), &[("room_number", &room.room_number)]);
        view! {
            <section aria-labelledby="free">
                <h2 id="free">{t!("free-rooms")}</h2>
                <p class="aside">{t!("change-prices")}</p>
                {cards(rooms, t!("offer-choose"), href)}
            </section>
        }
        .into_any()
    };
    view! {
        <h1>{why}</h1>
        <p class="lead">{days(&wanted.from, &wanted.to)} "."</p>
        {list}
        <p class="actions">
            {wished.then(|| view! { <a href=back>{t!("change-keep-mine")}</a> })}
            <a href=page(stay)>{t!("change-other-dates")}</a>
        </p>
    }
    .into_any()
}

fn row(name: &'static str, before: String, after: String) -> AnyView {
    let same = before == after;
    let after = if same {
        view! { {after} }.into_any()
    } else {
        view! { <strong>{after}</strong> }.into_any()
    };
    view! {
        <tr data-same=same.then_some("")>
            <th scope="row">{name}</th>
            <td>{before}</td>
            <td>{after}</td>
        </tr>
    }
    .into_any()
}

/// Preview: what changes, what it costs, and the button.
pub fn preview(
    stay: &GuestStay,
    wanted: &StayQuery,
    will: Preview,
    draft: FormDraft,
    token: String,
) -> AnyView {
    let money = |cents| labels::money(cents, will.currency);
    let before = |date: Option<jiff::civil::Date>| {
        date.map(|date| day(&date.to_string())).unwrap_or_default()
    };
    let room_before = stay.room_number.as_deref().unwrap_or_default().to_owned();
    let room_after = will
        .room
        .as_ref()
        .map_or_else(|| room_before.clone(), |room| room.room_number.to_string());
    let difference = match will.price.difference() {
        Cents(0) => t!("change-same").to_owned(),
        more if more.0 > 0 => t!("change-more", sum = money(more)),
        less => t!("change-less", sum = money(Cents(-less.0))),
    };
    let differs = |name: &'static str, now: String, then: &str| {
        (now != then).then(|| view! { <input type="hidden" name=name value=then.to_owned() /> })
    };
    let iso =
        |date: Option<jiff::civil::Date>| date.map(|date| date.to_string()).unwrap_or_default();
    let rows = vec![
        row(
            t!("you-arrive"),
            before(stay.check_in_date),
            day(&wanted.from),
        ),
        row(
            t!("you-leave"),
            before(stay.check_out_date),
            day(&wanted.to),
        ),
        row(
            t!("change-nights"),
            nights(stay.nights()),
            nights(will.nights.count()),
        ),
        row(
            t!("people"),
            stay.people().unwrap_or_default(),
            people(will.count),
        ),
        row(t!("room"), room_before, room_after),
        row(
            t!("price-label"),
            money(will.price.before),
            money(will.price.after),
        ),
    ];
    let count = stay.number_of_guests.unwrap_or(1).to_string();
    view! {
        <ErrorSummary draft=draft />
        <h1>{t!("change-check")}</h1>
        <table class="before-after">
            <caption class="unseen">{t!("change-caption")}</caption>
            <thead>
                <tr>
                    <td></td>
                    <th scope="col">{t!("change-now")}</th>
                    <th scope="col">{t!("change-then")}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        <p class="difference" role="status"><strong>{difference}</strong></p>
        <form method="post" action="/form/change_booking">
            <input type="hidden" name="booking_number" value=stay.booking_number.to_string() />
            {differs("check_in_date", iso(stay.check_in_date), &wanted.from)}
            {differs("check_out_date", iso(stay.check_out_date), &wanted.to)}
            {differs("number_of_guests", count, &wanted.people)}
            {will.room.as_ref().map(|room| view! { <input type="hidden" name="room_number" value=room.room_number.to_string() /> })}
            {hidden([("amount", will.price.after.0.to_string()), (TOKEN, token)])}
            <p class="small">{t!("change-nothing-now")}</p>
            <p class="actions stacked">
                <button class="wide">{t!("change-to", sum = money(will.price.after))}</button>
                <a href=page(stay)>{t!("change-another")}</a>
                <a href="/guest/bookings">{t!("keep-as-is")}</a>
            </p>
        </form>
    }
    .into_any()
}
