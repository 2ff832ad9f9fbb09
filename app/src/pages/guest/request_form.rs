//! Request form: a template fills it in, and everything can be changed.

use dewy_domain::{
    tool::{Field as ToolField, Source, Tool},
    tool_catalog::{self, TIME_OF_DAY},
};

use super::{
    guest_stay::GuestStay,
    request_template::{COMMON, REQUEST_TEMPLATES, RequestTemplate},
    task_chips::{Chip, chips},
};
use crate::{form_draft::FORM_OWNER, language::message_of, pages::prelude::*};

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

pub fn department_label(kind: &str) -> String {
    KINDS
        .iter()
        .find(|(name, _)| *name == kind)
        .map_or(kind, |(_, id)| text(id))
        .to_owned()
}

/// Hidden field with the name of a template whose form is its own.
pub const TEMPLATE: &str = "ask";

/// Templates for guests who are in the house.
const IN_HOUSE: [&str; 5] = ["towels", "late", "broken", "food", "clean"];

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
                wish: value(TEMPLATE),
                kind: value("kind"),
                priority: value("priority"),
                description: value("description"),
                room_number: value("room_number"),
            };
        }
        let wish = request
            .query_param(TEMPLATE)
            .and_then(RequestTemplate::named);
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
                let text = wish.and_then(RequestTemplate::text);
                text.unwrap_or_default().to_owned()
            }),
            room_number: String::new(),
        }
    }
}

/// Section with the form: a template's own, if a tool has one for it.
pub fn request_form(
    typed: &RequestFormValues,
    stays: &[GuestStay],
    draft: &FormDraft,
    token: String,
    reader: String,
) -> AnyView {
    let status = |stay: &&GuestStay| stay.booking_status == BookingStatus::CheckedIn;
    let inside: Vec<_> = stays.iter().filter(status).collect();
    let labeled = |(value, id): (&str, &str)| (value.to_owned(), text(id).to_owned());
    let fields = match tool_catalog::guest_form(&typed.wish) {
        Some(tool) => tool_fields(tool, &typed.wish, stays, draft),
        None => view! {
            <Field name="description" label=t!("request-form-what") kind="lines" value=typed.description.clone() problem=draft.problem("description") />
            {choices("kind", t!("request-form-who"), KINDS.map(labeled), &typed.kind, draft.problem("kind"))}
            {choices("priority", t!("request-form-soon"), PRIORITIES.map(labeled), &typed.priority, draft.problem("priority"))}
            {rooms(&inside, &typed.room_number)}
        }
        .into_any(),
    };
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
                {fields}
                {hidden([(FORM_OWNER, reader), (TOKEN, token)])}
                <p class="actions stacked">
                    <button class="wide">{t!("request-form-send")}</button>
                </p>
            </form>
        </section>
    }
    .into_any()
}

/// Fields of a tool that its form asks a guest for.
pub fn asked_fields(tool: &'static Tool) -> impl Iterator<Item = &'static ToolField> {
    let asks = |field: &&ToolField| matches!(field.source, Source::Words | Source::Calendar);
    tool.fields(Persona::Guest).filter(asks)
}

/// Those fields: the booking as a choice, the others labeled by the template's messages.
fn tool_fields(
    tool: &'static Tool,
    template: &str,
    stays: &[GuestStay],
    draft: &FormDraft,
) -> AnyView {
    let message = |field: &str| message_of("ask", &format!("{template} {field}"));
    let field = |field: &'static ToolField| {
        let name = field.name;
        if name == "booking_number" {
            return bookings(stays, &draft.value(name));
        }
        let kind = match (&field.schema["pattern"], &field.schema["format"]) {
            (pattern, _) if pattern == TIME_OF_DAY => "time",
            (_, format) if format == "date" => "date",
            _ => "text",
        };
        let hint = message(&format!("{name} hint")).unwrap_or_default();
        view! { <Field name=name label=message(name).unwrap_or(name) hint=hint kind=kind value=draft.value(name) problem=draft.problem(name) optional=!field.required /> }
        .into_any()
    };
    view! {
        {asked_fields(tool).map(field).collect_view()}
        <input type="hidden" name=TEMPLATE value=template.to_owned() />
    }
    .into_any()
}

/// Which stay that has not ended is meant.
fn bookings(stays: &[GuestStay], chosen: &str) -> AnyView {
    let open = |stay: &&GuestStay| {
        matches!(
            stay.booking_status,
            BookingStatus::CheckedIn | BookingStatus::Reserved
        )
    };
    let open = stays.iter().filter(open);
    let stays: Vec<_> = open
        .map(|stay| {
            let words = format!("{}, {}", stay.room(), stay.days());
            (stay.booking_number.to_string(), words)
        })
        .collect();
    one_of(
        "booking_number",
        t!("request-form-which-stay"),
        stays,
        chosen,
    )
}

fn rooms(inside: &[&GuestStay], chosen: &str) -> AnyView {
    let numbers = inside.iter().filter_map(|stay| stay.room_number.as_ref());
    let rooms: Vec<_> = numbers
        .map(|number| {
            let words = t!("room-number", number = number.as_str());
            (number.to_string(), words)
        })
        .collect();
    if let [(number, _)] = rooms.as_slice() {
        return view! { <p class="aside">{t!("request-form-room", number = number.as_str())}</p> }
            .into_any();
    }
    one_of("room_number", t!("request-form-which-room"), rooms, chosen)
}

/// Choice between values, each with its words.
fn choices(
    name: &'static str,
    legend: &'static str,
    values: impl IntoIterator<Item = (String, String)>,
    chosen: &str,
    problem: Option<String>,
) -> AnyView {
    let invalid = problem.is_some().then_some("true");
    let items = values.into_iter().enumerate().map(|(n, (value, words))| {
        // The first option has the field's id, so that an error links to it
        let id = if n == 0 { name.to_owned() } else { format!("{name}-{n}") };
        let checked = value == chosen;
        view! {
            <label class="pick">
                <input type="radio" name=name id=id value=value checked=checked aria-invalid=invalid />
                <span>{words}</span>
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

/// Choice between several stays or rooms, the first unless another was chosen; one needs no choice.
fn one_of(
    name: &'static str,
    legend: &'static str,
    values: Vec<(String, String)>,
    chosen: &str,
) -> AnyView {
    match values.as_slice() {
        [] => ().into_any(),
        [(value, _)] => view! { <input type="hidden" name=name value=value.clone() /> }.into_any(),
        [(first, _), ..] => {
            let chosen = if chosen.is_empty() {
                first.clone()
            } else {
                chosen.to_owned()
            };
            choices(name, legend, values, &chosen, None)
        }
    }
}
