//! A demo's way in from the start page: one click signs in as a guest or as staff, or breaks
//! Salesforce first.

use dewy_domain::{email_address::EmailAddress, ports::SignInError, tool_catalog::SearchBookings};

use crate::pages::{
    prelude::*,
    public::demo_strip::SCENE,
    read_tools::read,
    sign_in::home,
    staff::fault_injection::{self, form_handlers::set_faults},
};

/// Signs in as a demo account, and leads to its first page; with a scenario, to the check-out that it
/// breaks.
pub async fn enter_demo(form: FormSubmission) -> FormResult {
    let accounts = form.ctx.authenticator.demo_accounts();
    let account = accounts
        .iter()
        .find(|(email, _)| email == form.raw("email"));
    let (email, password) = account.ok_or("/")?;
    let persona = if password.is_empty() {
        Persona::Guest
    } else {
        Persona::Staff
    };
    let user = match sign_in(&form.ctx, &email.as_str().into(), password).await {
        Ok(user) => user,
        // Its page says why, and tries again
        Err(_) => return Err(format!("/{}/sign-in", persona.name())),
    };
    if form.raw("scene") != SCENE {
        return Ok(home(persona).to_owned());
    }
    if set_faults(&form.ctx, &user.caller, SCENE).await.is_err() {
        return Ok(fault_injection::PAGE.to_owned());
    }
    let guests = accounts.iter().filter(|(_, password)| password.is_empty());
    for (guest, _) in guests {
        let stays = json!({ "guest_email": guest, "status": "Checked In" });
        if let Ok(stays) = read::<SearchBookings>(&form.ctx, &user, stays).await
            && let Some(stay) = stays.rows.first()
        {
            return Ok(format!(
                "{}/check-out",
                page_url::stay(&stay.booking.booking_number)
            ));
        }
    }
    Ok(fault_injection::PAGE.to_owned())
}

async fn sign_in(
    ctx: &PageContext,
    email: &EmailAddress,
    password: &str,
) -> Result<SignedIn, SignInError> {
    let authenticator = &*ctx.authenticator;
    if !password.is_empty() {
        return authenticator.enter_password(email, password).await;
    }
    let code = authenticator.send_code(email).await?.demo_code;
    let code = code.ok_or(SignInError::Unavailable)?;
    authenticator.enter_code(email, &code).await?;
    authenticator.signed_in().await.ok_or(SignInError::NoMatch)
}
