//! Form for the sign-in code.

use dewy_domain::{
    email_address::EmailAddress,
    ports::{AcceptedCode, Authenticator, CodeRoute, RequestedCode, SignInError},
    tool_answer::ToolAnswer,
};

use crate::{
    form_draft::DraftsAcrossSignIn, labels::error_text, page_context::safe_return_path,
    pages::prelude::*,
};

/// Session key of the form: the email a code was sent to, and the return path; of someone new, also
/// their name and phone.
const CODE_FORM: &str = "guest-code";
/// Field that is there if everybody who asks now gets one code.
const COMMON_CODE: &str = "common_code";
/// Field that is there once the code was correct but the registration isn't finished.
const CODE_VERIFIED: &str = "proven";

const CODE_PAGE: &str = "/guest/sign-in/code";

/// Page that asks for the code that was just sent to this person; a demo shows the code.
pub async fn code_page(
    authenticator: &dyn Authenticator,
    draft: FormDraft,
    code: RequestedCode,
) -> String {
    let common = code.is_common.then(|| (COMMON_CODE, "yes".to_owned()));
    let shown = code.demo_code.map(|code| ("demo_code", code));
    let fields = common.into_iter().chain(shown);
    fields
        .fold(draft, |draft, (name, value)| draft.field(name, value))
        .put(authenticator, CODE_FORM)
        .await;
    CODE_PAGE.to_owned()
}

pub async fn enter_code_page(request: PageRequest) -> PageResult {
    let authenticator = &*request.ctx.authenticator;
    let draft = FormDraft::take(authenticator, CODE_FORM).await;
    let email = draft.value("email");
    if email.is_empty() {
        return Err(PageError::Redirect("/guest/sign-in".to_owned()));
    }
    // Keeps the draft for the following form and for a reload; the error is shown once
    FormDraft::default()
        .with_fields_of(draft.clone())
        .put(authenticator, CODE_FORM)
        .await;
    let code = draft.fields.get("demo_code").cloned();
    let panel = match code {
        Some(code) => Some(
            view! { <p>{t!("code-demo")} " " <strong class="demo-code">{code}</strong></p> }
                .into_any(),
        ),
        None => (request.ctx.demo() && !draft.fields.contains_key("phone"))
            .then(|| unknown_in_demo(&draft.value("next"))),
    };
    let demo = panel.map(|panel| {
        view! {
            <aside class="demo" aria-labelledby="demo">
                <h2 id="demo">{t!("demo")}</h2>
                {panel}
            </aside>
        }
    });
    let new = draft.fields.contains_key("phone");
    let proven = draft.fields.contains_key(CODE_VERIFIED);
    let address = view! { <strong>{email}</strong> }.into_any();
    // Nothing tells whether the email is known, nor what became of a text to its guest
    let lead = match (new, authenticator.code_route()) {
        _ if draft.fields.contains_key(COMMON_CODE) => "code-lead-common",
        (false, CodeRoute::Phone) => "code-lead",
        (false, CodeRoute::PhoneThenEmail) => "code-lead-phone-then-email",
        (false, CodeRoute::EmailForNow) => "code-lead-email-for-now",
        (false, CodeRoute::Email) => "code-lead-email",
        (true, CodeRoute::Phone) => "code-lead-new",
        (true, CodeRoute::PhoneThenEmail) => "code-lead-new-either",
        (true, CodeRoute::EmailForNow | CodeRoute::Email) => "code-lead-new-email",
    };
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        <h1>{t!("code-enter")}</h1>
        <p class="lead">{rich(lead, vec![("email", address)], &[])}</p>
        {demo.filter(|_| !proven)}
        <form method="post" action="/form/enter_code">
            {(!proven).then(|| view! { <Field name="code" label=t!("code-label") autocomplete="one-time-code" inputmode="numeric" problem=draft.problem("code") /> })}
            <button>{if proven { t!("try-again") } else { t!("sign-in") }}</button>
        </form>
        {another(&draft, new)}
    };
    Ok(PageLayout::new(t!("code-enter")).guest(content))
}

/// In a demo, the way on for an email that no guest has: there is no code that would match.
fn unknown_in_demo(next: &str) -> AnyView {
    let next = if next.starts_with("/guest/book") {
        next
    } else {
        "/guest/book"
    };
    view! {
        <p>{t!("code-demo-unknown")}</p>
        <p class="actions"><a class="button quiet" href=page_url::register(next)>{t!("sign-in-register")}</a></p>
    }
    .into_any()
}

pub async fn enter_code(form: FormSubmission) -> FormResult {
    let authenticator = &*form.ctx.authenticator;
    let draft = FormDraft::take(authenticator, CODE_FORM).await;
    let email = draft.value("email");
    if email.is_empty() {
        return Ok("/guest/sign-in".to_owned());
    }
    let unsent = DraftsAcrossSignIn::take(authenticator).await;
    let entered = enter(&form.ctx, &email.into(), form.raw("code")).await;
    unsent.put_back(authenticator).await;
    let Err(problem) = entered else {
        let next = draft.value("next");
        let next = safe_return_path(Persona::Guest, &next).unwrap_or("/guest/folio");
        return Ok(next.to_owned());
    };
    let fields = draft.fields.into_iter().chain(problem.fields).collect();
    let draft = FormDraft { fields, ..problem };
    draft.put(authenticator, CODE_FORM).await;
    Ok(CODE_PAGE.to_owned())
}

/// Signs a guest in; of someone new, the contact is made first.
async fn enter(ctx: &PageContext, email: &EmailAddress, code: &str) -> Result<(), FormDraft> {
    let (caller, call) = match ctx.authenticator.enter_code(email, code).await {
        Ok(AcceptedCode::SignedIn {
            unreached_phone, ..
        }) => {
            if let Some(digits) = unreached_phone {
                let words = t!("code-was-not-texted", digits = digits.as_str());
                Flash::new(words).put(&*ctx.authenticator).await;
            }
            return Ok(());
        }
        Ok(AcceptedCode::Register { caller, call }) => (caller, call),
        Err(SignInError::NoMatch) => {
            let words = why_not(SignInError::NoMatch);
            return Err(FormDraft::invalid_field("code", words));
        }
        Err(other) => return Err(not_yet(why_not(other))),
    };
    let answer = ctx.dispatcher.dispatch(&caller, call).await;
    let proven = |words: String| not_yet(words).field(CODE_VERIFIED, "yes");
    if matches!(answer, ToolAnswer::Pending { .. }) {
        return Err(proven(t!("register-slow").to_owned()));
    }
    match (
        ctx.authenticator.finish_registration().await,
        answer.error(),
    ) {
        (Ok(_), _) => Ok(()),
        // Somebody made the contact in the meantime: the code goes to the phone on file
        (Err(SignInError::NoMatch), _) => Err(not_yet(t!("register-made").to_owned())),
        (Err(_), Some(code)) => Err(proven(error_text(code, Persona::Guest))),
        (Err(other), None) => Err(proven(why_not(other))),
    }
}

pub fn why_not(error: SignInError) -> String {
    match error {
        SignInError::NoMatch => t!("sign-in-no-match").to_owned(),
        SignInError::TooMany { wait } => {
            t!("sign-in-too-many", minutes = wait.as_secs().div_ceil(60))
        }
        SignInError::Broken => t!("sign-in-broken").to_owned(),
        SignInError::Unavailable => t!("sign-in-later").to_owned(),
    }
}

fn not_yet(words: String) -> FormDraft {
    FormDraft::failed(t!("code-not-yet")).with_message(words)
}

/// Form for another code, and the way back.
fn another(draft: &FormDraft, new: bool) -> AnyView {
    let next = draft.value("next");
    let (action, fields, back): (_, &[&'static str], _) = if new {
        let fields = &["first_name", "last_name", "email", "phone", "next"];
        ("/form/register", fields, page_url::register(&next))
    } else {
        (
            "/form/send_code",
            &["email", "next"],
            "/guest/sign-in".to_owned(),
        )
    };
    let fields = fields.iter().map(|name| (*name, draft.value(name)));
    view! {
        <form class="other" method="post" action=action>
            {hidden(fields)}
            <button class="quiet">{t!("code-another")}</button>
            <a href=back>{t!("code-other-email")}</a>
        </form>
    }
    .into_any()
}
