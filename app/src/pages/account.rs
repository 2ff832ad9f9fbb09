//! Account page: a user's sessions, and how to end them; for guests, what we have about them.

use std::time::Duration;

use dewy_domain::{
    hotel_profile::phone_text,
    ports::SessionView,
    text_refusal::TextRefusal,
    tool_answer::{FinalAnswer, ToolAnswer},
    tool_catalog::RemoveSavedCard,
    tool_output::SavedCard,
};

use super::card_name::card_name;
use crate::{page_context::sign_in_url, pages::prelude::*, speculation::is_speculative_page};

const REMOVE: &str = "remove-card";

/// How long the account page waits for a removal; then its progress is shown.
const REMOVAL_WAIT: Duration = Duration::from_secs(5);

pub async fn guest_account_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let authenticator = &request.ctx.authenticator;
    let refused = refused_texts(&request.ctx, !is_speculative_page()).await;
    // As it has just been read
    let phone = authenticator.own_phone(false).await;
    // Nothing is asked for a page that nobody has opened yet
    let cards = match is_speculative_page() {
        true => None,
        false => request.ctx.saved_cards.saved_cards(&user.caller).await,
    };
    let draft = FormDraft::take(&**authenticator, REMOVE).await;
    let content = view! {
        <h1>{t!("account-page")}</h1>
        {profile(&user, phone)}
        {refused}
        {cards.map(|cards| card_list(cards, draft, &request.ctx))}
        <h2>{t!("account-title")}</h2>
        {session_list(&user, authenticator.sessions().await)}
        {own_data(request.query_param("data").is_some())}
    };
    Ok(PageLayout::new(t!("account-page"))
        .who(&user)
        .guest(content))
}

pub async fn staff_account_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let content = view! {
        <h1>{t!("account-title")}</h1>
        {session_list(&user, request.ctx.authenticator.sessions().await)}
        <p class="actions"><a href="/staff/tokens">"Tokens for programs"</a></p>
    };
    Ok(PageLayout::new("Where you are signed in")
        .who(&user)
        .staff(content))
}

/// Name, email, and phone; the front desk changes them.
fn profile(user: &SignedIn, phone: Option<String>) -> AnyView {
    let name = format!("{} {}", user.first_name, user.last_name);
    let known = [
        (t!("account-name"), Some(name.trim().to_owned())),
        (t!("account-email"), Some(user.caller.email.to_string())),
        (t!("account-phone"), phone.as_deref().map(phone_text)),
    ];
    let known = known.into_iter().filter_map(|(name, value)| {
        let value = value.filter(|value| !value.is_empty())?;
        Some((name, value))
    });
    let ask = ask_front_desk(t!("ask-front-desk"));
    view! {
        {facts("facts", known)}
        <p class="aside">{rich("account-wrong", vec![("ask", ask)], &[])}</p>
    }
    .into_any()
}

/// Saved cards, each with the button that removes it.
fn card_list(cards: Vec<SavedCard>, draft: FormDraft, ctx: &PageContext) -> AnyView {
    let none = cards
        .is_empty()
        .then(|| view! { <p>{t!("account-no-cards")}</p> });
    let item = |card: SavedCard| {
        let name = card_name(&card);
        let label = t!("account-remove-card", card = name.as_str());
        view! {
            <li>
                <p><strong>{name}</strong></p>
                <form method="post" action="/form/remove_card">
                    {hidden([("payment_method_id", card.payment_method_id.to_string()), (TOKEN, ctx.token_generator.token())])}
                    <button class="quiet" aria-label=label>{t!("account-remove")}</button>
                </form>
            </li>
        }
    };
    let items = cards.into_iter().map(item).collect_view();
    view! {
        <section aria-labelledby="cards">
            <ErrorSummary draft=draft />
            <h2 id="cards">{t!("account-cards")}</h2>
            {none}
            <ul class="sessions">{items}</ul>
        </section>
    }
    .into_any()
}

/// What we have about the guest, as a file, and how it is deleted.
fn own_data(is_late: bool) -> AnyView {
    let late =
        is_late.then(|| view! { <p class="notice" role="alert">{t!("account-data-later")}</p> });
    let ask = ask_front_desk(t!("account-ask-erase"));
    view! {
        <section aria-labelledby="data">
            <h2 id="data">{t!("account-data")}</h2>
            {late}
            <p>{t!("account-data-text")}</p>
            <p><a class="button quiet" href="/guest/account/data.json">{t!("account-download")}</a></p>
            <p class="aside">{rich("account-erase", vec![("ask", ask)], &[])}</p>
        </section>
    }
    .into_any()
}

fn ask_front_desk(words: &'static str) -> AnyView {
    view! { <a href="/guest/requests?ask=question#ask">{words}</a> }.into_any()
}

/// Why the guest's phone gets none of our texts, and what they can do. Without `may_read` it calls no
/// outside system, as for a page that nobody has opened yet, and goes by the number that was last read.
pub(super) async fn refused_texts(ctx: &PageContext, may_read: bool) -> Option<AnyView> {
    let phone = ctx.authenticator.own_phone(may_read).await?;
    let refusal = ctx.text_refusals.refusal(&phone).await?;
    let digits = phone.get(phone.len().saturating_sub(2)..)?;
    let advice = match refusal {
        TextRefusal::Stopped => t!("account-texts-stopped"),
        TextRefusal::NoSuchNumber => t!("account-texts-no-number"),
        TextRefusal::NotMobile => t!("account-texts-not-mobile"),
        TextRefusal::NotAllowed | TextRefusal::Blocked => t!("account-texts-blocked"),
    };
    let refused = t!("account-texts-refused", digits = digits);
    Some(view! { <p class="notice">{refused} " " {advice}</p> }.into_any())
}

fn session_list(user: &SignedIn, sessions: Vec<SessionView>) -> AnyView {
    let others = sessions.iter().any(|one| !one.this);
    let items = sessions.into_iter().map(session).collect_view();
    let everywhere = others.then(|| {
        view! {
            <form method="post" action="/form/revoke_others">
                <button class="quiet">{t!("account-everywhere")}</button>
            </form>
        }
    });
    view! {
        <p class="lead">{rich("account-lead", vec![("email", view! { <strong>{user.caller.email.to_string()}</strong> }.into_any())], &[])}</p>
        <ul class="sessions">{items}</ul>
        {everywhere}
    }
    .into_any()
}

/// `Chrome on Windows`.
fn browser(words: &str) -> String {
    match words.split_once(" on ") {
        Some((browser, system)) => {
            t!(
                "browser-on",
                browser = named("browser-name", browser),
                system = system
            )
        }
        None => named("browser-name", words),
    }
}

fn session(one: SessionView) -> impl IntoView {
    let browser = browser(&one.browser);
    let label = t!("account-sign-out", browser = browser.as_str());
    let end = if one.this {
        view! { <p class="tag">{t!("account-this")}</p> }.into_any()
    } else {
        view! {
            <form method="post" action="/form/revoke">
                <input type="hidden" name="name" value=one.name />
                <button class="quiet" aria-label=label>{t!("sign-out")}</button>
            </form>
        }
        .into_any()
    };
    view! {
        <li>
            <div>
                <p><strong>{browser}</strong></p>
                <p class="aside">{rich("account-since", vec![("since", view! { <Timestamp at=one.since /> }.into_any()), ("ago", view! { <Ago at=one.last_used /> }.into_any())], &[])}</p>
            </div>
            {end}
        </li>
    }
}

/// The signed-in user's account page, or the sign-in.
async fn account_page(form: &FormSubmission) -> FormResult {
    match form.ctx.authenticator.signed_in().await {
        Some(user) => Ok(format!("/{}/account", user.caller.persona.name())),
        None => Err(sign_in_url(Persona::Guest, "/guest/account")),
    }
}

pub async fn revoke(form: FormSubmission) -> FormResult {
    let back = account_page(&form).await?;
    // Whether it was still active or had ended already: it is over, and the page shows so
    form.ctx.authenticator.revoke(form.raw("name")).await;
    Ok(back)
}

/// Removes a saved card, and shows the account without it.
pub async fn remove_card(form: FormSubmission) -> FormResult {
    let back = "/guest/account";
    let user = form.sender(Persona::Guest, back).await?;
    let act = ToolForm::new::<RemoveSavedCard>(REMOVE, back, t!("account-not-removed"))
        .input(json!({ "payment_method_id": form.raw("payment_method_id") }));
    let answer = act.start_and_wait(&form, &user, REMOVAL_WAIT).await;
    match answer {
        ToolAnswer::Settled {
            settled: FinalAnswer::Done { .. },
            ..
        } => Ok(back.to_owned()),
        answer => act.finish(answer, &form, &user).await,
    }
}

/// Ends all sessions but the current one.
pub async fn revoke_others(form: FormSubmission) -> FormResult {
    let back = account_page(&form).await?;
    form.ctx.authenticator.revoke_others().await;
    Ok(back)
}
