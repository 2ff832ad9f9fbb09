//! What all forms have in common: they change something, and then the browser reads a page again.

use dewy_domain::caller::Persona;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::{page::see_other, page_context::PageContext};

/// Ends a form with 303 to a page. Nothing to return: what there is to tell is on that page.
pub fn go(to: &str) -> Result<(), ServerFnError> {
    let answer = use_context::<ResponseOptions>().unwrap_or_default();
    see_other(&answer, to);
    Ok(())
}

/// The ports of this form.
pub fn ctx() -> Result<PageContext, ServerFnError> {
    PageContext::open().ok_or_else(|| ServerFnError::new("Signing in does not work right now."))
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
