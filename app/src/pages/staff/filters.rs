//! Filters in the URL, so that a list can be shared and the back button works.

use serde_json::Map;

use crate::pages::prelude::*;

/// Tool input from the URL: those of the named fields that are present.
pub fn input(request: &PageRequest, names: &[&str]) -> Value {
    let given = names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), Value::from(request.query_param(name)?))));
    Value::Object(given.collect::<Map<_, _>>())
}

/// Selected value of a filter.
pub fn selected(request: &PageRequest, name: &str) -> String {
    request.query_param(name).unwrap_or_default().to_owned()
}

/// Filter form, collapsed unless a filter is set; sent with GET.
pub fn filter_form(action: &'static str, set: usize, fields: AnyView) -> AnyView {
    let summary = match set {
        0 => "Filter".to_owned(),
        1 => "Filter: 1 set".to_owned(),
        n => format!("Filter: {n} set"),
    };
    let open = set > 0;
    view! {
        <details class="filter" open=open>
            <summary>{summary}</summary>
            <form method="get" action=action>
                <div class="filter-fields">{fields}</div>
                <p class="actions">
                    <button>"Show"</button>
                    {(set > 0).then(|| view! { <a href=action>"Clear"</a> })}
                </p>
            </form>
        </details>
    }
    .into_any()
}

/// Link to the list as a CSV file, with the same filters.
pub fn as_file(request: &PageRequest, page: &str, names: &[&str]) -> AnyView {
    let given: Vec<_> = names
        .iter()
        .filter_map(|name| Some((*name, request.query_param(name)?)))
        .collect();
    let href = page_url::with_query(&format!("{page}.csv"), given);
    let name = format!("{}.csv", page.rsplit('/').next().unwrap_or("list"));
    view! { <a class="button quiet" href=href download=name>"Download as CSV"</a> }.into_any()
}

/// Notice that a list is truncated, and how to narrow it.
pub fn truncation_notice(cut: bool, how: String) -> Option<impl IntoView> {
    cut.then(|| {
        let how = if how.is_empty() {
            "Narrow it with the filters above.".to_owned()
        } else {
            how
        };
        view! { <p class="notice">"More results match. " {how}</p> }
    })
}
