//! Select field with an "any" option.

use leptos::prelude::*;

use crate::language::t;

/// Labeled select field; the first option is "any".
#[component]
pub fn Select(
    /// Field name; also the element id.
    name: &'static str,
    /// Label.
    label: &'static str,
    /// Value and label of each option.
    options: Vec<(&'static str, &'static str)>,
    /// Previous value.
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
    let options = [("", t!("any"))]
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
