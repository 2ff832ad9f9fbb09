//! Labeled input with its hint and its error.

use leptos::prelude::*;

use crate::{escape::escaped, field_suggestions::Known};

/// Form input. Screen readers announce its error with it.
#[component]
pub fn Field(
    /// Field name; also the element id, so that the problem panel can link to it.
    name: &'static str,
    label: &'static str,
    #[prop(optional)] hint: &'static str,
    /// `text`, `email`, `password`, `date`, or `lines` for several lines of text.
    #[prop(default = "text")]
    kind: &'static str,
    /// Value of the `autocomplete` attribute.
    #[prop(default = "off")]
    autocomplete: &'static str,
    /// Value of the `inputmode` attribute.
    #[prop(optional)]
    inputmode: &'static str,
    /// First date that can be chosen.
    #[prop(optional, into)]
    min: String,
    #[prop(optional, into)] value: String,
    #[prop(optional_no_strip)] problem: Option<String>,
    /// What it names, for suggestions.
    #[prop(optional)]
    known: Option<Known>,
    #[prop(optional)] optional: bool,
    /// Id of the text about which it is the only question: the page opens in this field, and screen
    /// readers read that text with it.
    #[prop(optional)]
    only_question_about: Option<&'static str>,
) -> impl IntoView {
    let hint_id = (!hint.is_empty()).then(|| format!("{name}-hint"));
    let problem_id = problem.as_ref().map(|_| format!("{name}-problem"));
    // Browsers refuse addresses with letters of other scripts in a field of type email
    let (kind, inputmode) = match kind {
        "email" => ("text", "email"),
        other => (other, inputmode),
    };
    let focused = only_question_about.is_some();
    let about = only_question_about.map(str::to_owned);
    let described = [about, hint_id.clone(), problem_id.clone()]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ");
    let described = (!described.is_empty()).then_some(described);
    let invalid = problem.is_some().then_some("true");
    let input = if kind == "lines" {
        view! {
            <textarea id=name name=name rows="3" maxlength="500" required=!optional autofocus=focused aria-invalid=invalid aria-describedby=described>
                {escaped(&value)}
            </textarea>
        }
        .into_any()
    } else {
        view! {
            <input
                id=name
                name=name
                type=kind
                value=value
                autocomplete=autocomplete
                list=known.map(Known::id)
                inputmode=(!inputmode.is_empty()).then_some(inputmode)
                autocapitalize=(inputmode == "email").then_some("none")
                min=(!min.is_empty()).then_some(min)
                spellcheck="false"
                required=!optional
                autofocus=focused
                aria-invalid=invalid
                aria-describedby=described
            />
        }
        .into_any()
    };
    view! {
        <div class="field">
            <label for=name>{label}</label>
            {hint_id.map(|id| view! { <p class="hint" id=id>{hint}</p> })}
            {problem_id.map(|id| view! { <p class="field-problem" id=id>{problem.clone()}</p> })}
            {input}
            {known.map(Known::list)}
        </div>
    }
}
