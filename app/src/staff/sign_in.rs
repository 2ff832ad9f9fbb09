//! Staff sign in with email and password.

use dewy_domain::{caller::Persona, ports::DoorError};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    components::{Field, ProblemPanel},
    form,
    gate::safe_way_back,
    kept::Kept,
    layout::Sheet,
    page::{Visit, page},
    sign_in::{DemoAccounts, SignIn, again, home},
};

/// Asks for email and password.
#[component]
pub fn StaffSignInPage() -> impl IntoView {
    page(|visit: Visit| async move {
        let SignIn { kept, next } = SignIn::begin(&visit, Persona::Staff).await?;
        let accounts = visit.gate.doorman.demo_accounts();
        let content = view! {
            <div class="narrow">
                <ProblemPanel kept=kept.clone() />
                <h1>"Staff sign-in"</h1>
                <form method="post" action=EnterPassword::PATH>
                    <Field name="email" label="Email address" kind="email" autocomplete="username" value=kept.value("email") problem=kept.problem("email") />
                    <Field name="password" label="Password" kind="password" autocomplete="current-password" problem=kept.problem("password") />
                    <input type="hidden" name="next" value=next />
                    <button>"Sign in"</button>
                </form>
                <DemoAccounts persona=Persona::Staff accounts=accounts intro="You can sign in as:" />
            </div>
        };
        Ok(Sheet::new("Sign in").staff(content))
    })
}

/// Lets staff in.
#[server(prefix = "/form", endpoint = "enter_password")]
pub async fn enter_password(
    #[server(default)] email: String,
    #[server(default)] password: String,
    #[server(default)] next: String,
) -> Result<(), ServerFnError> {
    let gate = form::gate()?;
    let email = email.trim().to_lowercase();
    let next = safe_way_back(Persona::Staff, &next).unwrap_or(home(Persona::Staff));
    let why = match gate.doorman.enter_password(&email, &password).await {
        Ok(_) => return form::go(next),
        // The port's words are about codes; here it is a password that did not match
        Err(DoorError::NoMatch) => "Email address and password do not match.".to_owned(),
        Err(why) => why.to_string(),
    };
    again(&gate, Persona::Staff, Kept::failed("You are not signed in").because(why), &email, next).await
}
