//! Papers of an execution: the answer as JSON, and the evidence.

use super::waterfall::pretty;
use crate::pages::prelude::*;

pub fn answer(view: &ExecutionView) -> AnyView {
    match &view.answer {
        Some(answer) => view! {
            <details class="raw" id="answer">
                <summary>"The answer, as programs read it"</summary>
                <pre tabindex="0">{pretty(answer)}</pre>
            </details>
        }
        .into_any(),
        None => ().into_any(),
    }
}

/// Files for people outside, for the front desk.
pub fn evidence(view: &ExecutionView, user: &SignedIn) -> Option<AnyView> {
    let file = |end: &str, words: &'static str| {
        let href = format!("/staff/executions/{}/evidence.{end}", view.execution_id);
        view! { <a class="button quiet" href=href download="">{words}</a> }
    };
    user.caller.is_front_desk().then(|| {
        view! {
            <p class="evidence">{file("html", "Evidence as a page")} " " {file("json", "Evidence as JSON")}</p>
            <p class="aside">"For a dispute or an auditor: what was asked, sent, and answered, with all ids and the digests that show that nothing was changed."</p>
        }
        .into_any()
    })
}
