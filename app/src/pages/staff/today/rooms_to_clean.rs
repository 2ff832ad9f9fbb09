//! Rooms to clean on the front desk's board: one tap once housekeeping reports a room ready.

use super::crew_rooms::sort_key;
use crate::pages::{
    prelude::*,
    staff::rooms::{Condition, RoomState, moves, set_button},
};

/// Section with these rooms, those of arriving guests first; empty without any.
pub fn rooms_to_clean(
    snapshot: &HotelSnapshot,
    token_generator: &TokenGenerator,
) -> Option<AnyView> {
    let mut rooms = RoomState::all(snapshot);
    rooms.retain(|room| room.condition == Condition::Dirty);
    rooms.sort_by_key(sort_key);
    let rows = rooms
        .iter()
        .map(|room| row(room, token_generator))
        .collect_view();
    (!rooms.is_empty()).then(|| {
        view! {
            <section aria-labelledby="to-clean">
                <h2 id="to-clean">"Rooms to clean " <span class="n">{rooms.len()}</span></h2>
                <ul class="work">{rows}</ul>
            </section>
        }
        .into_any()
    })
}

fn row(room: &RoomState<'_>, token_generator: &TokenGenerator) -> AnyView {
    let (number, status) = (room.facts.room.number.clone(), &room.facts.room.status);
    let arrives = room.arrives.map(
        |_| view! { <span class="sign arrives"><Icon state="arrive" />"A guest arrives today"</span> },
    );
    let version = arrives.is_some().to_string();
    let ready = moves(status).into_iter().next().map(|to| {
        set_button(
            &number,
            status,
            to,
            "quiet",
            page_url::TODAY,
            token_generator,
        )
    });
    view! {
        <li data-key=format!("room-{number}") data-version=version>
            <div>
                <a class="subject" href=page_url::room(&number)>"Room " {number.to_string()}</a>
                " "
                <span class="when">{room.facts.kind.clone()}</span>
                " "
                {arrives}
            </div>
            {ready}
        </li>
    }
    .into_any()
}
