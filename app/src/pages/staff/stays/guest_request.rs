//! Guest request made at the front desk or by phone.

use dewy_domain::{
    caller::Persona, tool_catalog::SubmitGuestServiceRequest, tool_output::CaseResult,
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{FORM, find_booking::FoundBooking};
use crate::{
    components::{Field, Select},
    form_draft::FormDraft,
    form_submission, labels, page_url,
    pages::staff::board::QuickAction,
    tool_form::{TOKEN, form_input},
};

/// Request form.
pub fn form(found: &FoundBooking, draft: &FormDraft, token: String) -> AnyView {
    let booking = &found.booking;
    view! {
        <form method="post" action=StayRequest::PATH>
            <Select name="type" label="Team" options=labels::pairs(&["Housekeeping", "Room Service", "Maintenance", "Concierge"]) value=draft.value_or("type", "Housekeeping") problem=draft.problem("type") />
            <Field name="description" label="Request" kind="lines" hint="In the guest’s words; the guest can read it." value=draft.value("description") problem=draft.problem("description") />
            <Select name="priority" label="Priority" options=labels::priorities() value=draft.value_or("priority", "Medium") />
            <input type="hidden" name="booking_number" value=booking.booking_number.to_string() />
            <input type="hidden" name="room_number" value=found.room_number().to_owned() />
            <input type="hidden" name=TOKEN value=token />
            <p class="actions">
                <button>"File the request"</button>
                <a href=page_url::stay(&booking.booking_number)>"Cancel"</a>
            </p>
        </form>
    }
    .into_any()
}

/// Submits the request.
#[server(prefix = "/form", endpoint = "stay_request")]
pub async fn stay_request(
    #[server(default)] booking_number: String,
    #[server(default)] room_number: String,
    #[server(default)] r#type: String,
    #[server(default)] description: String,
    #[server(default)] priority: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let stay = page_url::stay(&booking_number);
    let back = format!("{stay}/request");
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, &back).await? else {
        return Ok(());
    };
    let description = description.trim().to_owned();
    let draft = FormDraft::default()
        .field("type", r#type.clone())
        .field("description", description.clone())
        .field("priority", priority.clone());
    if description.is_empty() {
        FormDraft::invalid_field("description", "Enter the request")
            .with_fields_of(draft.field(TOKEN, idempotency_token))
            .put_on(&*ctx.authenticator, FORM, &back)
            .await;
        return form_submission::redirect(&back);
    }
    let tap = QuickAction {
        tool: SubmitGuestServiceRequest::NAME,
        input: form_input([
            ("type", &*r#type),
            ("description", &description),
            ("booking_number", &booking_number),
            ("room_number", &room_number),
            ("priority", &priority),
        ]),
        form: FORM,
        back,
        then: stay,
        failure_title: "The request was not filed".to_owned(),
        draft,
        token: idempotency_token,
        record: None,
    };
    tap.send(&ctx, &user, |case: CaseResult| {
        format!("Case {} is open.", case.case_number)
    })
    .await
}
