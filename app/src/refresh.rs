//! How a page stays fresh where no script runs.

use leptos::{nonce::use_nonce, prelude::*};

/// Where scripts run but ours did not wake (a bundle that was cut off, or an older one), the page
/// must not stand still.
const PATIENCE: &str =
    r#"setTimeout(()=>document.documentElement.hasAttribute("data-live")||location.reload(),8000)"#;

/// Whether the browser's bundle was built; the shell knows.
#[derive(Clone, Copy, Debug)]
pub struct Bundle(pub bool);

/// Reads the page again while something still happens: every two seconds without a script or
/// without the bundle.
#[component]
pub fn Refresh(
    /// Nothing happens any more.
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
            <script nonce=use_nonce() inner_html=PATIENCE></script>
        }
        .into_any(),
    }
}
