//! Raw data: the answer as JSON, and the journal row by row. Collapsed, because most users never
//! need it.

use dewy_domain::execution_view::EventView;

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

/// Every row, each collapsed again.
pub fn journal(view: &ExecutionView) -> AnyView {
    if view.timeline.is_empty() {
        return ().into_any();
    }
    let rows = view.timeline.len();
    let rows = if rows == 1 {
        "1 row".to_owned()
    } else {
        format!("{rows} rows")
    };
    view! {
        <details class="raw" id="journal">
            <summary>"Journal, " {rows}</summary>
            <ol class="journal">{view.timeline.iter().cloned().map(row).collect_view()}</ol>
        </details>
    }
    .into_any()
}

fn row(row: EventView) -> impl IntoView {
    view! {
        <li>
            <details id=format!("row-{}", row.seq)>
                <summary>
                    <span class="seq">{row.seq}</span>
                    <Timestamp at=row.at brief=true />
                    <span class="what">{row.title}</span>
                </summary>
                <pre tabindex="0">{pretty(&row.detail)}</pre>
            </details>
        </li>
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}
