//! Result page of an execution, for guests.

use dewy_domain::{
    caller::Persona,
    view::{ExecutionView, StepView},
};
use leptos::prelude::*;

use super::{activity_labels::title, story::story};
use crate::{
    components::{PaymentSummary, Pill, Steps, Until},
    flash::Flash,
    labels,
    layout::{EventStream, PageLayout},
    outcome::outcome,
    page::{PageError, PageRequest, page},
    refresh::Refresh,
};

/// Execution of the signed-in guest.
#[component]
pub fn ExecutionPage() -> impl IntoView {
    page(|visit: PageRequest| async move {
        let who = visit
            .ctx
            .require_persona(Persona::Guest, &visit.here)
            .await?;
        let execution = visit
            .ctx
            .watch
            .execution(&who.caller, &visit.id)
            .await
            .ok_or(PageError::NotFound)?;
        let events = (!execution.at_rest)
            .then(|| format!("/guest/execution/{}/events", execution.execution_id));
        let follows = EventStream {
            events,
            seq: execution.seq,
        };
        let flash = Flash::take(&*visit.ctx.authenticator).await;
        // Stripe adds one parameter, the return page the other
        let back = visit
            .query_param("redirect_status")
            .or(visit.query_param("back"))
            .is_some();
        Ok(PageLayout::new(title(&execution.tool))
            .who(&who)
            .flash(flash)
            .follows(follows)
            .guest(told(&execution, back)))
    })
}

/// Each region is replaced on its own, so that screen readers announce only changes.
fn told(view: &ExecutionView, back: bool) -> AnyView {
    let room = view
        .room_number
        .as_ref()
        .map(|room| view! { ", " <span class="whole">"room " {room.clone()}</span> });
    let heading = view! { <span class="whole">{title(&view.tool)}</span> {room} };
    let undone = !view.back.is_empty() || (view.at_rest && view.state != "completed");
    let steps = if undone {
        story(view)
    } else {
        view! { <Steps steps=told_steps(view) /> }.into_any()
    };
    let money = view
        .money
        .map(|money| view! { <PaymentSummary money=money /> });
    // A completed booking is shown below, with formatted dates
    let booking = matches!(view.tool.as_str(), "create_booking" | "manage_bookings")
        && view.state == "completed";
    view! {
        <Refresh at_rest=view.at_rest || (view.next_action_url.is_some() && !back) />
        <h1 data-region="heading">{heading}</h1>
        <div class="standing" role="status" aria-live="polite" data-region="standing">
            <Pill state=view.state.clone() word=labels::state_for_guest(&view.state) />
            {(!booking).then(|| view! { <p class="summary">{view.summary.clone()}</p> })}
        </div>
        <div data-region="act">{act(view, back)}</div>
        <div data-region="outcome">{outcome(view)}</div>
        <div class="progress" data-region="steps">{around(view, steps, money.into_any())}</div>
    }
    .into_any()
}

/// Steps and money: in view while something happens, folded once the result says what matters.
fn around(view: &ExecutionView, steps: AnyView, money: AnyView) -> AnyView {
    let reference = view! {
        <p class="reference">"Reference " <code class="id">{view.execution_id.clone()}</code> ". Our front desk finds everything by it."</p>
    };
    if view.at_rest {
        return view! {
            <details class="review">
                <summary>"What happened, step by step"</summary>
                {steps}
                {money}
                {reference}
            </details>
        }
        .into_any();
    }
    view! {
        <section aria-labelledby="steps">
            <h2 id="steps">"Step by step"</h2>
            {steps}
            {money}
        </section>
    }
    .into_any()
}

/// Skipped steps are left out.
fn told_steps(view: &ExecutionView) -> Vec<StepView> {
    view.forward
        .iter()
        .filter(|step| step.state != "skipped")
        .cloned()
        .collect()
}

/// Action required: the bank wants the guest to verify the payment, or has just done so.
fn act(view: &ExecutionView, back: bool) -> AnyView {
    let Some(url) = view.next_action_url.clone().filter(|_| !view.at_rest) else {
        return ().into_any();
    };
    if back {
        return view! {
            <section class="card turn" aria-labelledby="turn">
                <h2 id="turn">"Thank you. We are checking with your bank"</h2>
                <p>"This takes a few seconds, and you don’t need to do anything. Nothing is charged until your bank approves."</p>
                <p class="small">"Not confirmed after all? " <a href=url rel="noreferrer">"Go back to your bank"</a> "."</p>
            </section>
        }
        .into_any();
    }
    let left = view
        .act_by
        .map(|at| view! { <p class="left">"Time left: " <Until at=at /></p> });
    view! {
        <section class="card turn" aria-labelledby="turn">
            <h2 id="turn">"Your bank needs you to verify this payment"</h2>
            <p>
                "To protect your card, your bank asks you to confirm this payment on its own page. "
                <strong>"Nothing is charged yet."</strong>
                " Afterward you return here, and we continue automatically."
            </p>
            {left}
            <p class="actions stacked">
                <a class="button wide" href=url rel="noreferrer">
                    "Continue to your bank"
                </a>
            </p>
            <p class="small">
                "Confirmed already? This page shows it by itself, or "
                <a href=format!("/guest/execution/{}", view.execution_id)>"look again"</a> "."
            </p>
            <p class="small">"If you do not confirm in time, the payment is called off, nothing is charged, and you can try again."</p>
        </section>
    }
    .into_any()
}
