//! Operator action on an execution: its effect, a reason, and a confirmation.

use dewy_domain::{caller::Persona, view::ExecutionView};
use leptos::{prelude::*, server_fn::ServerFn};
use serde_json::json;

use super::{execution_record::money_at_stake, staff_reads::admit_desk};
use crate::{
    components::{ErrorSummary, Field, StatusBadge},
    form_draft::FormDraft,
    form_submission, labels,
    layout::PageLayout,
    render_page::{PageError, PageRequest, page},
    tool_form::{TOKEN, ToolForm, token_of},
};

/// Session key of the form.
const FORM: &str = "resolve";

/// Asks for the reason and a confirmation.
#[component]
pub fn ActPage() -> impl IntoView {
    page(|visit: PageRequest| async move {
        let who = admit_desk(&visit).await?;
        let view = visit
            .ctx
            .watch
            .execution(&who.caller, &visit.id)
            .await
            .ok_or(PageError::NotFound)?;
        let draft = FormDraft::take(&*visit.ctx.authenticator, FORM).await;
        let token = token_of(&draft, &visit.ctx);
        let content = confirm(&view, &visit.act, draft, token);
        Ok(PageLayout::new("What you can do").who(&who).staff(content))
    })
}

fn confirm(view: &ExecutionView, resolution: &str, draft: FormDraft, token: String) -> AnyView {
    let record = format!("/staff/executions/{}", view.execution_id);
    let Some(act) = view.acts.iter().find(|act| act.resolution == resolution) else {
        return view! {
            <div class="narrow">
                <ErrorSummary draft=draft />
                <h1>"That is not possible any more"</h1>
                <p class="lead">"It went on meanwhile: " {view.summary.clone()}</p>
                <p class="actions"><a class="button" href=record>"Back to the record"</a></p>
            </div>
        }
        .into_any();
    };
    let stake = money_at_stake(view);
    let place = [
        view.guest_email.clone(),
        view.booking_number.clone(),
        view.room_number.as_ref().map(|r| format!("room {r}")),
    ];
    let place = place.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let form = match &act.barred {
        Some(why) => view! {
            <p class="notice">"Not for you: " {why.clone()}</p>
            <p class="actions"><a class="button quiet" href=record>"Back to the record"</a></p>
        }
        .into_any(),
        None => view! {
            <form method="post" action=Resolve::PATH>
                <Field
                    name="reason"
                    label="Reason"
                    kind="lines"
                    hint="For whoever reads this record later: what you know and why you do it."
                    value=draft.value("reason")
                    problem=draft.problem("reason")
                />
                <input type="hidden" name="execution_id" value=view.execution_id.clone() />
                <input type="hidden" name="resolution" value=act.resolution.clone() />
                <input type="hidden" name=TOKEN value=token />
                <p class="actions">
                    <button>{act.title.clone()}</button>
                    <a href=record>"Leave it as it is"</a>
                </p>
            </form>
        }
        .into_any(),
    };
    view! {
        <div class="narrow">
            <ErrorSummary draft=draft />
            <h1>{act.title.clone()}</h1>
            <p class="place"><StatusBadge state=view.state.clone() word=labels::state(&view.state) /> {view.title.clone()} {(!place.is_empty()).then(|| format!(" · {place}"))}</p>
            <section class="card will" aria-labelledby="will">
                <h2 id="will">"What this does"</h2>
                <p>{act.will.clone()}</p>
                {stake.map(|stake| view! { <p class="stake">{stake}</p> })}
            </section>
            {form}
        </div>
    }
    .into_any()
}

/// Signals the execution and redirects to its record.
#[server(prefix = "/form", endpoint = "resolve")]
pub async fn resolve(
    #[server(default)] execution_id: String,
    #[server(default)] resolution: String,
    #[server(default)] reason: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let plain = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
    };
    let back = if plain(&execution_id) && plain(&resolution) {
        format!("/staff/executions/{execution_id}/act/{resolution}")
    } else {
        "/staff/attention".to_owned()
    };
    let Some((ctx, who)) = form_submission::require_sender(Persona::Staff, &back).await? else {
        return Ok(());
    };
    let reason = reason.trim().to_owned();
    if reason.is_empty() {
        let draft = FormDraft::invalid_field("reason", "Say why, in a few words")
            .field(TOKEN, idempotency_token);
        draft.put(&*ctx.authenticator, FORM).await;
        return form_submission::redirect(&back);
    }
    let form = ToolForm {
        tool: "resolve_execution",
        input: json!({ "execution_id": execution_id, "resolution": resolution, "reason": reason }),
        form: FORM,
        back,
        failure_title: "Nothing was done",
        draft: FormDraft::default().field("reason", reason),
        token: idempotency_token,
    };
    form.send(&ctx, &who).await
}

#[cfg(test)]
mod tests {
    use dewy_domain::view::Act;
    use serde_json::Value;

    use super::*;

    #[test]
    fn who_may_not_act_reads_why_and_has_no_form() {
        let mut view =
            super::super::execution_record::sample("process_guest_checkout", "done", Value::Null);
        view.acts = vec![Act {
            resolution: "finish_forward".to_owned(),
            title: "Finish it".to_owned(),
            will: "The payment is kept.".to_owned(),
            barred: Some("a manager has to do it".to_owned()),
        }];
        let token = "t".to_owned();
        let html = Owner::new()
            .with(|| confirm(&view, "finish_forward", FormDraft::default(), token).to_html());
        for words in [
            "The payment is kept.",
            "Not for you: ",
            "a manager has to do it",
        ] {
            assert!(html.contains(words), "{words}: {html}");
        }
        assert!(!html.contains(Resolve::PATH), "{html}");
    }
}
