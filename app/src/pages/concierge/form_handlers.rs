//! Form handlers of a conversation. Without scripts, a form waits for the answer up to a limit,
//! then shows it.

use std::time::Duration;

use axum::http::header;
use dewy_domain::{
    caller::Caller,
    concierge::{ConversationItem, LiveState, MAX_MESSAGE_LENGTH},
    emergency,
    ports::Decision,
};

use super::concierge_page::FORM;
use crate::{
    form_draft::FORM_OWNER, http_request::with_request, labels::error_text, language::language,
    page_context::sign_in_url, pages::prelude::*,
};

/// Maximum time that a request without scripts waits for an answer; then the page says that it is
/// still being written.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// Extra wait for the model's explanation after an action.
const EXTRA_WAIT: Duration = Duration::from_millis(400);

/// Signed-in user, whose language the concierge then answers in, or the URL of the sign-in page.
async fn someone(ctx: &PageContext) -> Result<SignedIn, String> {
    let user = ctx.authenticator.signed_in().await;
    if let Some(guest) = user
        .as_ref()
        .filter(|user| user.caller.persona == Persona::Guest)
    {
        ctx.concierge
            .set_preferred_language(&guest.caller, language().tag());
    }
    user.ok_or_else(|| {
        let page = with_request(|parts| {
            let from = parts
                .headers
                .get(header::REFERER)?
                .to_str()
                .ok()?
                .to_owned();
            let path = from
                .split_once("://")
                .and_then(|(_, rest)| rest.find('/').and_then(|at| rest.get(at..)));
            path.map(str::to_owned)
        });
        let page = page.flatten().unwrap_or_default();
        let persona = if page.starts_with("/staff") {
            Persona::Staff
        } else {
            Persona::Guest
        };
        // The browser restores the draft there
        let place = format!("/{}/concierge", persona.name());
        sign_in_url(persona, if page.is_empty() { &place } else { &page })
    })
}

fn place(user: &SignedIn, id: &str) -> String {
    let persona = user.caller.persona.name();
    let plain = !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if plain {
        format!("/{persona}/concierge/{id}")
    } else {
        format!("/{persona}/concierge/new")
    }
}

/// Waits until the model is silent and no approved proposal is in progress.
async fn wait_until_idle(ctx: &PageContext, caller: &Caller, id: &str) {
    let mut seen = LiveState::unseen();
    let mut quiet = false;
    while let Some(live) = ctx
        .concierge
        .changed(caller, id, &seen, if quiet { EXTRA_WAIT } else { MAX_WAIT })
        .await
    {
        // The explanation of a result follows a moment later
        if quiet && !live.differs(&seen) {
            return;
        }
        quiet = false;
        if !live.busy {
            match ctx.concierge.conversation(caller, Some(id)).await {
                Ok(thread) if !thread.busy && !thread.items.iter().any(under_way) => quiet = true,
                Ok(_) => {}
                Err(_) => return,
            }
        }
        seen = live;
    }
}

fn under_way(item: &ConversationItem) -> bool {
    matches!(item, ConversationItem::Proposal(proposal) if proposal.state.under_way())
}

async fn wait(ctx: &PageContext, caller: &Caller, id: &str, live: &str) {
    if live.is_empty() {
        let quiet = std::pin::pin!(wait_until_idle(ctx, caller, id));
        if let Some(clock) = use_context::<std::sync::Arc<dyn dewy_domain::ports::Clock>>() {
            let late = clock.sleep(MAX_WAIT);
            futures::future::select(quiet, late).await;
        }
    }
}

async fn refuse(ctx: &PageContext, code: ErrorCode, persona: Persona, text: &str) {
    let words = error_text(code, persona);
    let draft = match code {
        ErrorCode::ValidationFailed if dewy_domain::blank_text::is_blank(text) => {
            FormDraft::invalid_field("talk-text", t!("talk-write-first"))
        }
        ErrorCode::ValidationFailed => {
            FormDraft::invalid_field("talk-text", t!("talk-too-long", most = MAX_MESSAGE_LENGTH))
        }
        // Nobody was reached: the page shows the number to call
        _ if emergency::find(text).is_some() => unsent_emergency(),
        _ => FormDraft::failed(t!("talk-failed")).with_message(words),
    };
    draft
        .field("text", text)
        .put(&*ctx.authenticator, FORM)
        .await;
}

/// Message to a guest in an emergency when their message could not be delivered.
pub(crate) fn unsent_emergency() -> FormDraft {
    let hotel = hotel();
    let number = hotel
        .emergency_number
        .clone()
        .unwrap_or_else(|| t!("talk-emergency-number").to_owned());
    FormDraft::failed(t!("talk-unheard")).with_message(format!(
        "{} {}",
        t!("talk-call-now", number = number),
        hotel.line()
    ))
}

pub async fn say(form: FormSubmission) -> FormResult {
    let (ctx, text, live) = (&form.ctx, form.raw("text"), form.raw("live"));
    let user = match someone(ctx).await {
        Ok(user) => user,
        Err(sign_in) => {
            // A script keeps the draft in the browser; without one it is kept here
            if live.is_empty() {
                FormDraft::default()
                    .field("text", text)
                    .field(FORM_OWNER, form.raw(FORM_OWNER))
                    .keep_across_sign_in(&*ctx.authenticator, FORM)
                    .await;
            }
            return Err(sign_in);
        }
    };
    let conversation = form.raw("conversation");
    let id = Some(conversation).filter(|id| !id.is_empty());
    let posted = ctx
        .concierge
        .post_message(&user.caller, id, form.token(), text);
    match posted.await {
        Ok(id) => {
            wait(ctx, &user.caller, &id, live).await;
            Ok(place(&user, &id))
        }
        Err(code) => {
            refuse(ctx, code, user.caller.persona, text).await;
            Ok(place(&user, conversation))
        }
    }
}

/// Approves or declines a proposal.
pub async fn decide(form: FormSubmission) -> FormResult {
    let ctx = &form.ctx;
    let user = someone(ctx).await?;
    // Anything but the value of the approve button declines
    let decision = Decision {
        proposal: form.raw("card").to_owned(),
        nonce: form.raw("nonce").to_owned(),
        yes: form.raw("answer") == "yes",
        choice: Some(form.raw("choice").to_owned()).filter(|choice| !choice.is_empty()),
    };
    match ctx.concierge.decide(&user.caller, &decision).await {
        Ok(id) => {
            wait(ctx, &user.caller, &id, form.raw("live")).await;
            return Ok(place(&user, &id));
        }
        Err(ErrorCode::ValidationFailed) => {
            let draft = FormDraft::failed(t!("talk-choose")).with_message(t!("talk-choose-text"));
            draft.put(&*ctx.authenticator, FORM).await;
        }
        Err(code) => refuse(ctx, code, user.caller.persona, "").await,
    }
    Ok(format!("/{}/concierge", user.caller.persona.name()))
}

#[derive(Clone, Copy, Debug)]
pub enum ConversationAction {
    /// Stops the current answer.
    Stop,
    /// Asks the model again.
    Again,
    Rename,
    /// Deletes it.
    Forget,
    /// Asks the front desk to take over.
    Call,
    /// Hands the conversation back to the concierge, by staff or by the guest.
    Back,
}

pub async fn act(form: FormSubmission, action: ConversationAction) -> FormResult {
    use ConversationAction::{Again, Back, Call, Forget, Rename, Stop};
    let (ctx, id) = (&form.ctx, form.raw("conversation"));
    let user = someone(ctx).await?;
    let (concierge, caller) = (&ctx.concierge, &user.caller);
    let done = match action {
        Stop => concierge.stop(caller, id).await,
        Again => concierge.retry_turn(caller, id).await,
        Rename => concierge.rename(caller, id, form.raw("title")).await,
        Forget => concierge.delete(caller, id).await,
        Call => {
            let reason = "The guest asked for a person.";
            concierge.hand_over(caller, id, reason).await
        }
        Back if caller.persona == Persona::Staff => hand_back_as_staff(ctx, caller, id).await,
        Back => concierge.hand_back(caller, id).await,
    };
    match (done, action) {
        (Err(code), _) => refuse(ctx, code, caller.persona, "").await,
        (Ok(()), Stop | Again) => wait(ctx, caller, id, form.raw("live")).await,
        (Ok(()), _) => {}
    }
    Ok(match action {
        Forget => place(&user, ""),
        Back if caller.persona == Persona::Staff => "/staff/conversations".to_owned(),
        _ => place(&user, id),
    })
}

/// Hands a guest's conversation back, and says whose it was.
async fn hand_back_as_staff(
    ctx: &PageContext,
    caller: &Caller,
    conversation: &str,
) -> Result<(), ErrorCode> {
    let found = ctx
        .concierge
        .conversation(caller, Some(conversation))
        .await?;
    ctx.concierge.hand_back(caller, conversation).await?;
    let snapshot = ctx.board.latest(caller).await.snapshot;
    let booking = snapshot
        .as_ref()
        .and_then(|all| all.booking_of_guest(&found.owner));
    let guest = booking.and_then(|booking| booking.guest_name.clone());
    let guest = guest.unwrap_or_else(|| found.owner.email().to_string());
    Flash::new(format!("{guest} is back with the concierge."))
        .put(&*ctx.authenticator)
        .await;
    Ok(())
}

/// Turns the concierge on or off.
pub async fn switch(form: FormSubmission) -> FormResult {
    let page = "/staff/conversations";
    let user = form.sender(Persona::Staff, page).await?;
    let on = form.raw("on") == "on";
    if let Err(code) = form.ctx.concierge.set_enabled(&user.caller, on).await {
        refuse(&form.ctx, code, Persona::Staff, "").await;
    }
    Ok(page.to_owned())
}
