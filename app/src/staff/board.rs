//! What all boards have in common: one snapshot at the hotel, the same for everybody who looks, and
//! live.

mod arrival_status;
mod notice;
mod quick_action;
mod who_did;

use std::sync::Arc;

use dewy_domain::{
    caller::{Persona, Role},
    inventory::RoomFacts,
    ports::{HotelSnapshot, SignedIn},
};
use leptos::prelude::*;

pub use self::{
    arrival_status::{ArrivalStatus, arrival_status, nights},
    notice::{Notice, notice, take_kept},
    quick_action::QuickAction,
    who_did::who_did,
};
use crate::{
    layout::{Follows, desk},
    page::{Stop, Trouble, Visit},
};

/// Anybody who works here.
pub async fn admit_staff(visit: &Visit) -> Result<SignedIn, Stop> {
    visit.ctx.admit(Persona::Staff, &visit.here).await
}

/// The hotel as it was at most a few seconds ago.
pub async fn look(visit: &Visit, who: &SignedIn) -> Result<Arc<HotelSnapshot>, Stop> {
    let snapshot = visit.ctx.board.snapshot(&who.caller).await;
    snapshot.map_err(|code| Trouble::of(code, Persona::Staff, &way_back(visit)).into())
}

/// A board listens to the hotel.
pub fn follow(snapshot: &HotelSnapshot) -> Follows {
    Follows {
        events: Some("/staff/board/events".to_owned()),
        seq: snapshot.seq,
    }
}

/// The page's own address, without what the island adds to it.
pub fn way_back(visit: &Visit) -> String {
    let Some((path, query)) = visit.here.split_once('?') else {
        return visit.here.clone();
    };
    let query: Vec<_> = query
        .split('&')
        .filter(|pair| !pair.starts_with("live="))
        .collect();
    if query.is_empty() {
        path.to_owned()
    } else {
        format!("{path}?{}", query.join("&"))
    }
}

/// The room of that number.
pub fn room<'a>(snapshot: &'a HotelSnapshot, number: &str) -> Option<&'a RoomFacts> {
    snapshot
        .rooms
        .iter()
        .find(|room| room.room.number == number)
}

/// Says that a board does not hold everything, or that something in it is incomplete.
pub fn cut_note(snapshot: &HotelSnapshot) -> Option<impl IntoView + use<>> {
    let incomplete = incomplete_note(snapshot);
    (!snapshot.cut.is_empty() || incomplete.is_some()).then(|| {
        let what = snapshot.cut.join(" and ");
        let cut = (!what.is_empty()).then(|| {
            view! { <p class="notice">"There are more " {what} " than one board shows. Search for what you miss."</p> }
        });
        view! { {cut} {incomplete} }
    })
}

/// Names the records in which something is missing.
fn incomplete_note(snapshot: &HotelSnapshot) -> Option<impl IntoView + use<>> {
    const SHOWN: usize = 5;
    let problems = snapshot.problems();
    (!problems.is_empty()).then(|| {
        let more = problems.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| format!(" And {more} more."));
        let words = problems.into_iter().take(SHOWN).map(|problem| format!("{problem}. ")).collect::<String>();
        view! { <p class="notice">"Incomplete in Salesforce: " {words} "Please fill it in there." {more}</p> }
    })
}

/// What somebody is there for, when it is not guests' money.
pub fn crew(who: &SignedIn) -> Option<Role> {
    who.caller.role.filter(|_| !desk(who))
}
