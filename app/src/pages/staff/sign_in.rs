//! Staff sign-in with email and password.

use dewy_domain::{email_address::NotAnEmailAddress, ports::SignInError};

use crate::{
    cookie_check::CookieCheck,
    form_draft::DraftsAcrossSignIn,
    pages::{
        prelude::*,
        sign_in::{DemoAccounts, SignIn, home, return_path, show_again},
    },
};

pub async fn staff_sign_in_page(request: PageRequest) -> PageResult {
    let SignIn { draft, next } = SignIn::begin(&request, Persona::Staff).await?;
    let accounts = request.ctx.authenticator.demo_accounts();
    let content = view! {
        <div class="narrow">
            <ErrorSummary draft=draft.clone() />
            <h1>"Staff sign-in"</h1>
            <form method="post" action="/form/enter_password">
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
}

pub async fn enter_password(form: FormSubmission) -> FormResult {
    let authenticator = &*form.ctx.authenticator;
    let email = form.raw("email");
    let next = return_path(&form, Persona::Staff, home(Persona::Staff))?;
    let unsent = DraftsAcrossSignIn::take(authenticator).await;
    let entered = match email.parse() {
        Ok(email) => {
            authenticator
                .enter_password(&email, form.raw("password"))
                .await
        }
        Err(NotAnEmailAddress) => Err(SignInError::NoMatch),
    };
    unsent.put_back(authenticator).await;
    let why = match entered {
        Ok(_) => return Ok(next.to_owned()),
        // The port's message is about codes; here a password did not match
        Err(SignInError::NoMatch) => "Email address and password do not match.".to_owned(),
        Err(why) => why.to_string(),
    };
    let failed = FormDraft::failed("You are not signed in").with_message(why);
    show_again(&form, Persona::Staff, failed, email.trim(), next).await
}
