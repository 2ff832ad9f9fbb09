//! Bearer tokens for programs: created, shown once, listed and revoked.

pub mod form_handlers;
mod token_list;

use std::iter;

use self::{form_handlers::FORM, token_list::list};
use crate::{field_suggestions::provide_colleagues, pages::prelude::*};

const PAGE: &str = "/staff/tokens";
/// Default lifetime in days.
const DAYS: &str = "90";

/// Tokens that the user may see, and the form for a new one.
pub async fn tokens_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    provide_colleagues(&request.ctx).await;
    let draft = FormDraft::take(&*request.ctx.authenticator, FORM).await;
    let admin = &request.ctx.token_admin;
    let made = admin.take_created().await;
    let tokens = admin.list(&user.caller).await.map_err(|error| {
        PageError::Error(ErrorPage {
            status: 503,
            title: "Something went wrong".to_owned(),
            message: error.to_string(),
            links: vec![(PAGE.to_owned(), "Try again".to_owned())],
        })
    })?;
    let manager = user.caller.role == Some(Role::Manager);
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        <h1>"Tokens"</h1>
        <p class="lead">
            "A token lets a program act for somebody, over MCP or REST. "
            {if manager { "You see everybody’s." } else { "These are yours." }}
        </p>
        {made.map(shown_once)}
        {list(tokens, manager)}
        {form(&user, &draft, manager)}
    };
    Ok(PageLayout::new("Tokens").who(&user).staff(content))
}

fn shown_once(token: String) -> impl IntoView {
    view! {
        <section class="card will" aria-labelledby="made">
            <h2 id="made">"Your new token"</h2>
            <p><code id="new-token">{token}</code></p>
            <p>"Copy it now: it is shown only once, and we keep only a hash of it."</p>
        </section>
    }
}

fn form(user: &SignedIn, draft: &FormDraft, manager: bool) -> AnyView {
    let roles = Role::ALL
        .into_iter()
        .filter(|role| user.caller.role.is_some_and(|own| own.covers(*role)));
    let roles = iter::once(("", "Everything the person may do"))
        .chain(roles.map(|role| (role.name(), labels::role(role.name()))))
        .collect();
    let for_whom = manager.then(|| {
        let personas = vec![("staff", "Staff"), ("guest", "A guest")];
        view! {
            <Select name="persona" label="Owner" options=personas value=draft.value("persona") />
            <Field name="email" known=Known::Colleagues label="Email" kind="email" hint="Whose stays and permissions it has" value=draft.value_or("email", &user.caller.email) problem=draft.problem("email") />
        }
    });
    let days = draft.value_or("days", DAYS);
    let read_only = draft.value("read_only") == "on";
    view! {
        <section aria-labelledby="new">
            <h2 id="new">"A new token"</h2>
            <form method="post" action="/form/make_token">
                <Field name="name" label="What it is for" hint="So that you know later which program has it" value=draft.value("name") problem=draft.problem("name") />
                {for_whom}
                <Select name="role" label="May do at most" options=roles value=draft.value("role") problem=draft.problem("role") />
                <Field name="days" label="Expires after (days)" inputmode="decimal" value=days problem=draft.problem("days") />
                <div class="lone">
                    <label class="choice"><input type="checkbox" name="read_only" checked=read_only /> "Read only"</label>
                </div>
                <p class="actions"><button>"Make a token"</button></p>
            </form>
        </section>
    }
    .into_any()
}
