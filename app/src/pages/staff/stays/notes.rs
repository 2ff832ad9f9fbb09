//! Staff notes about a stay. Guests never see them.

use dewy_domain::{
    blank_text::is_blank,
    payment_card_number::{CARD_NUMBER, has_card_number},
    ports::MAX_NOTE_LENGTH,
};

use crate::pages::prelude::*;

const FORM: &str = "stay-note";

/// Notes, newest first, and a form for a new one. `execution`: the record they are shown on, instead
/// of the stay's page.
pub async fn notes(
    request: &PageRequest,
    user: &SignedIn,
    number: &str,
    execution: Option<&str>,
) -> AnyView {
    let draft = FormDraft::take(&*request.ctx.authenticator, FORM).await;
    let list = match request
        .ctx
        .stay_notes
        .notes(&user.caller, &number.into())
        .await
    {
        Ok(list) => {
            let items = list.into_iter().map(|note| {
                view! {
                    <li>
                        <p class="note">{note.body}</p>
                        <p class="aside">{note.by} ", " <Timestamp at=note.at /></p>
                    </li>
                }
            });
            let empty = "No notes yet. Leave what the next shift should know here.";
            rows("rows notes", items, empty)
        }
        Err(_) => view! { <p class="notice">"The notes cannot be read right now."</p> }.into_any(),
    };
    let token = token_of(&draft, &request.ctx);
    view! {
        {list}
        <ErrorSummary draft=draft.clone() />
        <form method="post" action="/form/add_note">
            <Field name="body" label="Add a note" kind="lines" hint="Staff only: guests don’t see it." value=draft.value("body") problem=draft.problem("body") />
            {hidden([("booking_number", number.to_owned()), (TOKEN, token)])}
            {execution.map(|id| hidden([("execution_id", id.to_owned())]))}
            <button class="quiet">"Add the note"</button>
        </form>
    }
    .into_any()
}

pub async fn add_note(form: FormSubmission) -> FormResult {
    let number = form.raw("booking_number");
    let here = match form.raw("execution_id") {
        "" => page_url::stay(number),
        id => page_url::execution(id),
    };
    let user = form.sender(Persona::Staff, &here).await?;
    let (ctx, body) = (&form.ctx, form.raw("body"));
    let page = format!("{here}#notes");
    let number = number.into();
    let notes = &ctx.stay_notes;
    let added = notes.add(&user.caller, &number, form.token(), body);
    let draft = match added.await {
        Ok(()) => {
            let flash = Flash::new("The note was added.");
            flash.put(&*ctx.authenticator).await;
            return Ok(page);
        }
        Err(ErrorCode::ValidationFailed) if is_blank(body) => {
            FormDraft::invalid_field("body", "Write a note first.")
        }
        Err(ErrorCode::ValidationFailed) if has_card_number(body) => {
            FormDraft::invalid_field("body", format!("The note {CARD_NUMBER}"))
        }
        Err(ErrorCode::ValidationFailed) => FormDraft::invalid_field(
            "body",
            format!(
                "A note has at most {MAX_NOTE_LENGTH} characters. Open a case for anything longer."
            ),
        ),
        Err(_) => FormDraft::failed("The note was not added")
            .with_message("Please try again in a moment."),
    };
    form.invalid(draft.field("body", body), FORM, &page).await
}
