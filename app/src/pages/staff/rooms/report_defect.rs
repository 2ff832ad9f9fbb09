//! Reports a defect in a room.

use dewy_domain::tool_catalog::SubmitMaintenanceRequest;

use super::{PAGE, RoomState};
use crate::pages::{prelude::*, staff::board::QuickAction};

pub const FORM: &str = "defect";

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
            <form method="post" action="/form/report_defect">
                <Field name="description" label="What is wrong" kind="lines" value=draft.value("description") problem=draft.problem("description") />
                <Select name="type" label="What kind" options=labels::pairs(&["Maintenance", "Facilities"]) value=draft.value_or("type", "Maintenance") />
                <Select name="priority" label="Priority" options=labels::priorities() value=draft.value_or("priority", "Medium") />
                {take_out}
                {hidden([("room_number", room_state.facts.room.number.to_string()), (TOKEN, token_of(draft, ctx))])}
                <p class="actions"><button>"Report it"</button></p>
            </form>
        </section>
    }
    .into_any()
}

/// Opens the case, and takes the room out of service if requested.
pub async fn report_defect(form: FormSubmission) -> FormResult {
    let room_number = form.raw("room_number").to_owned();
    let back = match room_number.as_str() {
        "" => PAGE.to_owned(),
        number => page_url::room(number),
    };
    let user = form.sender(Persona::Staff, &back).await?;
    let draft = form.draft(&["description", "type", "priority", "take_out_of_service"]);
    if form.get("description").is_empty() {
        let refused = FormDraft::invalid_field("description", "Describe the problem");
        return form
            .invalid(refused.with_fields_of(draft), FORM, &back)
            .await;
    }
    let mut input = form.input(&["room_number", "description", "type", "priority"]);
    if !form.raw("take_out_of_service").is_empty() {
        input["take_out_of_service"] = json!(true);
    }
    QuickAction::<SubmitMaintenanceRequest>::new(FORM, back, "The problem was not reported")
        .input(input)
        .draft(draft)
        .send(&form, &user, move |case| {
            let case = case.case_number;
            format!("Case {case} is open for room {room_number}.")
        })
        .await
}
