//! Notice that check-outs are paused, with Salesforce's message and a button for managers to lift
//! the pause.

use dewy_domain::{
    caller::{Persona, Role},
    ports::SignedIn,
};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{components::Until, flash::Flash, form_submission, page_context::PageContext};

const PAGE: &str = "/staff/attention";

/// Notice for front desk and managers; empty while check-outs are not paused.
pub async fn pause_notice(ctx: &PageContext, user: &SignedIn) -> Option<AnyView> {
    let pause = ctx.execution_feed.checkout_pause(&user.caller).await?;
    let said = pause
        .message
        .map(|message| view! { <p>"Salesforce says: “" {message} "”"</p> });
    let lift = (user.caller.role == Some(Role::Manager) && !user.caller.read_only).then(|| {
        view! {
            <form method="post" action=LiftPause::PATH>
                <button class="quiet">"Let check-outs through"</button>
            </form>
        }
    });
    let href = format!("/staff/executions/{}", pause.latest);
    Some(
        view! {
            <section class="notice" role="status" aria-labelledby="pause">
                <h2 id="pause">"Check-outs are paused"</h2>
                <p>
                    {format!("Salesforce refused the last {} check-outs after the guest had paid; each payment was refunded, or is listed below. ", pause.failures)}
                    "One check-out is let through in " <Until at=pause.next_probe_at /> "; if it succeeds, the pause ends."
                </p>
                <p>"Cause: " <code>{pause.cause}</code> ". " <a href=href>"See the latest one"</a></p>
                {said}
                {lift}
            </section>
        }
        .into_any(),
    )
}

/// Lifts the pause.
///
/// # Errors
/// When the page context is missing.
#[server(prefix = "/form", endpoint = "lift_checkout_pause")]
pub async fn lift_pause() -> Result<(), ServerFnError> {
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, PAGE).await? else {
        return Ok(());
    };
    let said = if ctx.execution_feed.lift_checkout_pause(&user.caller).await {
        "Check-outs go through again."
    } else {
        "The pause was not lifted. Only a manager can lift it."
    };
    Flash::new(said).put(&*ctx.authenticator).await;
    form_submission::redirect(PAGE)
}
