//! Guest sign-in with email and code.

use dewy_domain::{caller::Persona, email_address::EmailAddress};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{registration::register_url, sign_in_code::CODE_FORM};
use crate::{
    components::{ErrorSummary, Field},
    cookie_check::{self, CookieCheck},
    form_draft::FormDraft,
    form_submission,
    hotel_profile::hotel,
    language::{rich, t, text, translated},
    layout::PageLayout,
    page_context::safe_return_path,
    pages::sign_in::{DemoAccounts, SignIn, show_again},
    render_page::{PageRequest, page},
};

/// What to enter, for someone with a stay,
const STAYS: &str = "sign-in-stays";
/// and for someone who has chosen a room.
const SIGN_IN_TO_BOOK: &str = "sign-in-books";

/// Email page.
#[component]
pub fn GuestSignInPage() -> impl IntoView {
    page(|request: PageRequest| async move {
        let SignIn { draft, next } = SignIn::begin(&request, Persona::Guest).await?;
        let accounts = request.ctx.authenticator.demo_accounts();
        // Whoever has chosen a room comes to book, with the choice in the way back
        let books = next.starts_with("/guest/book");
        let title = if books {
            t!("sign-in-to-book")
        } else {
            t!("sign-in-see-stay")
        };
        let content = view! {
            <ErrorSummary draft=draft.clone() />
            <h1>{title}</h1>
            <p class="lead">{text(if books { SIGN_IN_TO_BOOK } else { STAYS })}</p>
            <form method="post" action=SendCode::PATH>
                <Field name="email" label=t!("email-address") kind="email" autocomplete="email" value=draft.value("email") problem=draft.problem("email") />
                <input type="hidden" name="next" value=next.clone() />
                <CookieCheck />
                <button>{t!("sign-in-send-code")}</button>
            </form>
            {books.then(|| newcomer(&next))}
            <DemoAccounts persona=Persona::Guest accounts=accounts intro=t!("sign-in-sample") />
        };
        Ok(PageLayout::new(t!("sign-in")).guest(content))
    })
}

/// The way for someone who has never stayed here.
fn newcomer(next: &str) -> AnyView {
    let hotel = hotel();
    let call = hotel.phone.clone().zip(hotel.phone_link());
    let call = call.map(|(phone, link)| {
        let link = view! { <a class="phone" href=link>{phone}</a> }.into_any();
        view! { <p class="aside">{rich("sign-in-call", vec![("phone", link)], &[])}</p> }
    });
    view! {
        <section class="notice" aria-labelledby="new">
            <h2 id="new">{t!("sign-in-new", hotel = hotel.name.clone())}</h2>
            <p>{t!("sign-in-first")}</p>
            <p class="actions"><a class="button quiet" href=register_url(next)>{t!("sign-in-register")}</a></p>
            {call}
        </section>
    }
    .into_any()
}

/// Sends the code and redirects to the code page; the same for an unknown email.
#[server(prefix = "/form", endpoint = "send_code")]
pub async fn send_code(
    #[server(default)] email: String,
    #[server(default)] next: String,
    #[server(default)] cookies: String,
) -> Result<(), ServerFnError> {
    let ctx = form_submission::open_context()?;
    let next = safe_return_path(Persona::Guest, &next).unwrap_or("/guest/folio");
    if let Some(page) = cookie_check::blocked_url(&cookies, Persona::Guest, next) {
        return form_submission::redirect(&page);
    }
    let email = EmailAddress::from(email);
    let failed = if plausible(&email) {
        match ctx.authenticator.send_code(&email).await {
            Ok(code) => {
                let draft = FormDraft::default()
                    .field("email", email.to_string())
                    .field("next", next);
                let draft = match code {
                    Some(code) => draft.field("demo_code", code),
                    None => draft,
                };
                draft.put(&*ctx.authenticator, CODE_FORM).await;
                return form_submission::redirect("/guest/sign-in/code");
            }
            Err(why) => {
                FormDraft::failed(t!("sign-in-no-code")).with_message(translated(&why.to_string()))
            }
        }
    } else {
        FormDraft::invalid_field("email", t!("sign-in-bad-email"))
    };
    show_again(&ctx, Persona::Guest, failed, email.as_str(), next).await
}

/// Whether it could be a guest's email address; never reveals whose.
pub fn plausible(email: &EmailAddress) -> bool {
    let address = email.parse::<EmailAddress>();
    address.is_ok_and(|address| {
        let host = address.split('@').next_back();
        address.chars().count() <= 80 && host.is_some_and(|host| host.contains('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_has_text_on_both_sides_of_the_at_sign() {
        for email in ["beth.gibbs@email.com", "nora.o'brien@example.com"] {
            assert!(plausible(&email.into()), "{email}");
        }
        for email in ["", "beth", "@example.com", "a@b", "a b@example.com"] {
            assert!(!plausible(&email.into()), "{email}");
        }
    }
}
