//! Search form for dates, people, and a room type.

use super::stay_query::StayQuery;
use crate::pages::prelude::*;

pub const ROOM_TYPES: [(&str, &str); 4] = [
    ("Standard", "Standard"),
    ("Deluxe", "Deluxe"),
    ("Suite", "Suite"),
    ("Penthouse", "Penthouse"),
];

/// The form; its result is the page at `action`.
pub fn search(action: &'static str, wanted: &StayQuery, kind: &str, draft: &FormDraft) -> AnyView {
    view! {
        <form method="get" action=action class="search">
            <div class="search-fields">
                <Field name="check_in_date" label=t!("you-arrive") kind="date" value=wanted.from.clone() problem=draft.problem("check_in_date") />
                <Field name="check_out_date" label=t!("you-leave") kind="date" value=wanted.to.clone() problem=draft.problem("check_out_date") />
                <Field name="number_of_guests" label=t!("people") kind="number" inputmode="numeric" value=wanted.people.clone() problem=draft.problem("number_of_guests") />
                <Select name="room_type" label=t!("room") any=true options=ROOM_TYPES.to_vec() value=kind.to_owned() />
            </div>
            <button>{t!("search-show")}</button>
        </form>
    }
    .into_any()
}
