//! Common parts of all forms: a form changes something, then redirects to a page.

use dewy_domain::caller::Persona;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::{language::t, page::see_other, page_context::PageContext};

/// Redirects (303) to a page. Returns nothing: the page shows the result.
pub fn go(to: &str) -> Result<(), ServerFnError> {
    let answer = use_context::<ResponseOptions>().unwrap_or_default();
    see_other(&answer, to);
    Ok(())
}

/// Context of this form.
pub fn ctx() -> Result<PageContext, ServerFnError> {
    PageContext::open().ok_or_else(|| ServerFnError::new(t!("sign-in-down")))
}

/// Ends the session.
#[server(prefix = "/form", endpoint = "sign_out")]
pub async fn sign_out() -> Result<(), ServerFnError> {
    let ctx = ctx()?;
    let persona = ctx
        .authenticator
        .who()
        .await
        .map_or(Persona::Guest, |who| who.caller.persona);
    ctx.authenticator.sign_out().await;
    go(&format!("/{}/sign-in", persona.name()))
}
