//! Request form: a template fills it in, and everything can be changed.

use super::{
    guest_stay::GuestStay,
    request_template::{COMMON, REQUEST_TEMPLATES, RequestTemplate},
    task_chips::{Chip, chips},
};
use crate::{form_draft::FORM_OWNER, pages::prelude::*};

/// Department: the tool's value, and the message of its label.
pub const KINDS: [(&str, &str); 4] = [
    ("Housekeeping", "department-housekeeping"),
    ("Room Service", "department-room-service"),
    ("Maintenance", "department-maintenance"),
    ("Concierge", "department-concierge"),
];

/// Urgency: the tool's value, and the message of its label.
pub const PRIORITIES: [(&str, &str); 4] = [
    ("Low", "priority-low"),
    ("Medium", "priority-medium"),
    ("High", "priority-high"),
    ("Urgent", "priority-urgent"),
];

/// Label of a department for guests.
pub fn department_label(kind: &str) -> String {
    KINDS
        .iter()
        .find(|(name, _)| *name == kind)
        .map_or(kind, |(_, id)| text(id))
        .to_owned()
}

/// Templates for guests who are in the house.
const IN_HOUSE: [&str; 2] = ["late", "clean"];

/// Maximum length of prefilled text.
const MAX_CHARS: usize = 300;

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
    pub fn of(request: &PageRequest, draft: &FormDraft) -> Self {
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
        let wish = request.query_param("ask").and_then(RequestTemplate::named);
        // Only a suggestion: the guest submits it
        let given: Option<String> = request
            .query_param("text")
            .map(|text| text.chars().take(MAX_CHARS).collect());
        let given = given.map(|text| format!("{text} "));
        Self {
            wish: wish.map(|wish| wish.name.to_owned()).unwrap_or_default(),
            kind: wish.map_or("Housekeeping", |wish| wish.kind).to_owned(),
            priority: wish.map_or("Medium", |wish| wish.priority).to_owned(),
            description: given.unwrap_or_else(|| {
                wish.filter(|wish| !wish.text.is_empty())
                    .map(|wish| text(wish.text).to_owned())
                    .unwrap_or_default()
            }),
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
    let common = REQUEST_TEMPLATES
        .iter()
        .take(COMMON)
        .filter(|wish| !inside.is_empty() || !IN_HOUSE.contains(&wish.name))
        .map(|wish| Chip::request(wish.name))
        .collect();
    view! {
        <section class="card" aria-labelledby="ask">
            <h2 id="ask">{t!("ask-something")}</h2>
            {chips(common, Some(&typed.wish))}
            <form method="post" action="/form/ask">
                <Field name="description" label=t!("request-form-what") kind="lines" value=typed.description.clone() problem=draft.problem("description") />
                {choices("kind", t!("request-form-who"), &KINDS, &typed.kind, draft)}
                {choices("priority", t!("request-form-soon"), &PRIORITIES, &typed.priority, draft)}
                {rooms(inside, &typed.room_number)}
                {hidden([(FORM_OWNER, reader), (TOKEN, token)])}
                <p class="actions stacked">
                    <button class="wide">{t!("request-form-send")}</button>
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
                <span>{text(words)}</span>
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
                .map(|number| view! { <p class="aside">{t!("request-form-room", number = number.as_str())}</p> })
                .into_any()
        }
        several => {
            let items = several.iter().enumerate().map(|(n, number)| {
                let id = if n == 0 { "room_number".to_owned() } else { format!("room-{n}") };
                let checked = number == chosen || (chosen.is_empty() && n == 0);
                view! {
                    <label class="pick">
                        <input type="radio" name="room_number" id=id value=number.to_string() checked=checked />
                        <span>{t!("room-number", number = number.as_str())}</span>
                    </label>
                }
            });
            view! {
                <fieldset class="picks">
                    <legend>{t!("request-form-which-room")}</legend>
                    <div>{items.collect_view()}</div>
                </fieldset>
            }
            .into_any()
        }
    }
}
