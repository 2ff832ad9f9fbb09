//! Proposal. All of it comes from the server: its own facts, and the exact input that will be sent.

use dewy_domain::{
    caller::Persona,
    concierge::{ProposalState, ProposalView},
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::forms::Decide;
use crate::{
    components::{Pill, Steps},
    hotel_time::HotelClock,
};

/// Proposal in its current state.
pub(super) fn card(
    persona: Persona,
    conversation: &str,
    key: String,
    card: &ProposalView,
) -> AnyView {
    let title = format!("card-{}", card.id);
    let head = card.title.clone();
    let question = card.question.clone();
    let facts = card
        .facts
        .iter()
        .map(|fact| view! { <li>{fact.clone()}</li> })
        .collect_view();
    let inside = match card.state {
        ProposalState::Proposed if !card.nonce.is_empty() => open(card),
        _ => over(persona, conversation, card),
    };
    view! {
        <div role="group" class="ask" data-key=key data-state=card.state.name() data-weighty=card.weighty.then_some("") data-loses=card.loses.then_some("") aria-labelledby=title.clone()>
            <p class="ask-head"><span>{head}</span> <Pill state=sign(card.state) word=word(card.state) /></p>
            <h2 id=title.clone()>{question}</h2>
            <ul class="ask-facts">{facts}</ul>
            {inside}
        </div>
    }
    .into_any()
}

/// Question with its options and the two answers.
fn open(card: &ProposalView) -> AnyView {
    let choices = card.choices.iter().enumerate().map(|(n, choice)| {
        let note = (!choice.note.is_empty()).then(|| view! { <span class="aside">{choice.note.clone()}</span> });
        view! {
            <label class="pick">
                <input type="radio" name="choice" value=choice.value.clone() checked=n == 0 required />
                <span>{choice.label.clone()}</span>
                {note}
            </label>
        }
    });
    let choices: Vec<_> = choices.collect();
    let other = card.new_card.map(|money| {
        let href = format!("/guest/pay?card={}", card.id);
        let (class, words) = match choices.is_empty() {
            true => ("button", format!("Pay {money} with your card")),
            false => ("button quiet", "Pay with another card".to_owned()),
        };
        view! { <a class=class href=href>{words}</a> }
    });
    // Without saved payment cards it can't be approved here: the card is entered on its own page
    let yes = (other.is_none() || !choices.is_empty()).then(
        || view! { <button class=card.loses.then_some("danger") name="answer" value="yes">{card.yes.clone()}</button> },
    );
    let choices = (!choices.is_empty()).then(|| {
        view! { <fieldset class="picks"><legend>"Which card pays?"</legend> <div>{choices}</div></fieldset> }
    });
    let until = HotelClock::here().hour(card.expires_at);
    view! {
        <form method="post" action=Decide::PATH>
            <input type="hidden" name="card" value=card.id.clone() />
            <input type="hidden" name="nonce" value=card.nonce.clone() />
            {choices}
            <p class="actions">
                {yes}
                {other}
                <button class="quiet" name="answer" value="no" formnovalidate>{if card.loses { "Keep it" } else { "Not now" }}</button>
            </p>
            <p class="aside">{format!("Nothing happens until you decide. This question is open until {until}.")}</p>
        </form>
    }
    .into_any()
}

/// Result, or the steps while it runs.
fn over(persona: Persona, conversation: &str, card: &ProposalView) -> AnyView {
    let said = match card.state {
        ProposalState::Declined => "Declined. Nothing was done.",
        ProposalState::Expired => "Nobody answered in time. Nothing was done.",
        ProposalState::Superseded => {
            "This proposal is no longer valid: a newer one replaced it, or something changed. Nothing was done."
        }
        ProposalState::Confirmed => "Confirmed. Starting now…",
        ProposalState::Proposed => "Waiting for the person who was asked.",
        _ => "",
    };
    let (summary, steps) = match &card.execution {
        Some(view) => {
            let steps = if view.back.is_empty() {
                view.forward.clone()
            } else {
                view.back.clone()
            };
            (
                view.summary.clone(),
                (!view.at_rest).then(|| view! { <Steps steps=steps /> }),
            )
        }
        None => (String::new(), None),
    };
    let told = if card.outcome.is_empty() {
        summary
    } else {
        card.outcome.clone()
    };
    let again = card.state.under_way().then(|| {
        let here = format!("/{}/concierge/{conversation}", persona.name());
        view! { <noscript><p><a href=here>"Refresh"</a></p></noscript> }
    });
    let words = match persona {
        Persona::Guest => "Go on here",
        Persona::Staff => "The guest’s own page",
    };
    let on = card
        .next_action_url
        .clone()
        .map(|href| view! { <p><a class="button" href=href>{words}</a></p> });
    let link = card.execution.as_ref().map(|view| {
        let href = match persona {
            Persona::Guest => format!("/guest/execution/{}", view.execution_id),
            Persona::Staff => format!("/staff/executions/{}", view.execution_id),
        };
        view! { <p><a href=href>"See every step"</a></p> }
    });
    view! {
        {(!said.is_empty()).then(|| view! { <p>{said}</p> })}
        {(!told.is_empty()).then(|| view! { <p>{told}</p> })}
        {steps}
        {again}
        {on}
        {link}
    }
    .into_any()
}

const fn word(state: ProposalState) -> &'static str {
    match state {
        ProposalState::Proposed => "Waits for you",
        ProposalState::Confirmed | ProposalState::Running => "Under way",
        ProposalState::Declined => "Declined",
        ProposalState::Expired => "Expired",
        ProposalState::Superseded => "Replaced",
        ProposalState::Done => "Done",
        ProposalState::Compensated => "Undone",
        ProposalState::Refused => "Not possible",
        ProposalState::NeedsAttention => "With our staff",
        ProposalState::SettledByHand => "Settled by our staff",
    }
}

/// Execution state whose icon it shares.
const fn sign(state: ProposalState) -> &'static str {
    match state {
        ProposalState::Proposed => "waiting",
        ProposalState::Confirmed | ProposalState::Running => "running",
        ProposalState::Declined | ProposalState::Expired | ProposalState::Superseded => "skipped",
        ProposalState::Done => "completed",
        ProposalState::Compensated => "compensated",
        ProposalState::Refused => "refused",
        ProposalState::NeedsAttention => "needs_attention",
        ProposalState::SettledByHand => "settled_by_hand",
    }
}
