//! Staff sign in with email and password.

use dewy_domain::{
    caller::Persona,
    ports::{DoorError, Doorman},
};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    components::{Field, ProblemPanel},
    form,
    gate::safe_way_back,
    kept::Kept,
    layout,
    page::{Stop, Visit, page},
};

/// The form's name in the session.
const FORM: &str = "staff-sign-in";

/// Asks for email and password.
#[component]
pub fn StaffSignInPage() -> impl IntoView {
    page(|visit: Visit| async move {
        if let Some(who) = visit.gate.doorman.who().await
            && who.caller.persona == Persona::Staff
        {
            return Err(Stop::Go("/staff/executions".to_owned()));
        }
        let kept = Kept::take(&*visit.gate.doorman, FORM).await;
        let next = visit.asked("next").map_or_else(|| kept.value("next"), ToOwned::to_owned);
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
                {accounts(&*visit.gate.doorman)}
            </div>
        };
        Ok(layout::staff("Sign in", None, visit.gate.demo(), content))
    })
}

fn accounts(doorman: &dyn Doorman) -> Option<impl IntoView + use<>> {
    let staff: Vec<_> = doorman.demo_accounts().into_iter().filter(|(_, password)| !password.is_empty()).collect();
    let rows = move || {
        staff
            .clone()
            .into_iter()
            .map(|(email, password)| view! { <tr><td><code>{email}</code></td><td><code>{password}</code></td></tr> })
    };
    (rows().len() > 0).then(|| {
        view! {
            <aside class="demo" aria-labelledby="demo">
                <h2 id="demo">"Demo"</h2>
                <p>"No live system is connected. You can sign in as:"</p>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"Email address"</th>
                            <th scope="col">"Password"</th>
                        </tr>
                    </thead>
                    <tbody>{rows().collect_view()}</tbody>
                </table>
            </aside>
        }
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
    let doorman = &*gate.doorman;
    let email = email.trim().to_lowercase();
    let next = safe_way_back(Persona::Staff, &next).unwrap_or("/staff/executions");
    let problem = match doorman.enter_password(&email, &password).await {
        Ok(_) => return form::go(next),
        // The port's words are about codes; here it is a password that did not match
        Err(DoorError::NoMatch) => {
            Kept::failed("You are not signed in").because("Email address and password do not match.")
        }
        Err(why) => Kept::failed("You are not signed in").because(why.to_string()),
    };
    problem.field("email", email).field("next", next).put(doorman, FORM).await;
    form::go("/staff/sign-in")
}
