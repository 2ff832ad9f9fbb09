//! Record of an execution: input, every step and compensation, the money, differences, and
//! available actions.

mod money;
mod operator_actions;
pub mod ownership;
mod papers;
mod summary;
mod unreverted_fields;
mod waterfall;

use crate::{
    components::Timeline, layout::EventStream, pages::prelude::*, reload_without_script::Refresh,
};

#[cfg(test)]
pub use self::money::tests::view as sample;
pub use self::{money::without_sum, operator_actions::money_at_stake};

/// Record page. Stripe is queried while the rest is already being sent.
pub async fn record_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let view = request
        .ctx
        .execution(&user.caller, &request.id)
        .await
        .ok_or(PageError::NotFound)?;
    // A person, or a refund that fails later, can reopen a record at rest
    let events = match view.at_rest {
        true => user
            .caller
            .is_front_desk()
            .then(|| "/staff/events".to_owned()),
        false => Some(format!("/staff/executions/{}/events", view.execution_id)),
    };
    let seq = match view.at_rest && events.is_some() {
        true => {
            super::staff_reads::follow_lists(&request.ctx, &user)
                .await
                .seq
        }
        false => view.seq,
    };
    let check = money::check(&request, &user, &view);
    let title = view.title.clone();
    let again = operator_actions::is_still_in_house(&request, &user, &view).await;
    let owner = ownership::ownership(&request, &user, &view).await;
    // With bodies, for readers who may see them
    let evidence = request
        .ctx
        .execution_feed
        .evidence(&user.caller, &view.execution_id);
    let requests = evidence
        .await
        .map(|evidence| evidence.requests)
        .unwrap_or_default();
    let timeline = waterfall::waterfall(&view, &requests);
    let content = record(&view, &user, (again, owner, timeline), check);
    let flash = Flash::take(&*request.ctx.authenticator).await;
    Ok(PageLayout::new(&title)
        .who(&user)
        .flash(flash)
        .follows(EventStream {
            events,
            seq,
            as_of: None,
        })
        .staff(content))
}

/// The payment check is last in the document, so that nothing waits for it; the style sheet puts it
/// beside the sum.
fn record(
    view: &ExecutionView,
    user: &SignedIn,
    (again, owner, timeline): (bool, AnyView, AnyView),
    check: AnyView,
) -> AnyView {
    view! {
        <Refresh at_rest=view.at_rest />
        <p class="crumbs">
            <a href="/staff/executions">"Executions"</a>
        </p>
        <div class="record">
            <header>
                <h1>{view.title.clone()}</h1>
                <div class="standing" role="status" aria-live="polite" data-region="standing">{arrival_status(view)}</div>
                <div data-region="facts">{summary::facts(view)}</div>
            </header>
            <section class="money" aria-labelledby="money">
                <h2 id="money">"Money"</h2>
                <div data-region="money">{money::sum(view)}</div>
            </section>
            <section class="what-next" aria-labelledby="acts">
                <h2 id="acts">"What you can do"</h2>
                <div data-region="acts">{operator_actions::acts(view, again)}</div>
            </section>
            {owner}
            <section class="happened" aria-labelledby="steps">
                <h2 id="steps">"Step by step"</h2>
                <div data-region="steps"><Timeline forward=view.forward.clone() back=view.back.clone() /></div>
                <div data-region="journal">{timeline}</div>
            </section>
            <div class="found" data-region="differences">{unreverted_fields::differences(view)}</div>
            <section class="numbers" aria-labelledby="ids">
                <h2 id="ids">"Numbers on both sides"</h2>
                <div data-region="ids">{summary::ids(view)}</div>
            </section>
            <div class="papers">
                <div data-region="answer">{papers::answer(view)}</div>
                {papers::evidence(view, user)}
            </div>
            {check}
        </div>
    }
    .into_any()
}

fn arrival_status(view: &ExecutionView) -> AnyView {
    let reason = view.reason.as_ref().map(|reason| {
        let class = if view.state == ExecutionState::NeedsAttention { "reason" } else { "aside" };
        view! { <p class=class>{labels::reason(reason).to_owned()} ". " <code>{reason.to_string()}</code></p> }
    });
    let next = (!view.next.is_empty()).then(|| view! { <p class="next">{view.next.clone()}</p> });
    let when = if view.at_rest { None } else { view.next_try_at };
    let when = when.map(|at| view! { <p class="next">"Next try in " <Until at=at /></p> });
    view! {
        <StatusBadge state=view.state.clone() word=labels::state(&view.state) />
        <p class="summary">{view.summary.to_string()}</p>
        {reason}
        {next}
        {when}
    }
    .into_any()
}
