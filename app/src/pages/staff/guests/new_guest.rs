//! Form for a new guest.

use dewy_domain::tool_catalog::CreateContactIfNotFound;

use super::PAGE;
use crate::pages::{
    prelude::*,
    staff::{
        board::{QuickAction, take_kept},
        require_front_desk::require_front_desk,
    },
};

const FORM: &str = "new-guest";
const FORM_PAGE: &str = "/staff/guests/new";
const FIELDS: [&str; 4] = ["email", "first_name", "last_name", "phone"];

pub async fn new_guest_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let draft = take_kept(&request, FORM).await;
    let token = token_of(&draft, &request.ctx);
    let content = view! {
        <div class="narrow">
            <p class="crumbs"><a href=PAGE>"Guests"</a></p>
            <ErrorSummary draft=draft.clone() />
            <h1>"New guest"</h1>
            <p class="lead">"If this email is already on file, the existing guest is shown; nothing is changed."</p>
            <form method="post" action="/form/new_guest">
                <Field name="email" label="Email" kind="email" value=draft.value("email") problem=draft.problem("email") />
                <Field name="first_name" label="First name" value=draft.value("first_name") problem=draft.problem("first_name") />
                <Field name="last_name" label="Last name" value=draft.value("last_name") problem=draft.problem("last_name") />
                <Field name="phone" label="Phone" hint="Best with the country code: +1 212 555 0101" optional=true value=draft.value("phone") problem=draft.problem("phone") />
                <input type="hidden" name=TOKEN value=token />
                <p class="actions">
                    <button>"Add the guest"</button>
                    <a href=PAGE>"Cancel"</a>
                </p>
            </form>
        </div>
    };
    Ok(PageLayout::new("New guest").who(&user).staff(content))
}

/// Creates the contact, or finds the existing one.
pub async fn new_guest(form: FormSubmission) -> FormResult {
    let user = form.sender(Persona::Staff, FORM_PAGE).await?;
    let email = form.get("email").to_lowercase();
    let given = |name| !form.get(name).is_empty();
    let draft = form
        .draft(&FIELDS)
        .field("email", email.clone())
        .check(
            "email",
            email.contains('@'),
            "Enter the guest’s email address",
        )
        .check("first_name", given("first_name"), "Enter the first name")
        .check("last_name", given("last_name"), "Enter the last name");
    if !draft.problems.is_empty() {
        return form.invalid(draft, FORM, FORM_PAGE).await;
    }
    let mut input = form.input(&FIELDS);
    input["email"] = json!(email);
    QuickAction::<CreateContactIfNotFound>::new(FORM, FORM_PAGE, "The guest was not added")
        .input(input)
        .then(page_url::guest(&email))
        .draft(draft)
        .send(&form, &user, |_| String::new())
        .await
}
