//! Select field.

use leptos::prelude::*;

use crate::language::t;

#[component]
pub fn Select(
    /// Field name; also the element id.
    name: &'static str,
    label: &'static str,
    options: Vec<(&'static str, &'static str)>,
    /// Whether "any" comes first, with an empty value.
    #[prop(optional)]
    any: bool,
    #[prop(into)] value: String,
    #[prop(optional_no_strip)] problem: Option<String>,
) -> impl IntoView {
    let invalid = problem.is_some().then_some("true");
    let described = problem.is_some().then(|| format!("{name}-problem"));
    let options = any
        .then(|| ("", t!("any")))
        .into_iter()
        .chain(options)
        .map(|(key, word)| {
            let selected = key == value;
            view! { <option value=key selected=selected>{word}</option> }
        })
        .collect_view();
    view! {
        <div class="field">
            <label for=name>{label}</label>
            {problem.map(|text| view! { <p class="field-problem" id=format!("{name}-problem")>{text}</p> })}
            <select id=name name=name aria-invalid=invalid aria-describedby=described>
                {options}
            </select>
        </div>
    }
}
