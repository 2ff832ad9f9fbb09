//! A room type as visitors see it: what its rooms have, and from which price.

use std::collections::BTreeSet;

use dewy_domain::ports::{PublicRoom, PublicRooms};

use super::illustrations::room_picture;
use crate::{
    labels::{beds_text, room_view_label},
    pages::prelude::*,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomKind {
    /// `Deluxe`.
    pub name: String,
    /// Lowest price per night.
    pub from: Cents,
    /// Whether some rooms cost more.
    pub several_prices: bool,
    currency: Currency,
    beds: BTreeSet<String>,
    views: BTreeSet<String>,
    sleeps: i64,
    square_feet: Option<(i64, i64)>,
    accessible: bool,
}

/// Types of these rooms, cheapest first.
pub fn room_kinds(rooms: &PublicRooms) -> Vec<RoomKind> {
    let mut kinds: Vec<RoomKind> = Vec::new();
    for room in &rooms.rooms {
        match kinds.iter_mut().find(|kind| kind.name == room.kind) {
            Some(kind) => kind.add(room),
            None => kinds.push(RoomKind::of(room, rooms.currency)),
        }
    }
    kinds.sort_by_key(|kind| kind.from);
    kinds
}

impl RoomKind {
    /// Item of a list of types: picture, words, price, and a link.
    pub fn item(&self, class: &'static str, href: String, choose: &'static str) -> AnyView {
        let of = t!("landing-choose-room", room = self.name.clone());
        view! {
            <li class=class>
                {room_picture(&self.name, true)}
                <div class="room-words">
                    <h3>{self.name.clone()}</h3>
                    <p class="room-line">{line(&self.name)}</p>
                    {self.feature_list()}
                    {amenities(&self.name)}
                    <div class="room-foot">
                        {self.price()}
                        <a class="button quiet" href=href>{choose} <span class="unseen">" " {of}</span></a>
                    </div>
                </div>
            </li>
        }
        .into_any()
    }

    fn of(room: &PublicRoom, currency: Currency) -> Self {
        let mut kind = Self {
            name: room.kind.clone(),
            from: room.rate,
            several_prices: false,
            currency,
            beds: BTreeSet::new(),
            views: BTreeSet::new(),
            sleeps: 0,
            square_feet: None,
            accessible: false,
        };
        kind.add(room);
        kind
    }

    fn add(&mut self, room: &PublicRoom) {
        self.several_prices |= room.rate != self.from;
        self.from = self.from.min(room.rate);
        self.beds.extend(room.beds.clone());
        self.views.extend(room.view.clone());
        self.sleeps = self.sleeps.max(room.sleeps);
        self.accessible |= room.accessible;
        if let Some(size) = room.square_feet {
            let (least, most) = self.square_feet.unwrap_or((size, size));
            self.square_feet = Some((least.min(size), most.max(size)));
        }
    }

    /// What its rooms have: an icon and words each.
    fn features(&self) -> Vec<(&'static str, String)> {
        let view = (!self.views.is_empty()).then(|| {
            let views: Vec<_> = self
                .views
                .iter()
                .map(|view| room_view_label(view))
                .collect();
            labels::capital(&t!("view", view = join_alternatives(&views)))
        });
        let beds: Vec<_> = self.beds.iter().map(|beds| beds_text(beds)).collect();
        let size = self.square_feet.map(|(least, most)| size(least, most));
        let all = [
            ("bed", (!beds.is_empty()).then(|| join_alternatives(&beds))),
            (
                "person",
                Some(labels::capital(&t!("up-to", people = people(self.sleeps)))),
            ),
            ("view", view),
            ("size", size),
            (
                "access",
                self.accessible.then(|| t!("kind-accessible").to_owned()),
            ),
        ];
        all.into_iter()
            .filter_map(|(icon, words)| Some((icon, words?)))
            .collect()
    }

    pub fn feature_list(&self) -> AnyView {
        let items = self.features().into_iter().map(|(icon, words)| {
            view! { <li><Icon state=icon /> <span>{words}</span></li> }
        });
        view! { <ul class="features">{items.collect_view()}</ul> }.into_any()
    }

    /// `from $125.00 a night`.
    pub fn price(&self) -> AnyView {
        let id = if self.several_prices {
            "price-from"
        } else {
            "price"
        };
        let price = labels::money(self.from, self.currency);
        let price = view! { <strong>{price}</strong> }.into_any();
        view! { <p class="price">{rich(id, vec![("price", price)], &[])}</p> }.into_any()
    }
}

/// One line about a room type.
pub fn line(kind: &str) -> Option<&'static str> {
    match kind {
        "Standard" => Some(t!("kind-standard")),
        "Deluxe" => Some(t!("kind-deluxe")),
        "Suite" => Some(t!("kind-suite")),
        "Penthouse" => Some(t!("kind-penthouse")),
        _ => None,
    }
}

/// Amenities of a room type, as the hotel configures them; empty if it names none.
pub fn amenities(kind: &str) -> AnyView {
    let hotel = hotel();
    let all: Vec<_> = hotel
        .amenities_of(kind)
        .map(|text| named("amenity", text))
        .collect();
    if all.is_empty() {
        return ().into_any();
    }
    let items = all.into_iter().map(|one| view! { <li>{one}</li> });
    view! { <ul class="amenities" aria-label=t!("kind-amenities")>{items.collect_view()}</ul> }
        .into_any()
}

/// `280 to 340 sq ft`, or in square meters where the hotel's country uses them.
fn size(least: i64, most: i64) -> String {
    let metric = !matches!(
        hotel().locale.tag().rsplit('-').next(),
        Some("US" | "LR" | "MM")
    );
    let (unit, of): (_, fn(i64) -> i64) = if metric {
        ("m²", |feet| (feet * 929 + 5_000) / 10_000)
    } else {
        (t!("square-feet"), |feet| feet)
    };
    let count = |size| locale().count(of(size));
    let (least, most) = (count(least), count(most));
    if least == most {
        format!("{least} {unit}")
    } else {
        t!("size", least = least, most = most, unit = unit)
    }
}

/// `a`, `a or b`, `a, b, or c`.
fn join_alternatives(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first, last] => t!("either", most = first.as_str(), last = last.as_str()),
        [most @ .., last] => t!("either-more", most = most.join(", "), last = last.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(kind: &str, rate: i64, beds: &str, view: &str, size: i64) -> PublicRoom {
        PublicRoom {
            number: "101".into(),
            kind: kind.to_owned(),
            beds: Some(beds.to_owned()),
            view: Some(view.to_owned()),
            sleeps: 2,
            accessible: size == 280,
            square_feet: Some(size),
            rate: Cents(rate),
        }
    }

    #[test]
    fn a_room_type_lists_the_amenities_of_its_rooms() {
        let rooms = PublicRooms {
            rooms: vec![
                room("Suite", 29_999, "1 King", "Ocean", 650),
                room("Standard", 13_950, "2 Queens", "Garden", 340),
                room("Standard", 12_500, "1 Queen", "City", 280),
            ],
            currency: Currency::USD,
        };
        let kinds = room_kinds(&rooms);
        let names: Vec<_> = kinds.iter().map(|kind| kind.name.as_str()).collect();
        assert_eq!(names, ["Standard", "Suite"]);
        assert_eq!(
            (kinds[0].from, kinds[0].several_prices),
            (Cents(12_500), true)
        );
        assert!(!kinds[1].several_prices);
        let words: Vec<_> = kinds[0]
            .features()
            .into_iter()
            .map(|(_, words)| words)
            .collect();
        assert_eq!(
            words,
            [
                "1 Queen or 2 Queens",
                "Up to 2 people",
                "City or garden view",
                "280 to 340 sq ft",
                "Wheelchair-accessible rooms"
            ]
        );
        assert_eq!(size(1400, 1400), "1,400 sq ft");
        assert_eq!(
            join_alternatives(&["a".into(), "b".into(), "c".into()]),
            "a, b, or c"
        );
    }
}
