//! The named steps of an execution, in one direction.

use dewy_domain::view::StepView;
use leptos::prelude::*;

use super::icon::Icon;
use crate::words;

/// Steps in their order, each with its state, what is to be said about it, and when it last changed.
#[component]
pub fn Steps(
    /// `forward` or `back`.
    way: &'static str,
    /// In order.
    steps: Vec<StepView>,
) -> impl IntoView {
    view! { <ol class="steps" data-way=way>{steps.into_iter().map(step).collect_view()}</ol> }
}

fn step(step: StepView) -> impl IntoView {
    let attempts = (step.attempts > 1).then(|| format!("sent {} times", step.attempts));
    let at = step.at.map(|at| view! { <time datetime=at.to_string()>{words::clock_time(at)}</time> });
    let note = (!step.note.is_empty()).then(|| view! { <p class="note">{step.note}</p> });
    let key = step.key.map(|key| view! { <p class="key">"Key " <code>{key}</code></p> });
    view! {
        <li class="step" data-state=step.state.clone()>
            <span class="mark">
                <Icon state=step.state.clone() />
            </span>
            <div>
                <p class="title">
                    <strong>{step.title}</strong>
                    " "
                    <span class="state">{words::step_state(&step.state)}</span>
                </p>
                {note}
                <p class="when">{at} {attempts.map(|text| view! { <span>{text}</span> })}</p>
                {key}
            </div>
        </li>
    }
}
