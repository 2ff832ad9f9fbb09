//! Steps of an execution: a list for forward steps only, or a timeline with each compensation
//! beside its step.

use dewy_domain::execution_view::StepView;
use leptos::prelude::*;

use super::{Timestamp, icon::Icon};
use crate::{
    labels,
    language::{named, t},
};

/// Steps in order, each with its state, description and last change.
#[component]
pub fn Steps(steps: Vec<StepView>) -> impl IntoView {
    let items = steps
        .into_iter()
        .map(|one| view! { <li>{step("forward", one)}</li> });
    view! { <ol class="steps">{items.collect_view()}</ol> }
}

/// Forward steps from top to bottom, each with its compensation beside it.
#[component]
pub fn Timeline(
    forward: Vec<StepView>,
    /// Compensations in the order they run.
    back: Vec<StepView>,
) -> impl IntoView {
    let undoing = !back.is_empty();
    let rows = pairs(forward, back)
        .into_iter()
        .map(|(there, again)| {
            let back = again.map(|(place, one)| {
                view! {
                    <div class="mirror">
                        <p class="turn">"Undo step " {place}</p>
                        {step("back", one)}
                    </div>
                }
            });
            view! { <li>{there.map(|one| step("forward", one))} {back}</li> }
        })
        .collect_view();
    let heads =
        undoing.then(|| view! { <p class="ways" aria-hidden="true"><span>"Steps"</span><span>"Compensations"</span></p> });
    view! {
        {heads}
        <ol class="steps timeline" data-undoing=undoing.then_some("")>
            {rows}
        </ol>
    }
}

/// A step, and its compensation with its position in the compensation order.
type Pair = (Option<StepView>, Option<(usize, StepView)>);

/// Each step with its compensation and position; compensations without a step come last.
fn pairs(forward: Vec<StepView>, back: Vec<StepView>) -> Vec<Pair> {
    let mut back: Vec<_> = back
        .into_iter()
        .enumerate()
        .map(|(n, one)| (n + 1, one))
        .collect();
    let mut pairs = Vec::new();
    for one in forward {
        let mirror = back
            .iter()
            .position(|(_, undo)| undo.name == one.name)
            .map(|place| back.remove(place));
        pairs.push((Some(one), mirror));
    }
    pairs.extend(back.into_iter().map(|one| (None, Some(one))));
    pairs
}

fn step(direction: &'static str, step: StepView) -> impl IntoView {
    let tries = (step.attempts > 1).then(|| {
        let dots = "●".repeat(usize::try_from(step.attempts.min(12)).unwrap_or(12));
        view! { <span class="tries"><span aria-hidden="true">{dots}</span> {t!("step-sent", count = step.attempts)}</span> }
    });
    let at = step.at.map(|at| view! { <Timestamp at=at brief=true /> });
    let note = (!step.note.is_empty()).then(|| view! { <p class="note">{step.note.clone()}</p> });
    let key = step
        .key
        .map(|key| view! { <p class="key">"Key " <code class="id">{key}</code></p> });
    view! {
        <div class="step" data-way=direction data-state=step.state.to_string()>
            <span class="mark">
                <Icon state=step.state.to_string() />
            </span>
            <div>
                <p class="title">
                    <strong>{named("saga-step", &step.title)}</strong>
                    " "
                    <span class="state">{labels::step_state(&step.state)}</span>
                </p>
                {note}
                <p class="when">{at} {tries}</p>
                {key}
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> StepView {
        StepView {
            name: name.into(),
            title: name.into(),
            state: "done".into(),
            attempts: 1,
            note: String::new(),
            at: None,
            key: None,
        }
    }

    #[test]
    fn each_compensation_is_shown_with_its_step() {
        let rows: Vec<_> = pairs(
            vec![named("customer"), named("pay"), named("move")],
            vec![named("pay"), named("move"), named("text")],
        )
        .into_iter()
        .map(|(there, back)| (there.map(|s| s.name), back.map(|(n, s)| (n, s.name))))
        .collect();
        let text = |name: &str| Some(name.to_owned());
        assert_eq!(
            rows,
            [
                (text("customer"), None),
                (text("pay"), Some((1, "pay".to_owned()))),
                (text("move"), Some((2, "move".to_owned()))),
                (None, Some((3, "text".to_owned()))),
            ]
        );
    }
}
