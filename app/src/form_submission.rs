//! Common parts of all forms: a form changes something, then redirects to a page.

use axum::http::{HeaderValue, StatusCode, header};
use dewy_domain::{caller::Persona, ports::SignedIn};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::{
    language::t,
    page_context::{PageContext, sign_in_url},
};

/// Redirects (303) to a page. Returns nothing: the page shows the result.
pub fn redirect(to: &str) -> Result<(), ServerFnError> {
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
pub fn open_context() -> Result<PageContext, ServerFnError> {
    PageContext::open().ok_or_else(|| ServerFnError::new(t!("sign-in-down")))
}

/// Context of this form, and who sent it; others are redirected to the sign-in page and return to
/// `back` afterward.
pub async fn require_sender(
    persona: Persona,
    back: &str,
) -> Result<Option<(PageContext, SignedIn)>, ServerFnError> {
    let ctx = open_context()?;
    match ctx.require_persona(persona, back).await {
        Ok(user) => Ok(Some((ctx, user))),
        Err(_) => {
            redirect(&sign_in_url(persona, back))?;
            Ok(None)
        }
    }
}
