//! Staff navigation. It shows only the pages of the user's role.

use dewy_domain::{caller::Role, ports::SignedIn};
use leptos::prelude::*;

use crate::{
    attention_summary,
    field_suggestions::Known,
    http_request::{with_path, with_request},
};

/// Path, label, and the letter after `g`.
type NavLink = (&'static str, &'static str, &'static str);

/// Daily work of roles that work with guests.
const DAY: [NavLink; 5] = [
    ("/staff", "Today", "t"),
    ("/staff/rooms", "Rooms", "r"),
    ("/staff/tape", "Tape chart", "b"),
    ("/staff/cases", "Cases", "c"),
    ("/staff/guests", "Guests", "u"),
];

/// Requests that wait for staff, and charges.
const WAITING: [NavLink; 3] = [
    ("/staff/attention", "Needs attention", "n"),
    ("/staff/conversations", "Conversations", "v"),
    ("/staff/charges", "Charges", "h"),
];

/// Back office: executions, compensations, and money.
const BACK_OFFICE: [NavLink; 3] = [
    ("/staff/executions", "Executions", "e"),
    ("/staff/compensations", "Compensations", "o"),
    ("/staff/payments", "Payments", "p"),
];

/// Additional back office pages for managers.
const MANAGERS: [NavLink; 1] = [("/staff/audit", "Audit", "a")];

/// Pages for housekeeping and maintenance.
const CREW: [NavLink; 3] = [
    ("/staff", "Today", "t"),
    ("/staff/rooms", "Rooms", "r"),
    ("/staff/cases", "Cases", "c"),
];

const FOOTER_LINKS: [NavLink; 2] = [
    ("/staff/systems", "Outside systems", "s"),
    ("/staff/keys", "Keyboard shortcuts", "?"),
];

/// Letters and their pages, for the shortcut help.
pub fn going(user: &SignedIn) -> Vec<(&'static str, &'static str)> {
    let manager = user.caller.role == Some(Role::Manager);
    let managers = MANAGERS.iter().filter(|_| manager);
    let all: Vec<&NavLink> = if user.caller.is_front_desk() {
        DAY.iter()
            .chain(&WAITING)
            .chain(&BACK_OFFICE)
            .chain(managers)
            .chain(&FOOTER_LINKS[..1])
            .collect()
    } else {
        CREW.iter().chain(&FOOTER_LINKS[..1]).collect()
    };
    all.into_iter()
        .map(|(_, word, letter)| (*letter, *word))
        .collect()
}

pub fn nav(user: &SignedIn) -> AnyView {
    let path = with_path(str::to_owned).unwrap_or_default();
    let view = attention_summary::seen();
    let link = |(href, text, letter): &NavLink| {
        let here = match path.strip_prefix(href) {
            Some("") => Some("page"),
            Some(rest) if rest.starts_with('/') && *href != "/staff" => Some("true"),
            _ => None,
        };
        let count = attention_summary::count(href, &view);
        view! { <li><a href=*href aria-current=here data-go=*letter>{*text} {count}</a></li> }
    };
    let links = |list: &'static [NavLink]| list.iter().map(link).collect_view();
    if !user.caller.is_front_desk() {
        return view! { <nav aria-label="Work"><ul>{links(&CREW)}</ul></nav> }.into_any();
    }
    let managers = (user.caller.role == Some(Role::Manager)).then(|| links(&MANAGERS));
    view! {
        <nav aria-label="Desk">
            <ul>{links(&DAY)}</ul>
            <ul>{links(&WAITING)}</ul>
            <p id="back-office">"Back office"</p>
            <ul aria-labelledby="back-office">{links(&BACK_OFFICE)} {managers}</ul>
        </nav>
    }
    .into_any()
}

pub fn foot() -> AnyView {
    let link =
        |(href, text, letter): &NavLink| view! { <a href=*href data-go=*letter>{*text}</a> " " };
    view! { <p class="foot-links">{FOOTER_LINKS.iter().map(link).collect_view()}</p> }.into_any()
}

pub fn search() -> AnyView {
    let asked = with_request(|parts| {
        let query = parts
            .uri
            .query()
            .filter(|_| parts.uri.path() == "/staff/find")?;
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).ok()?;
        pairs
            .into_iter()
            .find(|(name, _)| name == "q")
            .map(|(_, value)| value)
    })
    .flatten();
    view! {
        <form class="find" role="search" method="get" action="/staff/find">
            <input id="find" name="q" type="search" aria-label="Search guests, rooms, bookings, cases and payments" placeholder="Search  /" autocomplete="off" spellcheck="false" value=asked list=Known::Anything.id() />
            {Known::Anything.list()}
            <button class="quiet">"Search"</button>
        </form>
    }
    .into_any()
}
