//! Page reload where no script runs.

use leptos::{nonce::use_nonce, prelude::*};

/// Watchdog: where scripts run but the bundle doesn't load (truncated, or an older one), the page
/// must still update.
const RELOAD_DELAY: &str =
    r#"setTimeout(()=>document.documentElement.hasAttribute("data-live")||location.reload(),8000)"#;

/// Whether the browser bundle was built; used by the shell.
#[derive(Clone, Copy, Debug)]
pub struct Bundle(pub bool);

/// Reloads the page until it is at rest: every two seconds, without scripts or without the bundle.
#[component]
pub fn Refresh(
    /// Whether nothing changes any more.
    at_rest: bool,
) -> impl IntoView {
    let live = use_context::<Bundle>().is_some_and(|bundle| bundle.0);
    match (at_rest, live) {
        (true, _) => ().into_any(),
        (false, false) => view! { <meta http-equiv="refresh" content="2" /> }.into_any(),
        (false, true) => view! {
            <noscript>
                <meta http-equiv="refresh" content="2" />
            </noscript>
            <script nonce=use_nonce() inner_html=RELOAD_DELAY></script>
        }
        .into_any(),
    }
}
