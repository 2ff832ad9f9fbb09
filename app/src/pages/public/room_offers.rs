//! Available rooms as offers.

use dewy_domain::{
    ports::PublicRoom, tool_catalog::SearchAvailableRooms, tool_output::AvailableRoom,
};

use super::{
    illustrations::room_picture,
    room_type::{amenities, line},
    stay_query::StayQuery,
};
use crate::{
    labels::{beds_text, view_text},
    pages::{
        prelude::*,
        read_tools::{ReadFailure, read},
    },
};

/// Larger than the number of rooms.
const MAX_RESULTS: u32 = 200;

/// Rooms available for these nights. One CRM call.
///
/// # Errors
/// The tool's error.
pub async fn search_rooms(
    ctx: &PageContext,
    user: &SignedIn,
    stay: Nights,
    guests: i64,
    room_type: Option<&str>,
) -> Result<Vec<AvailableRoom>, ReadFailure> {
    let mut input = json!({
        "check_in_date": stay.from.to_string(), "check_out_date": stay.to.to_string(), "number_of_guests": guests,
        "limit": MAX_RESULTS,
    });
    if let Some(kind) = room_type {
        input["room_type"] = json!(kind);
    }
    Ok(read::<SearchAvailableRooms>(ctx, user, input).await?.rows)
}

/// Capacity of the largest available room, if it is too small for that many guests: other dates
/// don't help then. Asked when a search has found nothing; one more CRM call.
pub async fn too_small_for(
    ctx: &PageContext,
    user: &SignedIn,
    stay: Nights,
    guests: i64,
) -> Option<i64> {
    if guests <= 1 {
        return None;
    }
    let rooms = search_rooms(ctx, user, stay, 1, None).await.ok()?;
    let largest = rooms.iter().map(|room| room.max_occupancy).max()?;
    (largest < guests).then_some(largest)
}

pub fn priced(room: &PublicRoom, stay: Nights, currency: Currency) -> AvailableRoom {
    AvailableRoom {
        room_number: room.number.clone(),
        room_type: room.kind.clone(),
        floor: None,
        beds: room.beds.clone(),
        view: room.view.clone(),
        max_occupancy: room.sleeps,
        accessible: room.accessible,
        nightly_rate: room.rate,
        total: Cents(room.rate.0 * stay.count()),
        nights: stay.count(),
        currency,
        ready: None,
        room_status: None,
    }
}

/// `Deluxe, 1 King, ocean view`.
pub fn room_description(room: &AvailableRoom) -> String {
    let view = room.view.as_deref().map(view_text);
    [
        Some(room.room_type.clone()),
        room.beds.as_deref().map(beds_text),
        view,
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ")
}

/// `2 nights at $125.00`.
pub fn room_sum(room: &AvailableRoom) -> String {
    t!(
        "offer-sum",
        nights = nights(room.nights),
        rate = labels::money(room.nightly_rate, room.currency)
    )
}

fn alike(a: &AvailableRoom, b: &AvailableRoom) -> bool {
    let of = |one: &AvailableRoom| {
        (
            one.room_type.clone(),
            one.beds.clone(),
            one.view.clone(),
            one.max_occupancy,
            one.accessible,
        )
    };
    of(a) == of(b) && a.nightly_rate == b.nightly_rate
}

/// Groups identical rooms into one offer, cheapest first. Among equal prices, accessible rooms come
/// last: they are kept for guests who need them, not taken by whoever picks the first offer.
fn offers(rooms: Vec<AvailableRoom>) -> Vec<(AvailableRoom, usize)> {
    let mut offers: Vec<(AvailableRoom, usize)> = Vec::new();
    for room in rooms {
        match offers.iter_mut().find(|(one, _)| alike(one, &room)) {
            Some((_, count)) => *count += 1,
            None => offers.push((room, 1)),
        }
    }
    offers.sort_by_key(|(room, _)| (room.total, room.accessible));
    offers
}

/// How many rooms of an offer are left.
fn left(count: usize) -> String {
    match count {
        1 => t!("offer-last").to_owned(),
        n => t!("offer-left", count = n),
    }
}

type KindOffers = (String, Vec<(AvailableRoom, usize)>);

/// Offers by room type, cheapest first.
fn by_kind(rooms: Vec<AvailableRoom>) -> Vec<KindOffers> {
    let mut kinds: Vec<KindOffers> = Vec::new();
    for offer in offers(rooms) {
        match kinds
            .iter_mut()
            .find(|(kind, _)| *kind == offer.0.room_type)
        {
            Some((_, offers)) => offers.push(offer),
            None => kinds.push((offer.0.room_type.clone(), vec![offer])),
        }
    }
    kinds
}

/// Available rooms as cards, one for each type, with its picture and prices. `choose` labels the
/// link to `href` of a room.
pub fn cards(
    rooms: Vec<AvailableRoom>,
    choose: &'static str,
    href: impl Fn(&AvailableRoom) -> String,
) -> AnyView {
    let cards = by_kind(rooms).into_iter().map(|(kind, offers)| {
        let rates = offers
            .iter()
            .map(|(room, count)| rate(room, *count, choose, href(room)));
        view! {
            <li class="free-kind">
                {room_picture(&kind, true)}
                <div class="room-words">
                    <h3>{kind.clone()}</h3>
                    <p class="room-line">{line(&kind)}</p>
                    {amenities(&kind)}
                    <ul class="rates">{rates.collect_view()}</ul>
                </div>
            </li>
        }
    });
    view! { <ul class="free-kinds">{cards.collect_view()}</ul> }.into_any()
}

/// Section of the rooms that are free, each with a link to its booking.
pub fn free_rooms(rooms: Vec<AvailableRoom>, summary: String, wanted: &StayQuery) -> AnyView {
    let href = |room: &AvailableRoom| {
        wanted.on("/guest/book/check", &[("room_number", &room.room_number)])
    };
    let content = view! {
        <p class="aside">{summary} ". " {t!("rooms-prices")}</p>
        {cards(rooms, t!("book"), href)}
    };
    section("free", t!("free-rooms"), content)
}

/// An offer: what the room has, its price, and the link that chooses it.
fn rate(room: &AvailableRoom, count: usize, choose: &'static str, href: String) -> AnyView {
    let total = labels::money(room.total, room.currency);
    let features = [
        room.beds.as_deref().map(beds_text),
        room.view.as_deref().map(view_text),
        Some(t!("up-to", people = people(room.max_occupancy))),
        room.accessible.then(|| t!("accessible").to_owned()),
    ];
    let features: Vec<_> = features.into_iter().flatten().collect();
    view! {
        <li class="rate">
            <p class="rate-what">{features.join(labels::DOT)}</p>
            <p class="rate-price"><strong>{total.clone()}</strong> <span class="rate-sum"><span>{room_sum(room)}</span> " " <span>{left(count)}</span></span></p>
            <a class="button" href=href>{choose} <span class="unseen">{format!(" {}, {total}", room_description(room))}</span></a>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_rooms_are_one_offer() {
        let room = |number: &str, kind: &str, rate: i64| -> AvailableRoom {
            serde_json::from_value(json!({
                "room_number": number, "room_type": kind, "beds": "1 King", "view": "City", "max_occupancy": 2, "accessible": false,
                "nightly_rate": rate, "total": rate * 2, "nights": 2, "currency": "usd"
            }))
            .unwrap()
        };
        let offered: Vec<_> = offers(vec![
            room("305", "Deluxe", 17500),
            room("101", "Standard", 12500),
            room("201", "Standard", 12500),
        ])
        .into_iter()
        .map(|(room, count)| (room.room_number, count))
        .collect();
        assert_eq!(offered, [("101".into(), 2), ("305".into(), 1)]);
        assert_eq!(
            room_sum(&room("101", "Standard", 12500)),
            "2 nights at $125.00"
        );
        let accessible = AvailableRoom {
            accessible: true,
            ..room("100", "Standard", 12500)
        };
        let offered = offers(vec![accessible, room("101", "Standard", 12500)]);
        assert_eq!(offered[0].0.room_number, "101");
    }
}
