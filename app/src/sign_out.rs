//! Signing out: the form and its button.

use dewy_domain::caller::Persona;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    form_submission::{open_context, redirect},
    language::t,
};

/// Button that ends the session.
#[component]
pub fn SignOutButton() -> impl IntoView {
    view! {
        <form method="post" action=SignOut::PATH>
            <button class="quiet">{t!("sign-out")}</button>
        </form>
    }
}

/// Ends the session.
#[server(prefix = "/form", endpoint = "sign_out")]
pub async fn sign_out() -> Result<(), ServerFnError> {
    let ctx = open_context()?;
    let persona = ctx
        .authenticator
        .signed_in()
        .await
        .map_or(Persona::Guest, |user| user.caller.persona);
    ctx.authenticator.sign_out().await;
    redirect(&format!("/{}/sign-in", persona.name()))
}
