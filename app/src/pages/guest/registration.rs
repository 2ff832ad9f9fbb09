//! Registration of someone new, on the way to a booking: who they are, and the email or phone that
//! gets their code.

use dewy_domain::{
    email_address::EmailAddress,
    ports::{CodeRoute, Registration, RegistrationError},
};

use super::sign_in_code::{code_page, why_not};
use crate::{
    cookie_check::CookieCheck,
    page_context::{safe_return_path, sign_in_url},
    pages::{prelude::*, public::StayQuery, sign_in::return_path},
};

const FORM: &str = "register";
/// Where someone goes who came without an offer.
const DEFAULT_RETURN: &str = "/guest/book";
/// Longer than any valid value.
const MAX_LENGTH: usize = 254;
/// Fields that aren't valid, and the message of each.
const PROBLEMS: [(&str, &str); 4] = [
    ("first_name", "book-first-name-problem"),
    ("last_name", "book-last-name-problem"),
    ("email", "sign-in-bad-email"),
    ("phone", "register-phone-problem"),
];

/// Form with name, email, and phone.
pub async fn register_page(request: PageRequest) -> PageResult {
    let today = hotel_time::today();
    let authenticator = &*request.ctx.authenticator;
    let draft = FormDraft::take(authenticator, FORM).await;
    let next = request
        .query_param("next")
        .map_or_else(|| draft.value("next"), ToOwned::to_owned);
    let next = safe_return_path(Persona::Guest, &next)
        .unwrap_or(DEFAULT_RETURN)
        .to_owned();
    let user = authenticator.signed_in().await;
    if user.is_some_and(|user| user.caller.persona == Persona::Guest) {
        return Err(PageError::Redirect(next));
    }
    let chosen = today.and_then(|today| offer(&next, today));
    let lead = if chosen.is_some() {
        t!("register-lead")
    } else {
        t!("sign-in-first")
    };
    let hint = match authenticator.code_route() {
        CodeRoute::Phone => t!("register-phone-hint"),
        _ => t!("register-phone-hint-email"),
    };
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        <h1>{t!("register-title")}</h1>
        {chosen}
        <p class="lead">{lead}</p>
        <form method="post" action="/form/register">
            <Field name="first_name" label=t!("book-first-name") autocomplete="given-name" value=draft.value("first_name") problem=draft.problem("first_name") />
            <Field name="last_name" label=t!("book-last-name") autocomplete="family-name" value=draft.value("last_name") problem=draft.problem("last_name") />
            <Field name="email" label=t!("email-address") kind="email" autocomplete="email" value=draft.value("email") problem=draft.problem("email") />
            <Field name="phone" label=t!("register-phone") hint=hint kind="tel" autocomplete="tel" value=draft.value("phone") problem=draft.problem("phone") />
            <input type="hidden" name="next" value=next.clone() />
            <CookieCheck />
            <p class="small">{t!("register-privacy")}</p>
            <p class="actions">
                <button>{t!("sign-in-send-code")}</button>
                <a href=sign_in_url(Persona::Guest, &next)>{t!("register-known")}</a>
            </p>
        </form>
    };
    Ok(PageLayout::new(t!("register-title")).guest(content))
}

/// Dates and people of the offer that was chosen.
fn offer(next: &str, today: jiff::civil::Date) -> Option<AnyView> {
    let chosen = StayQuery::in_path(next)?;
    let (stay, count) = chosen.read(today).ok()?;
    let words = [
        date_range(stay.from, stay.to),
        nights(stay.count()),
        people(count),
    ];
    Some(view! { <p class="aside">{words.join(", ")}</p> }.into_any())
}

/// Sends the code and leads to the code page; the same for a known email.
pub async fn register(form: FormSubmission) -> FormResult {
    let authenticator = &*form.ctx.authenticator;
    let next = return_path(&form, Persona::Guest, DEFAULT_RETURN)?;
    let kept = |name: &str| form.get(name).chars().take(MAX_LENGTH).collect::<String>();
    let email = EmailAddress::from(kept("email"));
    let draft = FormDraft::default()
        .field("first_name", kept("first_name"))
        .field("last_name", kept("last_name"))
        .field("email", email.to_string())
        .field("phone", kept("phone"))
        .field("next", next);
    let entered = Registration {
        email,
        first_name: form.raw("first_name").to_owned(),
        last_name: form.raw("last_name").to_owned(),
        phone: form.raw("phone").to_owned(),
    };
    let failed = match authenticator.send_registration_code(&entered).await {
        Ok(code) => return Ok(code_page(authenticator, draft, code).await),
        Err(RegistrationError::Invalid(fields)) => invalid(&fields),
        Err(RegistrationError::SignIn(why)) => {
            FormDraft::failed(t!("sign-in-no-code")).with_message(why_not(why))
        }
    };
    let failed = failed.with_fields_of(draft);
    failed.put(authenticator, FORM).await;
    Ok(page_url::register(next))
}

fn invalid(fields: &[String]) -> FormDraft {
    PROBLEMS
        .into_iter()
        .filter(|(name, _)| fields.iter().any(|field| field == name))
        .fold(FormDraft::default(), |draft, (name, words)| {
            draft.and_invalid_field(name, text(words))
        })
}
