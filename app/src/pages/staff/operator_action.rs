//! Operator action on an execution: its effect, a reason, and a confirmation.

use dewy_domain::tool_catalog::ResolveExecution;

use super::{
    board::{QuickAction, guest_of},
    execution_record::money_at_stake,
    require_front_desk::require_front_desk,
};
use crate::pages::prelude::*;

const FORM: &str = "resolve";
/// Page with everything that needs attention.
const ATTENTION: &str = "/staff/attention";

/// Asks for the reason and a confirmation.
pub async fn act_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let view = request
        .ctx
        .execution(&user.caller, &request.id)
        .await
        .ok_or(PageError::NotFound)?;
    let draft = FormDraft::take(&*request.ctx.authenticator, FORM).await;
    let token = token_of(&draft, &request.ctx);
    let back = request.query_param("back").unwrap_or_default();
    let content = confirm(&view, &request.act, draft, token, back);
    Ok(PageLayout::new("What you can do").who(&user).staff(content))
}

fn confirm(
    view: &ExecutionView,
    resolution: &str,
    draft: FormDraft,
    token: String,
    back: &str,
) -> AnyView {
    let record = format!("/staff/executions/{}", view.execution_id);
    let Some(act) = view
        .acts
        .iter()
        .find(|act| act.resolution.as_str() == resolution)
    else {
        return view! {
            <div class="narrow">
                <ErrorSummary draft=draft />
                <h1>"That is not possible any more"</h1>
                <p class="lead">"It went on meanwhile: " {view.summary.to_string()}</p>
                <p class="actions"><a class="button" href=record>"Back to the record"</a></p>
            </div>
        }
        .into_any();
    };
    let stake = money_at_stake(view);
    let place = labels::place(
        view.guest_email.as_deref(),
        view.booking_number.as_deref(),
        view.room_number.as_deref(),
    );
    let form = match &act.barred {
        Some(why) => view! {
            <p class="notice">"Not for you: " {why.clone()}</p>
            <p class="actions"><a class="button quiet" href=record>"Back to the record"</a></p>
        }
        .into_any(),
        None => view! {
            <form method="post" action="/form/resolve">
                <Field
                    name="reason"
                    label="Reason"
                    kind="lines"
                    only_question_about="effect"
                    hint="For people who read this record later: what you know and why you do this."
                    value=draft.value("reason")
                    problem=draft.problem("reason")
                />
                <input type="hidden" name="execution_id" value=view.execution_id.clone() />
                <input type="hidden" name="resolution" value=act.resolution.to_string() />
                <input type="hidden" name="back" value=back.to_owned() />
                <input type="hidden" name=TOKEN value=token />
                <p class="actions">
                    <button>{act.title.clone()}</button>
                    <a href=record>"Go back"</a>
                </p>
            </form>
        }
        .into_any(),
    };
    view! {
        <div class="narrow">
            <ErrorSummary draft=draft />
            <h1>{act.title.clone()}</h1>
            <p class="place"><StatusBadge state=view.state.clone() word=labels::state(&view.state) /> {view.title.clone()} {(!place.is_empty()).then(|| format!("{}{place}", labels::DOT))}</p>
            <section class="card will" aria-labelledby="will">
                <h2 id="will">"What this does"</h2>
                <p id="effect">{act.will.clone()}</p>
                {stake.map(|stake| view! { <p class="stake">{stake}</p> })}
            </section>
            {form}
        </div>
    }
    .into_any()
}

/// Signals the execution, and returns to where it was seen: what else needs attention, or Today.
pub async fn resolve(form: FormSubmission) -> FormResult {
    let then = form.back(Persona::Staff, ATTENTION);
    let (execution_id, resolution) = (form.raw("execution_id"), form.raw("resolution"));
    let plain = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
    };
    let back = if plain(execution_id) && plain(resolution) {
        let page = format!("/staff/executions/{execution_id}/act/{resolution}");
        page_url::with_query(&page, [("back", form.raw("back"))])
    } else {
        ATTENTION.to_owned()
    };
    let user = form.sender(Persona::Staff, &back).await?;
    if form.get("reason").is_empty() {
        let draft = FormDraft::invalid_field("reason", "Say why, in a few words");
        return form.invalid(draft, FORM, &back).await;
    }
    let (whose, stake) = about(&form.ctx, &user, execution_id).await;
    let action = QuickAction::<ResolveExecution>::new(FORM, back, "Nothing was done")
        .input(form.input_of::<ResolveExecution>())
        .then(then)
        .draft(form.draft(&["reason"]));
    let record = format!("/staff/executions/{execution_id}");
    let done = |state: &ExecutionState| settled(&whose, stake.as_deref(), state);
    action
        .send(&form, &user, |result| {
            Flash::new(done(&result.state)).link(record, "Details")
        })
        .await
}

/// Whose execution it is, and its money at stake.
async fn about(ctx: &PageContext, user: &SignedIn, id: &str) -> (String, Option<String>) {
    let Some(view) = ctx.execution(&user.caller, id).await else {
        return ("The execution".to_owned(), None);
    };
    let name = match (&view.booking_number, view.guest_email) {
        (Some(number), _) => guest_of(ctx, user, number).await,
        (None, Some(email)) => email.into(),
        (None, None) => view.title,
    };
    let room = view.room_number.map(|room| format!(", room {room}"));
    let money = view.money.filter(|money| money.net().0 > 0);
    (
        format!("{name}{}", room.unwrap_or_default()),
        money.map(|money| labels::money(money.net(), money.currency)),
    )
}

/// What became of it, by the state it came to rest in.
fn settled(whose: &str, stake: Option<&str>, state: &ExecutionState) -> String {
    match (state, stake) {
        (ExecutionState::Compensated, Some(stake)) => format!("{whose}: {stake} refunded."),
        (ExecutionState::Compensated, None) => format!("{whose}: undone."),
        (ExecutionState::Completed, _) => format!("{whose}: finished."),
        (ExecutionState::NeedsAttention, _) => format!("{whose}: still needs attention."),
        (state, _) => format!("{whose}: {}.", labels::state(state).to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::{execution_view::AvailableResolution, vocabulary::Resolution};
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_notice_names_the_guest_and_the_amount() {
        let said = |state| settled("Zoe Mueller, room 204", Some("$250.00"), &state);
        assert_eq!(
            said(ExecutionState::Compensated),
            "Zoe Mueller, room 204: $250.00 refunded."
        );
        assert_eq!(
            said(ExecutionState::NeedsAttention),
            "Zoe Mueller, room 204: still needs attention."
        );
        assert_eq!(
            said(ExecutionState::SettledByHand),
            "Zoe Mueller, room 204: settled by hand."
        );
    }

    #[test]
    fn without_permission_a_reason_replaces_the_form() {
        let mut view =
            super::super::execution_record::sample("process_guest_checkout", "done", Value::Null);
        view.acts = vec![AvailableResolution {
            resolution: Resolution::FinishForward,
            title: "Finish it".to_owned(),
            will: "The payment is kept.".to_owned(),
            barred: Some("a manager has to do it".to_owned()),
        }];
        let token = "t".to_owned();
        let html = Owner::new()
            .with(|| confirm(&view, "finish_forward", FormDraft::default(), token, "").to_html());
        for words in [
            "The payment is kept.",
            "Not for you: ",
            "a manager has to do it",
        ] {
            assert!(html.contains(words), "{words}: {html}");
        }
        assert!(!html.contains("/form/resolve"), "{html}");
    }
}
