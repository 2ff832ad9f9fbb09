//! Form handlers: create and revoke a token.

use dewy_domain::{
    caller::{Persona, Role},
    ports::{TokenError, TokenOrder},
};
use leptos::prelude::*;

use super::PAGE;
use crate::{form_draft::FormDraft, form_submission};

/// Session key of the form.
pub const FORM: &str = "token";

/// Creates a token; it is shown on the next page, and never again.
#[server(prefix = "/form", endpoint = "make_token")]
pub async fn make_token(
    #[server(default)] name: String,
    #[server(default)] persona: String,
    #[server(default)] email: String,
    #[server(default)] role: String,
    #[server(default)] days: String,
    #[server(default)] read_only: String,
) -> Result<(), ServerFnError> {
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, PAGE).await? else {
        return Ok(());
    };
    let draft = FormDraft::default()
        .field("name", name.trim())
        .field("persona", persona.trim())
        .field("email", email.trim())
        .field("role", role.trim())
        .field("days", days.trim())
        .field("read_only", read_only.trim());
    let email = email.trim();
    if !role.trim().is_empty() && Role::from_name(role.trim()).is_none() {
        FormDraft::invalid_field("role", "Choose one of the roles")
            .with_fields_of(draft)
            .put(&*ctx.authenticator, FORM)
            .await;
        return form_submission::redirect(PAGE);
    }
    let order = TokenOrder {
        persona: if persona == Persona::Guest.name() {
            Persona::Guest
        } else {
            Persona::Staff
        },
        email: if email.is_empty() {
            user.caller.email.clone()
        } else {
            email.into()
        },
        name: name.trim().to_owned(),
        role: Role::from_name(role.trim()),
        read_only: read_only == "on",
        // The token maker rejects an invalid number of days.
        days: days.trim().parse().unwrap_or(0),
    };
    let problem = match ctx.token_admin.create(&user.caller, order).await {
        Ok(()) => return form_submission::redirect(PAGE),
        Err(TokenError::Problems(problems)) => FormDraft {
            problems,
            ..FormDraft::failed("No token was created")
        },
        Err(other) => FormDraft::failed("No token was created").with_message(other.to_string()),
    };
    problem
        .with_fields_of(draft)
        .put(&*ctx.authenticator, FORM)
        .await;
    form_submission::redirect(PAGE)
}

/// Revokes a token immediately.
#[server(prefix = "/form", endpoint = "revoke_token")]
pub async fn revoke_token(#[server(default)] id: String) -> Result<(), ServerFnError> {
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, PAGE).await? else {
        return Ok(());
    };
    // Whether it was still valid or had expired already: it is over, and the page shows so
    if let Err(error) = ctx.token_admin.revoke(&user.caller, &id).await {
        FormDraft::failed("Nothing was revoked")
            .with_message(error.to_string())
            .put(&*ctx.authenticator, FORM)
            .await;
    }
    form_submission::redirect(PAGE)
}
