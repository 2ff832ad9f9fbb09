//! One of several values.

use leptos::prelude::*;

/// A labelled list to choose from; the first entry is "any".
#[component]
pub fn Select(
    /// The form's name for it; also its id.
    name: &'static str,
    /// What to choose.
    label: &'static str,
    /// Value and word.
    options: Vec<(&'static str, &'static str)>,
    /// What was chosen before.
    #[prop(into)]
    value: String,
) -> impl IntoView {
    let option = |(key, word): (&'static str, &'static str)| {
        let selected = key == value;
        view! {
            <option value=key selected=selected>
                {word}
            </option>
        }
    };
    let options = [("", "Any")]
        .into_iter()
        .chain(options)
        .map(option)
        .collect_view();
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <select id=name name=name>
                {options}
            </select>
        </div>
    }
}
