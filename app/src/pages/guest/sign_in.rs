//! Guest sign-in with email and code.

use dewy_domain::email_address::EmailAddress;

use super::sign_in_code::{code_page, why_not};
use crate::{
    cookie_check::CookieCheck,
    pages::{
        prelude::*,
        sign_in::{DemoAccounts, SignIn, return_path, show_again},
    },
};

/// What to enter, for someone with a stay,
const STAYS: &str = "sign-in-stays";
/// and for someone who has chosen a room.
const SIGN_IN_TO_BOOK: &str = "sign-in-books";

pub async fn guest_sign_in_page(request: PageRequest) -> PageResult {
    let SignIn { draft, next } = SignIn::begin(&request, Persona::Guest).await?;
    let accounts = request.ctx.authenticator.demo_accounts();
    // Whoever has chosen a room comes to book, with the choice in the way back
    let books = next.starts_with("/guest/book") && !next.starts_with("/guest/bookings");
    let title = if books {
        t!("sign-in-to-book")
    } else {
        t!("sign-in-see-stay")
    };
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        <h1>{title}</h1>
        <p class="lead">{text(if books { SIGN_IN_TO_BOOK } else { STAYS })}</p>
        <form method="post" action="/form/send_code">
            <Field name="email" label=t!("email-address") kind="email" autocomplete="email" value=draft.value("email") problem=draft.problem("email") />
            <input type="hidden" name="next" value=next.clone() />
            <CookieCheck />
            <button>{t!("sign-in-send-code")}</button>
        </form>
        {books.then(|| newcomer(&next))}
        <DemoAccounts persona=Persona::Guest accounts=accounts intro=t!("sign-in-sample") />
    };
    Ok(PageLayout::new(t!("sign-in")).guest(content))
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
            <p class="actions"><a class="button quiet" href=page_url::register(next)>{t!("sign-in-register")}</a></p>
            {call}
        </section>
    }
    .into_any()
}

/// Sends the code and leads to the code page; the same for an unknown email.
pub async fn send_code(form: FormSubmission) -> FormResult {
    let authenticator = &*form.ctx.authenticator;
    let next = return_path(&form, Persona::Guest, "/guest/folio")?;
    let email = EmailAddress::from(form.raw("email").to_owned());
    let failed = match email.parse::<EmailAddress>().is_ok() {
        true => match authenticator.send_code(&email).await {
            Ok(code) => {
                let draft = FormDraft::default()
                    .field("email", email.to_string())
                    .field("next", next);
                return Ok(code_page(authenticator, draft, code).await);
            }
            Err(why) => FormDraft::failed(t!("sign-in-no-code")).with_message(why_not(why)),
        },
        false => FormDraft::invalid_field("email", t!("sign-in-bad-email")),
    };
    show_again(&form, Persona::Guest, failed, email.as_str(), next).await
}
