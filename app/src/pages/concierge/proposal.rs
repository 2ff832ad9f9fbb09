//! Proposal. All of it comes from the server: its own facts, and the exact input that will be sent.

use dewy_domain::concierge::{ProposalState, ProposalView};

use crate::{components::Steps, pages::prelude::*};

/// Proposal in its current state.
pub(super) fn proposal_card(
    persona: Persona,
    conversation: &str,
    key: String,
    proposal: &ProposalView,
) -> AnyView {
    let title = format!("card-{}", proposal.id);
    let head = named("tool", &proposal.title);
    let question = told(&proposal.question);
    let facts = proposal
        .facts
        .iter()
        .map(|fact| view! { <li>{told(fact)}</li> })
        .collect_view();
    let inside = match proposal.state {
        ProposalState::Proposed if !proposal.nonce.is_empty() => open_proposal(proposal, &question),
        _ => over(persona, conversation, proposal),
    };
    view! {
        <div role="group" class="ask" data-key=key data-state=proposal.state.name() data-weighty=proposal.irreversible.then_some("") data-loses=proposal.loses.then_some("") aria-labelledby=title.clone()>
            <p class="ask-head"><span>{head}</span> <StatusBadge state=sign(proposal.state) word=word(proposal.state) /></p>
            <h2 id=title.clone()>{question}</h2>
            <ul class="ask-facts">{facts}</ul>
            {inside}
        </div>
    }
    .into_any()
}

/// Question with its options and the two answers.
fn open_proposal(proposal: &ProposalView, question: &str) -> AnyView {
    let choices = proposal.choices.iter().enumerate().map(|(n, choice)| {
        let note = (!choice.note.is_empty()).then(|| view! { <span class="aside">{named("test-card", &choice.note)}</span> });
        view! {
            <label class="pick">
                <input type="radio" name="choice" value=choice.value.clone() checked=n == 0 required />
                <span>{told(&choice.label)}</span>
                {note}
            </label>
        }
    });
    let choices: Vec<_> = choices.collect();
    let other = proposal.new_card.map(|money| {
        let href = format!("/guest/pay?card={}", proposal.id);
        let (class, words) = match choices.is_empty() {
            true => (
                "button",
                t!(
                    "proposal-pay",
                    sum = labels::money(money.cents, money.currency)
                ),
            ),
            false => ("button quiet", t!("talk-pay-other").to_owned()),
        };
        view! { <a class=class href=href>{words}</a> }
    });
    // Without saved payment cards it can't be approved here: the card is entered on its own page
    let yes = (other.is_none() || !choices.is_empty()).then(
        || view! { <button class=proposal.loses.then_some("danger") name="answer" value="yes">{told(&proposal.yes)}</button> },
    );
    // Below a list of cards the question may be out of sight
    let again = (!choices.is_empty())
        .then(|| view! { <p class="ask-again" aria-hidden="true">{question.to_owned()}</p> });
    let choices = (!choices.is_empty()).then(|| {
        view! { <fieldset class="picks"><legend>{t!("proposal-which")}</legend> <div>{choices}</div></fieldset> }
    });
    let until = hour(&HotelClock::here(), proposal.expires_at);
    view! {
        <form method="post" action="/form/concierge_decide">
            {hidden([("card", proposal.id.clone()), ("nonce", proposal.nonce.clone())])}
            {choices}
            {again}
            <p class="actions">
                {yes}
                {other}
                <button class="quiet" name="answer" value="no" formnovalidate>{if proposal.loses { t!("proposal-keep") } else { t!("not-now") }}</button>
            </p>
            <p class="aside">{t!("talk-until", time = until)}</p>
        </form>
    }
    .into_any()
}

/// Result, or the steps while it runs.
fn over(persona: Persona, conversation: &str, proposal: &ProposalView) -> AnyView {
    let said = match proposal.state {
        ProposalState::Declined => t!("proposal-declined-text"),
        ProposalState::Expired => t!("proposal-expired-text"),
        ProposalState::Superseded => {
            t!("proposal-superseded-text")
        }
        ProposalState::Confirmed => t!("proposal-confirmed-text"),
        ProposalState::Proposed => t!("proposal-proposed-text"),
        _ => "",
    };
    let (summary, steps) = match &proposal.execution {
        Some(view) => {
            let steps = if view.back.is_empty() {
                view.forward.clone()
            } else {
                view.back.clone()
            };
            (
                vec![view.summary.clone()],
                (!view.at_rest).then(|| view! { <Steps steps=steps /> }),
            )
        }
        None => (Vec::new(), None),
    };
    let outcome = if proposal.outcome.is_empty() {
        summary
    } else {
        proposal.outcome.clone()
    };
    let again = proposal.state.under_way().then(|| {
        let here = format!("/{}/concierge/{conversation}", persona.name());
        view! { <noscript><p><a href=here>{t!("refresh")}</a></p></noscript> }
    });
    let words = match persona {
        Persona::Guest => t!("proposal-go-on"),
        Persona::Staff => "The guest’s own page",
    };
    let on = proposal
        .next_action_url
        .clone()
        .map(|href| view! { <p><a class="button" href=href>{words}</a></p> });
    let link = proposal.execution.as_ref().map(|view| {
        let href = match persona {
            Persona::Guest => format!("/guest/execution/{}", view.execution_id),
            Persona::Staff => format!("/staff/executions/{}", view.execution_id),
        };
        view! { <p><a href=href>{t!("proposal-steps")}</a></p> }
    });
    view! {
        {(!said.is_empty()).then(|| view! { <p>{said}</p> })}
        {(!outcome.is_empty()).then(|| view! { <p>{outcome.iter().map(told).collect::<Vec<_>>().join(" ")}</p> })}
        {steps}
        {again}
        {on}
        {link}
    }
    .into_any()
}

fn word(state: ProposalState) -> &'static str {
    match state {
        ProposalState::Proposed => t!("proposal-waits"),
        ProposalState::Confirmed | ProposalState::Running => t!("proposal-under-way"),
        ProposalState::Declined => t!("proposal-declined"),
        ProposalState::Expired => t!("proposal-expired"),
        ProposalState::Superseded => t!("proposal-replaced"),
        ProposalState::Done => t!("state-completed"),
        ProposalState::Compensated => t!("proposal-undone"),
        ProposalState::Refused => t!("proposal-impossible"),
        ProposalState::NeedsAttention => t!("proposal-staff"),
        ProposalState::SettledByHand => t!("proposal-settled"),
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
