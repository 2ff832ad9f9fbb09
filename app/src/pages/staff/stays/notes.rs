//! Staff notes about a stay. Guests never see them.

use dewy_domain::{
    blank_text::is_blank,
    caller::Persona,
    error_code::ErrorCode,
    payment_card_number::{CARD_NUMBER, has_card_number},
    ports::{MAX_NOTE_LENGTH, SignedIn},
};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    components::{ErrorSummary, Field, Timestamp},
    flash::Flash,
    form_draft::FormDraft,
    form_submission, page_url,
    render_page::PageRequest,
    tool_form::{TOKEN, token_of},
};

/// Session key of the form.
const FORM: &str = "stay-note";

/// Notes, newest first, and a form for a new one.
pub async fn notes(request: &PageRequest, user: &SignedIn, number: &str) -> AnyView {
    let draft = FormDraft::take(&*request.ctx.authenticator, FORM).await;
    let list = match request.ctx.stay_notes.notes(&user.caller, &number.into()).await {
        Ok(list) if list.is_empty() => {
            view! { <p class="empty">"No notes yet. Leave what the next shift should know here."</p> }.into_any()
        }
        Ok(list) => {
            let items = list.into_iter().map(|note| {
                view! {
                    <li>
                        <p class="note">{note.body}</p>
                        <p class="aside">{note.by} ", " <Timestamp at=note.at /></p>
                    </li>
                }
            });
            view! { <ul class="rows notes">{items.collect_view()}</ul> }.into_any()
        }
        Err(_) => view! { <p class="notice">"The notes cannot be read right now."</p> }.into_any(),
    };
    let token = token_of(&draft, &request.ctx);
    view! {
        {list}
        <ErrorSummary draft=draft.clone() />
        <form method="post" action=AddNote::PATH>
            <Field name="body" label="Add a note" kind="lines" hint="Staff only: guests don’t see it." value=draft.value("body") problem=draft.problem("body") />
            <input type="hidden" name="booking_number" value=number.to_owned() />
            <input type="hidden" name=TOKEN value=token />
            <button class="quiet">"Add the note"</button>
        </form>
    }
    .into_any()
}

/// Adds a note.
#[server(prefix = "/form", endpoint = "add_note")]
pub async fn add_note(
    #[server(default)] booking_number: String,
    #[server(default)] body: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let stay = page_url::stay(&booking_number);
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, &stay).await? else {
        return Ok(());
    };
    let draft = FormDraft::default()
        .field("body", body.clone())
        .field(TOKEN, idempotency_token.clone());
    match ctx
        .stay_notes
        .add(
            &user.caller,
            &booking_number.into(),
            &idempotency_token,
            &body,
        )
        .await
    {
        Ok(()) => {
            Flash::new("The note was added.")
                .put(&*ctx.authenticator)
                .await
        }
        Err(ErrorCode::ValidationFailed) => {
            let said = if is_blank(&body) {
                "Write a note first.".to_owned()
            } else if has_card_number(&body) {
                format!("The note {CARD_NUMBER}")
            } else {
                format!(
                    "A note has at most {MAX_NOTE_LENGTH} characters. Open a case for anything longer."
                )
            };
            FormDraft::invalid_field("body", said)
                .with_fields_of(draft)
                .put(&*ctx.authenticator, FORM)
                .await;
        }
        Err(_) => {
            FormDraft::failed("The note was not added")
                .with_message("Please try again in a moment.")
                .with_fields_of(draft)
                .put(&*ctx.authenticator, FORM)
                .await;
        }
    }
    form_submission::redirect(&format!("{stay}#notes"))
}
