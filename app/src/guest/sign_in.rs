//! Guest sign-in with email and code.

use dewy_domain::caller::Persona;
use leptos::{prelude::*, server_fn::ServerFn};

use super::code::CODE_FORM;
use crate::{
    components::{Field, ProblemPanel},
    form,
    form_draft::FormDraft,
    layout::{PageLayout, hotel},
    page::{PageRequest, page},
    page_context::safe_way_back,
    sign_in::{DemoAccounts, SignIn, again},
};

/// What to enter, for someone with a stay,
const STAYS: &str =
    "Enter the email address on your booking, and we’ll send you a code to sign in with.";
/// and for someone who has chosen a room.
const BOOKS: &str = "Your room and your dates are kept. Enter the email address we know you by, and we’ll send you a code to sign in with.";

/// Email page.
#[component]
pub fn GuestSignInPage() -> impl IntoView {
    page(|visit: PageRequest| async move {
        let SignIn { draft, next } = SignIn::begin(&visit, Persona::Guest).await?;
        let accounts = visit.ctx.authenticator.demo_accounts();
        // Whoever has chosen a room comes to book, with the choice in the way back
        let books = next.starts_with("/guest/book");
        let title = if books {
            "Sign in to book"
        } else {
            "See your stay"
        };
        let content = view! {
            <ProblemPanel draft=draft.clone() />
            <h1>{title}</h1>
            <p class="lead">{if books { BOOKS } else { STAYS }}</p>
            <form method="post" action=SendCode::PATH>
                <Field name="email" label="Email address" kind="email" autocomplete="email" value=draft.value("email") problem=draft.problem("email") />
                <input type="hidden" name="next" value=next />
                <button>"Send me a code"</button>
            </form>
            {books.then(newcomer)}
            <DemoAccounts persona=Persona::Guest accounts=accounts intro="Sample guests:" />
        };
        Ok(PageLayout::new("Sign in").guest(content))
    })
}

/// The way for someone who has never stayed here: codes go to phone numbers on file only.
fn newcomer() -> AnyView {
    let hotel = hotel();
    let call = hotel.phone.clone().zip(hotel.phone_link());
    let call = call.map(|(phone, link)| {
        view! { " Call " <a class="phone" href=link>{phone}</a> ", at any hour: we book your room in two minutes, and from then on everything is on your phone." }
    });
    view! {
        <section class="notice" aria-labelledby="new">
            <h2 id="new">"New to " {hotel.name.clone()} "?"</h2>
            <p>"Our front desk makes your first booking." {call}</p>
        </section>
    }
    .into_any()
}

/// Sends the code and redirects to the code page; the same for an unknown email.
#[server(prefix = "/form", endpoint = "send_code")]
pub async fn send_code(
    #[server(default)] email: String,
    #[server(default)] next: String,
) -> Result<(), ServerFnError> {
    let ctx = form::ctx()?;
    let email = email.trim().to_lowercase();
    let next = safe_way_back(Persona::Guest, &next).unwrap_or("/guest/folio");
    let failed = if plausible(&email) {
        match ctx.authenticator.send_code(&email).await {
            Ok(code) => {
                let draft = FormDraft::default()
                    .field("email", email)
                    .field("next", next);
                let draft = match code {
                    Some(code) => draft.field("demo_code", code),
                    None => draft,
                };
                draft.put(&*ctx.authenticator, CODE_FORM).await;
                return form::go("/guest/sign-in/code");
            }
            Err(why) => {
                FormDraft::failed("We could not send you a code").with_message(why.to_string())
            }
        }
    } else {
        FormDraft::invalid_field("email", "Enter an email address such as name@example.com")
    };
    again(&ctx, Persona::Guest, failed, &email, next).await
}

/// Whether it could be an email address; never reveals whose.
pub fn plausible(email: &str) -> bool {
    let parts = email.split_once('@');
    email.len() <= 80
        && !email.contains(char::is_whitespace)
        && parts.is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_has_two_sides() {
        for email in ["beth.gibbs@email.com", "nora.o'brien@example.com"] {
            assert!(plausible(email), "{email}");
        }
        for email in ["", "beth", "@example.com", "a@b", "a b@example.com"] {
            assert!(!plausible(email), "{email}");
        }
    }
}
