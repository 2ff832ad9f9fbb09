//! Common parts of both sign-in pages: a signed-in user is redirected, a failed form is shown
//! again, and a demo lists its accounts.

use dewy_domain::ports::Authenticator;

use crate::{cookie_check, page_context::safe_return_path, pages::prelude::*};

/// Longer than any email address.
const MAX_EMAIL_LENGTH: usize = 254;
/// Longer than any path of this site.
const MAX_RETURN_LENGTH: usize = 512;

#[derive(Clone, Debug)]
pub struct SignIn {
    /// Last form, if it failed.
    pub draft: FormDraft,
    /// Path to go to after sign-in.
    pub next: String,
}

/// Default page after sign-in.
pub const fn home(persona: Persona) -> &'static str {
    match persona {
        Persona::Guest => "/guest",
        Persona::Staff => "/staff",
    }
}

const fn form_name(persona: Persona) -> &'static str {
    match persona {
        Persona::Guest => "guest-sign-in",
        Persona::Staff => "staff-sign-in",
    }
}

impl SignIn {
    /// Redirects users who are signed in already.
    pub async fn begin(request: &PageRequest, persona: Persona) -> Result<Self, PageError> {
        if request
            .ctx
            .authenticator
            .signed_in()
            .await
            .is_some_and(|user| user.caller.persona == persona)
        {
            return Err(PageError::Redirect(home(persona).to_owned()));
        }
        let draft = FormDraft::take(&*request.ctx.authenticator, form_name(persona)).await;
        let draft = cookie_check::blocked_notice(request).unwrap_or(draft);
        let next = request
            .query_param("next")
            .map_or_else(|| draft.value("next"), ToOwned::to_owned);
        let next = safe_return_path(persona, &next)
            .unwrap_or(home(persona))
            .to_owned();
        Ok(Self { draft, next })
    }
}

/// Path to go to after the sign-in.
///
/// # Errors
/// The page that says why the browser can't stay signed in.
pub fn return_path<'a>(
    form: &'a FormSubmission,
    persona: Persona,
    otherwise: &'a str,
) -> Result<&'a str, String> {
    let next = safe_return_path(persona, form.raw("next")).unwrap_or(otherwise);
    match cookie_check::blocked_url(form.raw("cookies"), persona, next) {
        Some(page) => Err(page),
        None => Ok(next),
    }
}

/// The guests' sign-in page with this email in it; nothing is sent until the guest asks for a code.
pub async fn prefilled(authenticator: &dyn Authenticator, email: &str, next: &str) -> String {
    let draft = FormDraft::default().field("email", email);
    let draft = draft.field("next", next);
    draft.put(authenticator, form_name(Persona::Guest)).await;
    "/guest/sign-in".to_owned()
}

/// Stores a failed form and shows its page again.
pub async fn show_again(
    form: &FormSubmission,
    persona: Persona,
    failed: FormDraft,
    email: &str,
    next: &str,
) -> FormResult {
    // Values too long for an email address or a path are not worth keeping.
    let email: String = email.chars().take(MAX_EMAIL_LENGTH).collect();
    let next = if next.len() > MAX_RETURN_LENGTH {
        home(persona)
    } else {
        next
    };
    failed
        .field("email", email)
        .field("next", next)
        .put(&*form.ctx.authenticator, form_name(persona))
        .await;
    Ok(format!("/{}/sign-in", persona.name()))
}

/// Demo accounts of this persona; guests sign in without a password.
#[component]
pub fn DemoAccounts(
    persona: Persona,
    /// Email and password of each account.
    accounts: Vec<(String, String)>,
    intro: &'static str,
) -> impl IntoView {
    let with_password = persona == Persona::Staff;
    let rows: Vec<_> = accounts
        .into_iter()
        .filter(|(_, password)| password.is_empty() != with_password)
        .collect();
    if rows.is_empty() {
        return ().into_any();
    }
    let row = move |(email, password): (String, String)| {
        let password = with_password.then(|| view! { <td><code>{password}</code></td> });
        view! { <tr><td><code>{email}</code></td>{password}</tr> }
    };
    view! {
        <aside class="demo" aria-labelledby="demo">
            <h2 id="demo">{t!("demo")}</h2>
            <p>{t!("demo-no-system")} " " {intro}</p>
            <table>
                <thead>
                    <tr>
                        <th scope="col">{t!("email-address")}</th>
                        {with_password.then(|| view! { <th scope="col">{t!("password")}</th> })}
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        </aside>
    }
    .into_any()
}
