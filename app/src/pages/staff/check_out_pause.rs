//! Notice that check-outs are paused, with Salesforce's message and a button for managers to lift
//! the pause.

use crate::pages::prelude::*;

const PAGE: &str = "/staff/attention";

/// Notice for front desk and managers; empty while check-outs are not paused.
pub async fn pause_notice(ctx: &PageContext, user: &SignedIn) -> Option<AnyView> {
    let pause = ctx.execution_feed.checkout_pause(&user.caller).await?;
    let said = pause
        .message
        .map(|message| view! { <p>"Salesforce says: “" {message} "”"</p> });
    let lift = (user.caller.role == Some(Role::Manager) && !user.caller.read_only).then(|| {
        view! {
            <form method="post" action="/form/lift_checkout_pause">
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

pub async fn lift_pause(form: FormSubmission) -> FormResult {
    let user = form.sender(Persona::Staff, PAGE).await?;
    let lifted = form.ctx.execution_feed.lift_checkout_pause(&user.caller);
    let words = match lifted.await {
        true => "Check-outs go through again.",
        false => "The pause was not lifted. Only a manager can lift it.",
    };
    Flash::new(words).put(&*form.ctx.authenticator).await;
    Ok(PAGE.to_owned())
}
