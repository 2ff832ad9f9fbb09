//! Form for the sign-in code.

use dewy_domain::{
    caller::Persona,
    ports::{SignInError, SignedIn},
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::sign_in::SendCode;
use crate::{
    components::{Field, ProblemPanel},
    form,
    form_draft::{DraftsAcrossSignIn, FormDraft},
    language::{rich, said, t},
    layout::PageLayout,
    page::{PageError, PageRequest, page},
    page_context::safe_way_back,
};

/// Session key of the form: the email a code was sent to, and the return path.
pub const CODE_FORM: &str = "guest-code";

/// Code page.
#[component]
pub fn CodePage() -> impl IntoView {
    page(|visit: PageRequest| async move {
        let authenticator = &*visit.ctx.authenticator;
        let draft = FormDraft::take(authenticator, CODE_FORM).await;
        let email = draft.value("email");
        if email.is_empty() {
            return Err(PageError::Redirect("/guest/sign-in".to_owned()));
        }
        // Keeps the draft for the following form and for a reload; the error is shown once
        FormDraft {
            fields: draft.fields.clone(),
            ..FormDraft::default()
        }
        .put(authenticator, CODE_FORM)
        .await;
        let code = draft.fields.get("demo_code").cloned();
        let demo = code.map(|code| {
            view! {
                <aside class="demo" aria-labelledby="demo">
                    <h2 id="demo">{t!("demo")}</h2>
                    <p>{t!("code-demo")} " " <strong class="demo-code">{code}</strong></p>
                </aside>
            }
        });
        let content = view! {
            <ProblemPanel draft=draft.clone() />
            <h1>{t!("code-enter")}</h1>
            <p class="lead">
                {rich("code-lead", vec![("email", view! { <strong>{email.clone()}</strong> }.into_any())], &[])}
            </p>
            {demo}
            <form method="post" action=EnterCode::PATH>
                <Field name="code" label=t!("code-label") autocomplete="one-time-code" inputmode="numeric" problem=draft.problem("code") />
                <button>{t!("sign-in")}</button>
            </form>
            <form class="other" method="post" action=SendCode::PATH>
                <input type="hidden" name="email" value=email />
                <input type="hidden" name="next" value=draft.value("next") />
                <button class="quiet">{t!("code-another")}</button>
                <a href="/guest/sign-in">{t!("code-other-email")}</a>
            </form>
        };
        Ok(PageLayout::new(t!("code-enter")).guest(content))
    })
}

/// Signs the guest in.
#[server(prefix = "/form", endpoint = "enter_code")]
pub async fn enter_code(#[server(default)] code: String) -> Result<(), ServerFnError> {
    let ctx = form::ctx()?;
    let authenticator = &*ctx.authenticator;
    let draft = FormDraft::take(authenticator, CODE_FORM).await;
    let email = draft.value("email");
    if email.is_empty() {
        return form::go("/guest/sign-in");
    }
    let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let unsent = DraftsAcrossSignIn::take(authenticator).await;
    let entered = authenticator.enter_code(&email, &code).await;
    unsent.put_back(authenticator).await;
    match entered {
        Ok(SignedIn { .. }) => {
            form::go(safe_way_back(Persona::Guest, &draft.value("next")).unwrap_or("/guest/folio"))
        }
        Err(why) => {
            let problem = match why {
                SignInError::NoMatch => FormDraft::invalid_field("code", said(&why.to_string())),
                other => {
                    FormDraft::failed(t!("code-not-yet")).with_message(said(&other.to_string()))
                }
            };
            FormDraft {
                fields: draft.fields,
                ..problem
            }
            .put(authenticator, CODE_FORM)
            .await;
            form::go("/guest/sign-in/code")
        }
    }
}
