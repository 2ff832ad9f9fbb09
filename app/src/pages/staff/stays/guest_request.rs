//! Guest request made at the front desk or by phone.

use dewy_domain::tool_catalog::SubmitGuestServiceRequest;

use super::{FORM, find_booking::FoundBooking};
use crate::pages::{prelude::*, staff::board::QuickAction};

pub fn form(found: &FoundBooking, draft: &FormDraft, token: String) -> AnyView {
    let booking = &found.booking;
    view! {
        <form method="post" action="/form/stay_request">
            <Select name="type" label="Team" options=labels::pairs(&["Housekeeping", "Room Service", "Maintenance", "Concierge"]) value=draft.value_or("type", "Housekeeping") problem=draft.problem("type") />
            <Field name="description" label="Request" kind="lines" hint="In the guest’s words; the guest can read it." value=draft.value("description") problem=draft.problem("description") />
            <Select name="priority" label="Priority" options=labels::priorities() value=draft.value_or("priority", "Medium") />
            {hidden([("booking_number", booking.booking_number.to_string()), ("room_number", found.room_number().to_owned()), (TOKEN, token)])}
            <p class="actions">
                <button>"File the request"</button>
                <a href=page_url::stay(&booking.booking_number)>"Cancel"</a>
            </p>
        </form>
    }
    .into_any()
}

pub async fn stay_request(form: FormSubmission) -> FormResult {
    let stay = page_url::stay(form.raw("booking_number"));
    let back = format!("{stay}/request");
    let user = form.sender(Persona::Staff, &back).await?;
    let draft = form.draft(&["type", "description", "priority"]);
    if form.get("description").is_empty() {
        let refused = FormDraft::invalid_field("description", "Enter the request");
        return form
            .invalid(refused.with_fields_of(draft), FORM, &back)
            .await;
    }
    QuickAction::<SubmitGuestServiceRequest>::new(FORM, back, "The request was not filed")
        .input(form.input_of::<SubmitGuestServiceRequest>())
        .then(stay)
        .draft(draft)
        .send(&form, &user, |case| {
            format!("Case {} is open.", case.case_number)
        })
        .await
}
