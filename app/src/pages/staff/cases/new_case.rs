//! Form for staff to open a case.

use dewy_domain::tool_catalog::ManageCases;

use super::PAGE;
use crate::pages::{
    prelude::*,
    staff::board::{QuickAction, take_kept},
};

const FORM: &str = "new-case";
const FORM_PAGE: &str = "/staff/cases/new";
const FIELDS: [&str; 6] = [
    "type",
    "subject",
    "description",
    "priority",
    "room_number",
    "guest_email",
];

pub async fn new_case_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let draft = take_kept(&request, FORM).await;
    let token = token_of(&draft, &request.ctx);
    let value = |name| draft.value_or(name, request.query_param(name).unwrap_or_default());
    let kinds = labels::pairs(&[
        "Housekeeping",
        "Maintenance",
        "Facilities",
        "Room Service",
        "Concierge",
    ]);
    let priority = Some(value("priority"))
        .filter(|p| !p.is_empty())
        .unwrap_or_else(|| "Medium".to_owned());
    let guest = user.caller.is_front_desk().then(|| {
        view! { <Field name="guest_email" known=Known::Guests label="Guest’s email" kind="email" hint="If it is about a guest" optional=true value=value("guest_email") problem=draft.problem("guest_email") /> }
    });
    let content = view! {
        <div class="narrow">
            <p class="crumbs"><a href=PAGE>"Cases"</a></p>
            <ErrorSummary draft=draft.clone() />
            <h1>"New case"</h1>
            <form method="post" action="/form/new_case">
                <Select name="type" label="Team" options=kinds value=value("type") problem=draft.problem("type") />
                <Field name="subject" label="In a line" value=value("subject") problem=draft.problem("subject") />
                <Field name="description" label="In full" kind="lines" optional=true value=value("description") problem=draft.problem("description") />
                <Field name="room_number" known=Known::Rooms label="Room" optional=true value=value("room_number") problem=draft.problem("room_number") />
                {guest}
                <Select name="priority" label="Priority" options=labels::priorities() value=priority problem=draft.problem("priority") />
                <input type="hidden" name=TOKEN value=token />
                <p class="actions">
                    <button>"Open the case"</button>
                    <a href=PAGE>"Cancel"</a>
                </p>
            </form>
        </div>
    };
    Ok(PageLayout::new("New case").who(&user).staff(content))
}

pub async fn new_case(form: FormSubmission) -> FormResult {
    let user = form.sender(Persona::Staff, FORM_PAGE).await?;
    let draft = form.draft(&FIELDS);
    if form.get("subject").is_empty() {
        let refused = FormDraft::invalid_field("subject", "Say in a line what it is");
        return form
            .invalid(refused.with_fields_of(draft), FORM, FORM_PAGE)
            .await;
    }
    QuickAction::<ManageCases>::new(FORM, FORM_PAGE, "The case was not opened")
        .input(form.input(&FIELDS))
        .then(PAGE)
        .draft(draft)
        .send(&form, &user, |case| {
            format!("Case {} is open: {}.", case.case_number, case.subject)
        })
        .await
}
