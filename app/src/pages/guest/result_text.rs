//! Result of a guest's operation: what was charged, what was refunded, what to do now.

mod booking;
mod check_in;
mod check_out;
mod request;

use dewy_domain::{
    sentence::Sentence,
    tool_catalog::{CheckInGuest, CreateBooking, returns},
    tool_output::{BookingResult, CaseResult, CheckInResult},
};

use crate::{
    components::choices,
    pages::{
        prelude::*,
        public::{StayPhase, hotel_information},
    },
};

/// What it came to, in a few words.
pub fn outcome_title(view: &ExecutionView) -> String {
    OutcomeText::of(view).title
}

/// Result panel, below its title; empty until the execution is at rest.
pub fn outcome(view: &ExecutionView) -> AnyView {
    if !view.at_rest {
        return ().into_any();
    }
    let outcome = OutcomeText::of(view);
    let buttons = outcome
        .links
        .into_iter()
        .enumerate()
        .map(|(n, (href, text))| {
            let class = if n == 0 { "button" } else { "link" };
            view! { <a class=class href=href>{text}</a> }
        });
    let stays = (!outcome.choices.is_empty()).then(|| choices(outcome.choices));
    let big = outcome.big.map(
        |(label, value)| view! { <p class="big"><span>{label}</span> <strong>{value}</strong></p> },
    );
    view! {
        <section class="outcome" data-state=view.state.to_string() aria-labelledby="outcome">
            {big}
            {outcome.sentences.into_iter().map(|sentence| view! { <p>{sentence}</p> }).collect_view()}
            {stays}
            <p class="actions">{buttons.collect_view()}</p>
        </section>
        {place_after(view)}
    }
    .into_any()
}

/// What to know next: inside after a check-in, on the way after a booking.
fn place_after(view: &ExecutionView) -> AnyView {
    match (view.tool.as_str(), &view.state) {
        (CheckInGuest::NAME, ExecutionState::Completed) => hotel_information(StayPhase::Inside),
        (CreateBooking::NAME, ExecutionState::Completed) => hotel_information(StayPhase::Before),
        _ => ().into_any(),
    }
}

/// Title, sentences and links.
#[derive(Debug, Default, PartialEq, Eq)]
struct OutcomeText {
    title: String,
    /// The one thing to remember, with its label: a room number.
    big: Option<(&'static str, String)>,
    sentences: Vec<String>,
    /// Stays to continue with: address, room, and dates.
    choices: Vec<(String, String, String)>,
    links: Vec<(String, String)>,
}

impl OutcomeText {
    fn new(
        title: &str,
        sentences: impl IntoIterator<Item = String>,
        links: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        Self {
            title: title.to_owned(),
            sentences: sentences.into_iter().collect(),
            links: links.into_iter().collect(),
            ..Self::default()
        }
    }

    fn of(view: &ExecutionView) -> Self {
        if view.state == ExecutionState::SettledByHand {
            return settled_by_hand(view);
        }
        match view.tool.as_str() {
            tool if returns::<CheckInResult>(tool) => check_in::outcome_text(view),
            tool if returns::<BookingResult>(tool) => booking::outcome_text(view),
            tool if returns::<CaseResult>(tool) => request::outcome_text(view),
            _ => check_out::outcome_text(view),
        }
    }
}

/// Settled by staff; says only what is known about the money.
fn settled_by_hand(view: &ExecutionView) -> OutcomeText {
    let money = view.money.map(|money| {
        let taken = labels::money(money.captured, money.currency);
        let refunded = labels::money(money.refunded, money.currency);
        match money.refunded.0 {
            0 => t!("outcome-taken", sum = taken),
            _ => t!("outcome-taken-refunded", sum = taken, refunded = refunded),
        }
    });
    let message = message(view, ErrorCode::SettledByStaff);
    OutcomeText::new(
        t!("settled-at-desk"),
        [message].into_iter().chain(money),
        [link(with_booking("/guest/folio", view), t!("see-bill"))],
    )
}

fn link(href: impl Into<String>, text: &str) -> (String, String) {
    (href.into(), text.to_owned())
}

fn with_booking(page: &str, view: &ExecutionView) -> String {
    page_url::with_booking(page, view.booking_number.as_deref().unwrap_or_default())
}

fn code(view: &ExecutionView) -> Option<ErrorCode> {
    view.body().code()
}

fn message(view: &ExecutionView, otherwise: ErrorCode) -> String {
    let body = view.body();
    let code = body.code().unwrap_or(otherwise);
    let failure = body.failure();
    told(&failure.unwrap_or_else(|| Sentence::of_error(code, Persona::Guest)))
}

#[cfg(test)]
fn sample(tool: &str, state: &str, answer: serde_json::Value) -> ExecutionView {
    serde_json::from_value(serde_json::json!({
        "execution_id": "exe_1", "tool": tool, "title": "", "state": state, "summary": "", "at_rest": true, "seq": 1,
        "booking_number": "BK-0042", "room_number": null, "guest_email": null, "asked_by": null, "forward": [], "back": [],
        "money": null, "next_action_url": null, "answer": answer, "reason": null, "differences": [], "next_try_at": null,
        "created_at": "2026-11-20T12:00:00Z", "updated_at": "2026-11-20T12:00:00Z", "timeline": []
    }))
    .expect("a view")
}
