//! Form handlers of a conversation. Without scripts, a form waits for the answer up to a limit,
//! then shows it.

use std::time::Duration;

use axum::http::header;
use dewy_domain::{
    caller::{Caller, Persona},
    concierge::{ConversationItem, LiveState, MAX_MESSAGE_LENGTH},
    emergency,
    error_code::ErrorCode,
    ports::{Decision, SignedIn},
};
use leptos::prelude::*;

use super::concierge_page::FORM;
use crate::{
    flash::Flash,
    form_draft::{FORM_OWNER, FormDraft},
    form_submission,
    hotel_profile::hotel,
    http_request::with_request,
    labels::error_text,
    language::{language, t},
    page_context::{PageContext, sign_in_url},
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

/// Sends a message.
#[server(prefix = "/form", endpoint = "concierge_say")]
pub async fn say(
    #[server(default)] conversation: String,
    #[server(default)] text: String,
    #[server(default)] idempotency_token: String,
    #[server(default)] reader: String,
    #[server(default)] live: String,
) -> Result<(), ServerFnError> {
    let ctx = form_submission::open_context()?;
    let user = match someone(&ctx).await {
        Ok(user) => user,
        Err(sign_in) => {
            // A script keeps the draft in the browser; without one it is kept here
            if live.is_empty() {
                FormDraft::default()
                    .field("text", text)
                    .field(FORM_OWNER, reader)
                    .keep_across_sign_in(&*ctx.authenticator, FORM)
                    .await;
            }
            return form_submission::redirect(&sign_in);
        }
    };
    let id = Some(conversation.as_str()).filter(|id| !id.is_empty());
    match ctx
        .concierge
        .post_message(&user.caller, id, &idempotency_token, &text)
        .await
    {
        Ok(id) => {
            wait(&ctx, &user.caller, &id, &live).await;
            form_submission::redirect(&place(&user, &id))
        }
        Err(code) => {
            refuse(&ctx, code, user.caller.persona, &text).await;
            form_submission::redirect(&place(&user, &conversation))
        }
    }
}

/// Approves or declines a proposal.
#[server(prefix = "/form", endpoint = "concierge_decide")]
pub async fn decide(
    #[server(default)] card: String,
    #[server(default)] nonce: String,
    #[server(default)] answer: String,
    #[server(default)] choice: String,
    #[server(default)] live: String,
) -> Result<(), ServerFnError> {
    let ctx = form_submission::open_context()?;
    let user = match someone(&ctx).await {
        Ok(user) => user,
        Err(sign_in) => return form_submission::redirect(&sign_in),
    };
    let choice = Some(choice).filter(|choice| !choice.is_empty());
    // Anything but the value of the approve button declines
    let decision = Decision {
        proposal: card,
        nonce,
        yes: answer == "yes",
        choice,
    };
    match ctx.concierge.decide(&user.caller, &decision).await {
        Ok(id) => {
            wait(&ctx, &user.caller, &id, &live).await;
            form_submission::redirect(&place(&user, &id))
        }
        Err(ErrorCode::ValidationFailed) => {
            let draft = FormDraft::failed(t!("talk-choose")).with_message(t!("talk-choose-text"));
            draft.put(&*ctx.authenticator, FORM).await;
            form_submission::redirect(&format!("/{}/concierge", user.caller.persona.name()))
        }
        Err(code) => {
            refuse(&ctx, code, user.caller.persona, "").await;
            form_submission::redirect(&format!("/{}/concierge", user.caller.persona.name()))
        }
    }
}

/// Action of a form on one conversation.
enum ConversationAction {
    Stop,
    Again,
    Rename(String),
    Forget,
    Call,
    Back,
}

async fn with(
    conversation: &str,
    action: ConversationAction,
    live: &str,
) -> Result<(), ServerFnError> {
    let ctx = form_submission::open_context()?;
    let user = match someone(&ctx).await {
        Ok(user) => user,
        Err(sign_in) => return form_submission::redirect(&sign_in),
    };
    let (concierge, caller) = (&ctx.concierge, &user.caller);
    let (done, then) = match action {
        ConversationAction::Stop => (
            concierge.stop(caller, conversation).await,
            place(&user, conversation),
        ),
        ConversationAction::Again => (
            concierge.retry_turn(caller, conversation).await,
            place(&user, conversation),
        ),
        ConversationAction::Rename(title) => (
            concierge.rename(caller, conversation, &title).await,
            place(&user, conversation),
        ),
        ConversationAction::Forget => (
            concierge.delete(caller, conversation).await,
            place(&user, ""),
        ),
        ConversationAction::Call => {
            let reason = "The guest asked for a person.";
            (
                concierge.hand_over(caller, conversation, reason).await,
                place(&user, conversation),
            )
        }
        ConversationAction::Back if caller.persona == Persona::Staff => (
            hand_back_as_staff(&ctx, caller, conversation).await,
            "/staff/conversations".to_owned(),
        ),
        ConversationAction::Back => (
            concierge.hand_back(caller, conversation).await,
            place(&user, conversation),
        ),
    };
    match done {
        Ok(()) => wait(&ctx, caller, conversation, live).await,
        Err(code) => refuse(&ctx, code, caller.persona, "").await,
    }
    form_submission::redirect(&then)
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

/// Stops the current answer.
#[server(prefix = "/form", endpoint = "concierge_stop")]
pub async fn stop_talking(
    #[server(default)] conversation: String,
    #[server(default)] live: String,
) -> Result<(), ServerFnError> {
    with(&conversation, ConversationAction::Stop, &live).await
}

/// Asks the model again.
#[server(prefix = "/form", endpoint = "concierge_again")]
pub async fn ask_again(
    #[server(default)] conversation: String,
    #[server(default)] live: String,
) -> Result<(), ServerFnError> {
    with(&conversation, ConversationAction::Again, &live).await
}

/// Renames a conversation.
#[server(prefix = "/form", endpoint = "concierge_rename")]
pub async fn rename(
    #[server(default)] conversation: String,
    #[server(default)] title: String,
) -> Result<(), ServerFnError> {
    with(&conversation, ConversationAction::Rename(title), "live").await
}

/// Deletes a conversation.
#[server(prefix = "/form", endpoint = "concierge_forget")]
pub async fn forget(#[server(default)] conversation: String) -> Result<(), ServerFnError> {
    with(&conversation, ConversationAction::Forget, "live").await
}

/// Asks the front desk to take over.
#[server(prefix = "/form", endpoint = "concierge_call")]
pub async fn call_person(#[server(default)] conversation: String) -> Result<(), ServerFnError> {
    with(&conversation, ConversationAction::Call, "live").await
}

/// Hands the conversation back to the concierge, by staff or by the guest.
#[server(prefix = "/form", endpoint = "concierge_back")]
pub async fn hand_back(#[server(default)] conversation: String) -> Result<(), ServerFnError> {
    with(&conversation, ConversationAction::Back, "live").await
}

/// Turns the concierge on or off.
#[server(prefix = "/form", endpoint = "concierge_switch")]
pub async fn switch(#[server(default)] on: String) -> Result<(), ServerFnError> {
    let page = "/staff/conversations";
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, page).await? else {
        return Ok(());
    };
    if let Err(code) = ctx.concierge.set_enabled(&user.caller, on == "on").await {
        refuse(&ctx, code, Persona::Staff, "").await;
    }
    form_submission::redirect(page)
}
