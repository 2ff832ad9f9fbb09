//! Result page of an execution, for guests.

use dewy_domain::{
    execution_view::StepView, tool_catalog::returns, tool_output::BookingResult,
    vocabulary::StepState,
};

use super::{
    activity_labels::title,
    booking_confirmation::sent_to,
    execution_events::story,
    result_text::{outcome, outcome_title},
};
use crate::{
    components::{PaymentSummary, Steps},
    layout::EventStream,
    pages::prelude::*,
    reload_without_script::Refresh,
};

pub async fn execution_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let execution = request
        .ctx
        .execution(&user.caller, &request.id)
        .await
        .ok_or(PageError::NotFound)?;
    let events =
        (!execution.at_rest).then(|| format!("/guest/execution/{}/events", execution.execution_id));
    let follows = EventStream {
        events,
        seq: execution.seq,
        as_of: None,
    };
    let flash = Flash::take(&*request.ctx.authenticator).await;
    // Stripe adds one parameter, the return page the other
    let back = request
        .query_param("redirect_status")
        .or(request.query_param("back"))
        .is_some();
    let sent = sent_to(&request.ctx, &user, &execution).await;
    let title = match execution.at_rest {
        true => outcome_title(&execution),
        false => title(&execution.tool).to_owned(),
    };
    Ok(PageLayout::new(&title)
        .who(&user)
        .flash(flash)
        .follows(follows)
        .guest(regions(&execution, back, sent)))
}

/// Each region is replaced on its own, so that screen readers announce only changes. What leads
/// takes the place of the steps, which follow it then: nothing that somebody reads is pushed down.
fn regions(view: &ExecutionView, back: bool, sent: Option<AnyView>) -> AnyView {
    let room = view
        .room_number
        .as_ref()
        .map(|room| view! { ", " <span class="whole">{t!("request-room", number = room.as_str())}</span> });
    let act_title = view! { <span class="whole">{heading(view)}</span> {room} };
    // Once it is over, the result is the title
    let (heading, about, badge) = match view.at_rest {
        true => {
            let about = view! { <p class="aside">{act_title}</p> };
            (outcome_title(view).into_any(), Some(about), None)
        }
        false => {
            let word = labels::state_for_guest(&view.state);
            let badge = view! { <StatusBadge state=view.state.clone() word=word /> };
            (act_title.into_any(), None, Some(badge))
        }
    };
    let undone = !view.back.is_empty() || (view.at_rest && view.state != ExecutionState::Completed);
    let steps = if undone {
        story(view)
    } else {
        view! { <Steps steps=visible_steps(view) /> }.into_any()
    };
    // A sum is an answer only where something went back
    let money = view
        .money
        .filter(|money| money.refunded.0 != 0)
        .map(|money| view! { <PaymentSummary money=money /> });
    let act = act(view, back);
    let steps = steps_and_money(view, steps, money.into_any());
    let (leading, following) = if view.at_rest || act.is_some() {
        (None, Some(steps))
    } else {
        (Some(steps), None)
    };
    // The panel below says it in more words: here it is only read aloud. A completed booking's has
    // formatted dates there
    let completed = view.state == ExecutionState::Completed;
    let booking = completed && returns::<BookingResult>(&view.tool);
    let summary_class = if view.at_rest {
        "summary unseen"
    } else {
        "summary"
    };
    view! {
        <Refresh at_rest=view.at_rest || (view.next_action_url.is_some() && !back) />
        <h1 data-region="heading" id="outcome">{heading}</h1>
        <div class="standing" role="status" aria-live="polite" data-region="standing">
            {badge}
            {about}
            {(!booking).then(|| view! { <p class=summary_class>{told(&view.summary)}</p> })}
        </div>
        <div class="progress" data-region="steps">{leading}</div>
        <div data-region="act">{act}</div>
        <div data-region="outcome">{outcome(view)} {sent}</div>
        <div class="progress" data-region="happened">{following}</div>
    }
    .into_any()
}

/// What it was: a change that canceled the booking is a cancellation.
fn heading(view: &ExecutionView) -> &'static str {
    let booking: Option<BookingResult> = view.body().result();
    if booking.is_some_and(|booking| booking.booking_status == BookingStatus::Cancelled) {
        t!("activity-cancel")
    } else {
        title(&view.tool)
    }
}

/// Steps and money: in view while something happens, folded once the result says what matters.
fn steps_and_money(view: &ExecutionView, steps: AnyView, money: AnyView) -> AnyView {
    let reference = view! {
        <p class="reference">{rich("execution-reference", vec![("id", view! { <code class="id">{view.execution_id.clone()}</code> }.into_any())], &[])}</p>
    };
    if view.at_rest {
        return view! {
            <details class="review">
                <summary>{t!("execution-happened")}</summary>
                {steps}
                {money}
                {reference}
            </details>
        }
        .into_any();
    }
    view! {
        <section aria-labelledby="steps">
            <h2 id="steps">{t!("execution-steps")}</h2>
            {steps}
            {money}
        </section>
    }
    .into_any()
}

/// Skipped steps are left out.
fn visible_steps(view: &ExecutionView) -> Vec<StepView> {
    view.forward
        .iter()
        .filter(|step| step.state != StepState::Skipped)
        .cloned()
        .collect()
}

/// Action required: the bank wants the guest to verify the payment, or has just done so.
fn act(view: &ExecutionView, back: bool) -> Option<AnyView> {
    let url = view.next_action_url.clone().filter(|_| !view.at_rest)?;
    if back {
        let thanks = view! {
            <section class="card turn" aria-labelledby="turn">
                <h2 id="turn">{t!("execution-thanks")}</h2>
                <p>{t!("execution-seconds")}</p>
                <p class="small">{t!("execution-not-confirmed")} " " <a href=url rel="noreferrer">{t!("execution-back-to-bank")}</a> "."</p>
            </section>
        };
        return Some(thanks.into_any());
    }
    let left = view
        .act_by
        .map(|at| view! { <p class="left">{rich("execution-left", vec![("time", view! { <Until at=at /> }.into_any())], &[])}</p> });
    let verify = view! {
        <section class="card turn" aria-labelledby="turn">
            <h2 id="turn">{t!("execution-verify")}</h2>
            <p>
                {t!("execution-protect")} " " <strong>{t!("execution-nothing-yet")}</strong> " " {t!("execution-return")}
            </p>
            {left}
            <p class="actions stacked">
                <a class="button wide" href=url rel="noreferrer">
                    {t!("execution-to-bank")}
                </a>
            </p>
            <p class="small">
                {rich("execution-confirmed", vec![("look", view! { <a href=format!("/guest/execution/{}", view.execution_id)>{t!("execution-look")}</a> }.into_any())], &[])}
            </p>
            <p class="small">{t!("execution-in-time")}</p>
        </section>
    };
    Some(verify.into_any())
}
