//! Staff sign-in with email and password.

use dewy_domain::{caller::Persona, email_address::NotAnEmailAddress, ports::SignInError};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    components::{ErrorSummary, Field},
    cookie_check::{self, CookieCheck},
    form_draft::{DraftsAcrossSignIn, FormDraft},
    form_submission,
    layout::PageLayout,
    page_context::safe_return_path,
    pages::sign_in::{DemoAccounts, SignIn, home, show_again},
    render_page::{PageRequest, page},
};

/// Sign-in page.
#[component]
pub fn StaffSignInPage() -> impl IntoView {
    page(|request: PageRequest| async move {
        let SignIn { draft, next } = SignIn::begin(&request, Persona::Staff).await?;
        let accounts = request.ctx.authenticator.demo_accounts();
        let content = view! {
            <div class="narrow">
                <ErrorSummary draft=draft.clone() />
                <h1>"Staff sign-in"</h1>
                <form method="post" action=EnterPassword::PATH>
                    <Field name="email" label="Email address" kind="email" autocomplete="username" value=draft.value("email") problem=draft.problem("email") />
                    <Field name="password" label="Password" kind="password" autocomplete="current-password" problem=draft.problem("password") />
                    <input type="hidden" name="next" value=next />
                    <CookieCheck />
                    <button>"Sign in"</button>
                </form>
                <DemoAccounts persona=Persona::Staff accounts=accounts intro="You can sign in as:" />
            </div>
        };
        Ok(PageLayout::new("Sign in").staff(content))
    })
}

/// Signs the staff member in.
#[server(prefix = "/form", endpoint = "enter_password")]
pub async fn enter_password(
    #[server(default)] email: String,
    #[server(default)] password: String,
    #[server(default)] next: String,
    #[server(default)] cookies: String,
) -> Result<(), ServerFnError> {
    let ctx = form_submission::open_context()?;
    let next = safe_return_path(Persona::Staff, &next).unwrap_or(home(Persona::Staff));
    if let Some(page) = cookie_check::blocked_url(&cookies, Persona::Staff, next) {
        return form_submission::redirect(&page);
    }
    let unsent = DraftsAcrossSignIn::take(&*ctx.authenticator).await;
    let entered = match email.parse() {
        Ok(email) => ctx.authenticator.enter_password(&email, &password).await,
        Err(NotAnEmailAddress) => Err(SignInError::NoMatch),
    };
    unsent.put_back(&*ctx.authenticator).await;
    let why = match entered {
        Ok(_) => return form_submission::redirect(next),
        // The port's message is about codes; here a password did not match
        Err(SignInError::NoMatch) => "Email address and password do not match.".to_owned(),
        Err(why) => why.to_string(),
    };
    show_again(
        &ctx,
        Persona::Staff,
        FormDraft::failed("You are not signed in").with_message(why),
        email.trim(),
        next,
    )
    .await
}
