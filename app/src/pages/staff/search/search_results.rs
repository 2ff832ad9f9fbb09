//! Search results as links.

use dewy_domain::{
    case::Case, execution_view::ExecutionListItem, inventory::RoomFacts, tool_output::GuestListItem,
};

use crate::pages::{prelude::*, staff::board::case_subject};

#[derive(Clone, Debug)]
pub struct SearchResult {
    href: String,
    title: String,
    aside: String,
    state: Option<(String, String)>,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub title: &'static str,
    pub hits: Vec<SearchResult>,
    /// Page with all results of this kind.
    pub all: Option<String>,
    /// Whether there are more of this kind than could be read or are shown.
    pub more: bool,
}

impl SearchResult {
    pub fn room(room: &RoomFacts) -> Self {
        let status = room.room.status.to_string();
        Self {
            href: page_url::room(&room.room.number),
            title: format!("Room {}", room.room.number),
            aside: room.kind.clone(),
            state: Some((status.to_lowercase().replace(' ', "_"), status)),
        }
    }

    pub fn booking(row: &BookingRow) -> Self {
        let room = row
            .room_number
            .as_ref()
            .map(|number| format!("room {number}"));
        let dates = stay_days(row.check_in_date, row.check_out_date);
        let aside = labels::dotted([row.guest_name.clone(), room, dates]);
        Self {
            href: page_url::stay(&row.booking_number),
            title: row.booking_number.to_string(),
            aside,
            state: Some((
                row.booking_status.as_str().to_lowercase().replace(' ', "_"),
                row.booking_status.to_string(),
            )),
        }
    }

    pub fn case(case: &Case) -> Self {
        let room = case
            .room_number
            .as_ref()
            .map(|number| format!("room {number}"));
        let aside = labels::dotted([Some(case.number.clone()), room]);
        Self {
            href: page_url::case(&case.number),
            title: case_subject(&case.subject),
            aside,
            state: Some((
                case.status.as_str().to_lowercase().replace(' ', "_"),
                case.status.to_string(),
            )),
        }
    }
}

/// Guests, each with current and future stays.
pub fn guests(found: Vec<GuestListItem>, more: bool) -> Group {
    let hits = found.into_iter().map(|guest| {
        let stays = guest.stays.iter().map(|stay| {
            let room = if stay.room_number.is_empty() {
                String::new()
            } else {
                format!(" in {}", stay.room_number)
            };
            format!(
                "{}{room}, {}",
                stay.booking_number,
                stay.booking_status.as_str().to_lowercase()
            )
        });
        let email = guest.guest_email.as_deref().unwrap_or_default().to_owned();
        let aside = std::iter::once(email.clone())
            .chain(stays)
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>();
        SearchResult {
            href: page_url::guest(&email),
            title: guest.name(),
            aside: aside.join(labels::DOT),
            state: None,
        }
    });
    Group {
        title: "Guests",
        hits: hits.collect(),
        all: None,
        more,
    }
}

pub fn executions(found: Vec<ExecutionListItem>, more: bool) -> Group {
    let hits = found.into_iter().map(|item| {
        let aside = labels::place(
            item.guest_email.as_deref(),
            item.booking_number.as_deref(),
            item.room_number.as_deref(),
        );
        let word = labels::state(&item.state).to_owned();
        SearchResult {
            href: format!("/staff/executions/{}", item.execution_id),
            title: item.title,
            aside,
            state: Some((item.state.into(), word)),
        }
    });
    Group {
        title: "Executions",
        hits: hits.collect(),
        all: None,
        more,
    }
}

impl Group {
    /// The group with no more than `most` results.
    pub fn at_most(mut self, most: usize) -> Self {
        self.more |= self.hits.len() > most;
        self.hits.truncate(most);
        self
    }

    /// Rendered as a list of links.
    pub fn shown(self) -> AnyView {
        let id = format!(
            "found-{}",
            self.title
                .split(' ')
                .next()
                .unwrap_or_default()
                .to_lowercase()
        );
        let items = self.hits.into_iter().map(|hit| {
            let pill = hit
                .state
                .map(|(state, word)| view! { <StatusBadge state=state word=word /> });
            view! {
                <li>
                    <a href=hit.href>{hit.title}</a>
                    " "
                    <span class="aside">{hit.aside}</span>
                    {pill}
                </li>
            }
        });
        let all = self
            .all
            .map(|href| view! { <p><a href=href>"All " {self.title.to_lowercase()}</a></p> });
        let more = self.more.then(|| {
            view! { <p class="aside">"There are more. Type more of the name or number, to narrow the search."</p> }
        });
        view! {
            <section aria-labelledby=id.clone()>
                <h2 id=id.clone()>{self.title}</h2>
                <ul class="found-list">{items.collect_view()}</ul>
                {more}
                {all}
            </section>
        }
        .into_any()
    }
}
