//! How a page stays fresh where no script runs.

use leptos::prelude::*;

/// Whether the browser's bundle was built; the shell knows.
#[derive(Clone, Copy, Debug)]
pub struct Bundle(pub bool);

/// Reads the page again every two seconds while something still happens: without a script, or without the bundle.
#[component]
pub fn Refresh(
    /// Nothing happens any more.
    at_rest: bool,
) -> impl IntoView {
    let live = use_context::<Bundle>().is_some_and(|bundle| bundle.0);
    match (at_rest, live) {
        (true, _) => ().into_any(),
        (false, false) => view! { <meta http-equiv="refresh" content="2" /> }.into_any(),
        (false, true) => {
            view! {
                <noscript>
                    <meta http-equiv="refresh" content="2" />
                </noscript>
            }
            .into_any()
        }
    }
}
