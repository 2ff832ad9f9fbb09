//! Request form: a template fills it in, and everything can be changed.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    chips::{Chip, chips},
    guest_stay::GuestStay,
    request_template::{COMMON, RequestTemplate, WISHES},
    requests::Ask,
};
use crate::{
    components::Field,
    form_draft::{FORM_OWNER, FormDraft},
    page::PageRequest,
    tool_form::TOKEN,
};

/// Department: the tool's value, and a guest's label.
pub const KINDS: [(&str, &str); 4] = [
    ("Housekeeping", "Housekeeping"),
    ("Room Service", "Food and drink"),
    ("Maintenance", "Something needs fixing"),
    ("Concierge", "Front desk"),
];

/// Urgency: the tool's value, and a guest's label.
pub const PRIORITIES: [(&str, &str); 4] = [
    ("Low", "Whenever convenient"),
    ("Medium", "Today"),
    ("High", "Soon"),
    ("Urgent", "Right now"),
];

/// Label of a department for guests.
pub fn department_label(kind: &str) -> String {
    KINDS
        .iter()
        .find(|(name, _)| *name == kind)
        .map_or(kind, |(_, words)| words)
        .to_owned()
}

/// Maximum length of prefilled text.
const MAX_CHARS: usize = 300;

/// Initial values of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestFormValues {
    wish: String,
    kind: String,
    priority: String,
    description: String,
    room_number: String,
}

impl RequestFormValues {
    /// Previous values, or those in the URL.
    pub fn of(visit: &PageRequest, draft: &FormDraft) -> Self {
        if !draft.title.is_empty() {
            let value = |name: &str| draft.value(name);
            return Self {
                wish: String::new(),
                kind: value("kind"),
                priority: value("priority"),
                description: value("description"),
                room_number: value("room_number"),
            };
        }
        let wish = visit.query_param("ask").and_then(RequestTemplate::named);
        // Only a suggestion: the guest submits it
        let text: Option<String> = visit
            .query_param("text")
            .map(|text| text.chars().take(MAX_CHARS).collect());
        let text = text.map(|text| format!("{text} "));
        Self {
            wish: wish.map(|wish| wish.name.to_owned()).unwrap_or_default(),
            kind: wish.map_or("Housekeeping", |wish| wish.kind).to_owned(),
            priority: wish.map_or("Medium", |wish| wish.priority).to_owned(),
            description: text
                .unwrap_or_else(|| wish.map(|wish| wish.text.to_owned()).unwrap_or_default()),
            room_number: String::new(),
        }
    }
}

/// Section with the form. `inside` are the checked-in stays; with several, one has to be chosen.
pub fn request_form(
    typed: &RequestFormValues,
    inside: &[GuestStay],
    draft: &FormDraft,
    token: String,
    reader: String,
) -> AnyView {
    let common = WISHES
        .iter()
        .take(COMMON)
        .map(|wish| Chip::ask(wish.name))
        .collect();
    view! {
        <section class="card" aria-labelledby="ask">
            <h2 id="ask">"Ask for something"</h2>
            {chips(common, Some(&typed.wish))}
            <form method="post" action=Ask::PATH>
                <Field name="description" label="What would you like?" kind="lines" value=typed.description.clone() problem=draft.problem("description") />
                {choices("kind", "Who is it for?", &KINDS, &typed.kind, draft)}
                {choices("priority", "How soon?", &PRIORITIES, &typed.priority, draft)}
                {rooms(inside, &typed.room_number)}
                <input type="hidden" name=FORM_OWNER value=reader />
                <input type="hidden" name=TOKEN value=token />
                <p class="actions stacked">
                    <button class="wide">"Send request"</button>
                </p>
            </form>
        </section>
    }
    .into_any()
}

fn choices(
    name: &'static str,
    legend: &'static str,
    options: &'static [(&'static str, &'static str)],
    chosen: &str,
    draft: &FormDraft,
) -> AnyView {
    let problem = draft.problem(name);
    let invalid = problem.is_some().then_some("true");
    let items = options.iter().enumerate().map(|(n, (value, words))| {
        // The first option has the field's id, so that an error links to it
        let id = if n == 0 { name.to_owned() } else { format!("{name}-{n}") };
        view! {
            <label class="pick">
                <input type="radio" name=name id=id value=*value checked=*value == chosen aria-invalid=invalid />
                <span>{*words}</span>
            </label>
        }
    });
    view! {
        <fieldset class="picks">
            <legend>{legend}</legend>
            {problem.map(|text| view! { <p class="field-problem">{text}</p> })}
            <div>{items.collect_view()}</div>
        </fieldset>
    }
    .into_any()
}

fn rooms(inside: &[GuestStay], chosen: &str) -> AnyView {
    let numbers: Vec<_> = inside
        .iter()
        .filter_map(|stay| stay.room_number.clone())
        .collect();
    match numbers.as_slice() {
        [] | [_] => {
            let number = numbers.into_iter().next();
            number
                .map(|number| view! { <p class="aside">"For room " {number} "."</p> })
                .into_any()
        }
        several => {
            let items = several.iter().enumerate().map(|(n, number)| {
                let id = if n == 0 { "room_number".to_owned() } else { format!("room-{n}") };
                let checked = number == chosen || (chosen.is_empty() && n == 0);
                view! {
                    <label class="pick">
                        <input type="radio" name="room_number" id=id value=number.clone() checked=checked />
                        <span>"Room " {number.clone()}</span>
                    </label>
                }
            });
            view! {
                <fieldset class="picks">
                    <legend>"For which room?"</legend>
                    <div>{items.collect_view()}</div>
                </fieldset>
            }
            .into_any()
        }
    }
}
