//! Reports a defect in a room.

use dewy_domain::{
    caller::Persona, tool_catalog::SubmitMaintenanceRequest, tool_output::CaseResult,
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{PAGE, RoomState};
use crate::{
    components::{Field, Select},
    form_draft::FormDraft,
    form_submission, labels,
    page_context::PageContext,
    page_url,
    pages::staff::board::QuickAction,
    tool_form::{TOKEN, form_input, token_of},
};

/// Session key of the form.
pub const FORM: &str = "defect";

/// Defect form of a room.
pub fn form(room_state: &RoomState<'_>, draft: &FormDraft, ctx: &PageContext) -> AnyView {
    let take_out = (!room_state.occupied).then(|| {
        let checked = !draft.value("take_out_of_service").is_empty();
        view! {
            <p class="tick">
                <label><input type="checkbox" name="take_out_of_service" value="on" checked=checked /> " The room can’t be occupied until this is fixed"</label>
            </p>
        }
    });
    view! {
        <section class="card" aria-labelledby="defect">
            <h2 id="defect">"Something is broken"</h2>
            <form method="post" action=ReportDefect::PATH>
                <Field name="description" label="What is wrong" kind="lines" value=draft.value("description") problem=draft.problem("description") />
                <Select name="type" label="What kind" options=labels::pairs(&["Maintenance", "Facilities"]) value=draft.value_or("type", "Maintenance") />
                <Select name="priority" label="Priority" options=labels::priorities() value=draft.value_or("priority", "Medium") />
                {take_out}
                <input type="hidden" name="room_number" value=room_state.facts.room.number.to_string() />
                <input type="hidden" name=TOKEN value=token_of(draft, ctx) />
                <p class="actions"><button>"Report it"</button></p>
            </form>
        </section>
    }
    .into_any()
}

/// Opens the case, and takes the room out of service if requested.
#[server(prefix = "/form", endpoint = "report_defect")]
pub async fn report_defect(
    #[server(default)] room_number: String,
    #[server(default)] description: String,
    #[server(default)] r#type: String,
    #[server(default)] priority: String,
    #[server(default)] take_out_of_service: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let back = if room_number.is_empty() {
        PAGE.to_owned()
    } else {
        page_url::room(&room_number)
    };
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, &back).await? else {
        return Ok(());
    };
    let description = description.trim().to_owned();
    let draft = FormDraft::default()
        .field("description", description.clone())
        .field("type", r#type.clone())
        .field("priority", priority.clone())
        .field("take_out_of_service", take_out_of_service.clone());
    if description.is_empty() {
        FormDraft::invalid_field("description", "Describe the problem")
            .with_fields_of(draft.field(TOKEN, idempotency_token))
            .put_on(&*ctx.authenticator, FORM, &back)
            .await;
        return form_submission::redirect(&back);
    }
    let tap = QuickAction {
        tool: SubmitMaintenanceRequest::NAME,
        input: form_input([
            ("room_number", &*room_number),
            ("description", &description),
            ("type", &r#type),
            ("priority", &priority),
            (
                "take_out_of_service",
                if take_out_of_service.is_empty() {
                    ""
                } else {
                    "true"
                },
            ),
        ]),
        form: FORM,
        back,
        failure_title: "The problem was not reported".to_owned(),
        draft,
        token: idempotency_token,
        ..QuickAction::default()
    };
    tap.send(&ctx, &user, move |case: CaseResult| {
        let case = case.case_number;
        format!("Case {case} is open for room {room_number}.")
    })
    .await
}
