//! Signing out: the form and its button.

use dewy_domain::caller::Persona;
use leptos::prelude::*;

use crate::{
    form_submission::{FormResult, FormSubmission},
    language::t,
};

/// Button that ends the session.
#[component]
pub fn SignOutButton() -> impl IntoView {
    view! {
        <form method="post" action="/form/sign_out">
            <button class="quiet">{t!("sign-out")}</button>
        </form>
    }
}

pub async fn sign_out(form: FormSubmission) -> FormResult {
    let user = form.ctx.authenticator.signed_in().await;
    let persona = user.map_or(Persona::Guest, |user| user.caller.persona);
    form.ctx.authenticator.sign_out().await;
    Ok(format!("/{}/sign-in", persona.name()))
}
