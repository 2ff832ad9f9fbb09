//! Common parts of all forms: a form changes something, then redirects to a page.

use axum::http::{HeaderValue, StatusCode, header};
use dewy_domain::caller::Persona;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::{language::t, page_context::PageContext};

/// Redirects (303) to a page. Returns nothing: the page shows the result.
pub fn go(to: &str) -> Result<(), ServerFnError> {
    let answer = use_context::<ResponseOptions>().unwrap_or_default();
    see_other(&answer, to);
    Ok(())
}

/// Redirect with 303: the browser uses GET.
pub fn see_other(answer: &ResponseOptions, to: &str) {
    answer.set_status(StatusCode::SEE_OTHER);
    let to = HeaderValue::from_str(to).unwrap_or_else(|_| HeaderValue::from_static("/"));
    answer.insert_header(header::LOCATION, to);
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
