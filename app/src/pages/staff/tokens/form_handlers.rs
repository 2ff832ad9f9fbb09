//! Form handlers: create and revoke a token.

use dewy_domain::ports::{TokenError, TokenOrder};

use super::PAGE;
use crate::pages::prelude::*;

pub const FORM: &str = "token";

/// Creates a token; it is shown on the next page, and never again.
pub async fn make_token(form: FormSubmission) -> FormResult {
    let user = form.sender(Persona::Staff, PAGE).await?;
    let draft = form.draft(&["name", "persona", "email", "role", "days", "read_only"]);
    let role = Role::from_name(form.get("role"));
    if !form.get("role").is_empty() && role.is_none() {
        let refused = FormDraft::invalid_field("role", "Choose one of the roles");
        return form.again(refused.with_fields_of(draft), FORM, PAGE).await;
    }
    let order = TokenOrder {
        persona: match form.raw("persona") == Persona::Guest.name() {
            true => Persona::Guest,
            false => Persona::Staff,
        },
        email: match form.get("email") {
            "" => user.caller.email.clone(),
            email => email.into(),
        },
        name: form.get("name").to_owned(),
        role,
        read_only: form.raw("read_only") == "on",
        // The token maker rejects an invalid number of days.
        days: form.get("days").parse().unwrap_or(0),
    };
    let refused = FormDraft::failed("No token was created");
    let refused = match form.ctx.token_admin.create(&user.caller, order).await {
        Ok(()) => return Ok(PAGE.to_owned()),
        Err(TokenError::Problems(problems)) => FormDraft {
            problems,
            ..refused
        },
        Err(other) => refused.with_message(other.to_string()),
    };
    form.again(refused.with_fields_of(draft), FORM, PAGE).await
}

pub async fn revoke_token(form: FormSubmission) -> FormResult {
    let user = form.sender(Persona::Staff, PAGE).await?;
    let revoked = form.ctx.token_admin.revoke(&user.caller, form.raw("id"));
    match revoked.await {
        // Whether it was still valid or had expired already: it is over, and the page shows so
        Ok(_) => Ok(PAGE.to_owned()),
        Err(error) => {
            let draft = FormDraft::failed("Nothing was revoked").with_message(error.to_string());
            form.again(draft, FORM, PAGE).await
        }
    }
}
