//! Detection of browsers that keep no cookies: nobody stays signed in with one, and no form can tell
//! what went wrong.
//!
//! ```text
//! page with a form ─► cookie and hidden field ─► the field comes back without the cookie ─► sign-in page says so
//! ```

use dewy_domain::caller::Persona;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::{
    cookie, form_draft::FormDraft, http_request::with_request, language::t, page_url,
    render_page::PageRequest,
};

const COOKIE: &str = "dewy_cookies";
const ASKED: &str = "asked";
const BLOCKED: &str = "blocked";

/// Hidden field `cookies` of a form that needs them, with a cookie to come back beside it.
#[component]
pub fn CookieCheck() -> impl IntoView {
    if let Some(answer) = use_context::<ResponseOptions>() {
        cookie::set(&answer, COOKIE, ASKED);
    }
    view! { <input type="hidden" name="cookies" value=ASKED /> }
}

/// Sign-in page that says why it can't work, if the cookie did not come back with the field.
pub fn blocked_url(cookies: &str, persona: Persona, next: &str) -> Option<String> {
    let page = format!("/{}/sign-in", persona.name());
    (cookies == ASKED && !came_back())
        .then(|| page_url::with_query(&page, [("cookies", BLOCKED), ("next", next)]))
}

/// Error for the sign-in page that [`blocked_url`] names.
pub fn blocked_notice(request: &PageRequest) -> Option<FormDraft> {
    let blocked = request.query_param("cookies") == Some(BLOCKED) && !came_back();
    blocked.then(|| {
        FormDraft::failed(t!("cookies-blocked")).with_message(t!("cookies-blocked-how").to_owned())
    })
}

fn came_back() -> bool {
    with_request(|parts| cookie::read(&parts.headers, COOKIE).is_some()).unwrap_or_default()
}
