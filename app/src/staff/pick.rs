//! One of several values, none of which is "any".

use leptos::prelude::*;

/// A labelled list to choose from.
#[component]
pub fn Pick(
    /// The form's name for it; also its id.
    name: &'static str,
    /// What to choose.
    label: &'static str,
    /// Value and word.
    options: Vec<(String, String)>,
    /// What was chosen before.
    #[prop(into)]
    value: String,
    /// What was wrong with it.
    #[prop(optional_no_strip)]
    problem: Option<String>,
) -> impl IntoView {
    let invalid = problem.is_some().then_some("true");
    let described = problem.is_some().then(|| format!("{name}-problem"));
    let options = options
        .into_iter()
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
