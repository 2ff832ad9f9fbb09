//! Form for a new guest.

use dewy_domain::{
    caller::Persona, tool_catalog::CreateContactIfNotFound, tool_output::GuestResult,
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::PAGE;
use crate::{
    components::{ErrorSummary, Field},
    form_draft::FormDraft,
    form_submission,
    layout::PageLayout,
    page_url,
    pages::staff::{
        board::{QuickAction, take_kept},
        require_front_desk::require_front_desk,
    },
    render_page::{PageRequest, page},
    tool_form::{TOKEN, form_input, token_of},
};

/// Session key of the form.
const FORM: &str = "new-guest";
const FORM_PAGE: &str = "/staff/guests/new";
const FIELDS: [&str; 4] = ["email", "first_name", "last_name", "phone"];

/// New guest page.
#[component]
pub fn NewGuestPage() -> impl IntoView {
    page(|request: PageRequest| async move {
        let user = require_front_desk(&request).await?;
        let draft = take_kept(&request, FORM).await;
        let token = token_of(&draft, &request.ctx);
        let content = view! {
            <div class="narrow">
                <p class="crumbs"><a href=PAGE>"Guests"</a></p>
                <ErrorSummary draft=draft.clone() />
                <h1>"New guest"</h1>
                <p class="lead">"If this email is already on file, the existing guest is shown; nothing is changed."</p>
                <form method="post" action=NewGuest::PATH>
                    <Field name="email" label="Email" kind="email" value=draft.value("email") problem=draft.problem("email") />
                    <Field name="first_name" label="First name" value=draft.value("first_name") problem=draft.problem("first_name") />
                    <Field name="last_name" label="Last name" value=draft.value("last_name") problem=draft.problem("last_name") />
                    <Field name="phone" label="Phone" hint="Best with the country code: +1 212 555 0101" optional=true value=draft.value("phone") problem=draft.problem("phone") />
                    <input type="hidden" name=TOKEN value=token />
                    <p class="actions">
                        <button>"Add the guest"</button>
                        <a href=PAGE>"Cancel"</a>
                    </p>
                </form>
            </div>
        };
        Ok(PageLayout::new("New guest").who(&user).staff(content))
    })
}

/// Creates the contact, or finds the existing one.
#[server(prefix = "/form", endpoint = "new_guest")]
pub async fn new_guest(
    #[server(default)] email: String,
    #[server(default)] first_name: String,
    #[server(default)] last_name: String,
    #[server(default)] phone: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, FORM_PAGE).await?
    else {
        return Ok(());
    };
    let email = email.trim().to_lowercase();
    let (first, last, phone) = (
        first_name.trim().to_owned(),
        last_name.trim().to_owned(),
        phone.trim().to_owned(),
    );
    let mut draft = FormDraft::default();
    for (field, bad, words) in [
        (
            "email",
            !email.contains('@'),
            "Enter the guest’s email address",
        ),
        ("first_name", first.is_empty(), "Enter the first name"),
        ("last_name", last.is_empty(), "Enter the last name"),
    ] {
        if bad {
            draft = draft.and_invalid_field(field, words);
        }
    }
    let failed = !draft.problems.is_empty();
    let fields = FIELDS.into_iter().zip([&email, &first, &last, &phone]);
    let input = form_input(fields.clone().map(|(name, value)| (name, &**value)));
    for (name, value) in fields {
        draft = draft.field(name, value.clone());
    }
    if failed {
        draft
            .field(TOKEN, idempotency_token)
            .put(&*ctx.authenticator, FORM)
            .await;
        return form_submission::redirect(FORM_PAGE);
    }
    let tap = QuickAction {
        tool: CreateContactIfNotFound::NAME,
        input,
        form: FORM,
        back: FORM_PAGE.to_owned(),
        then: page_url::guest(&email),
        failure_title: "The guest was not added".to_owned(),
        draft,
        token: idempotency_token,
        record: None,
    };
    tap.send(&ctx, &user, |_: GuestResult| String::new()).await
}
