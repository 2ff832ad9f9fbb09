//! Sign-in of staff with a password.

use dewy_domain::{
    caller::{Caller, Interface},
    email_address::EmailAddress,
    ports::{SignInError, SignedIn},
};

use super::{
    authenticator::RequestAuthenticator,
    passwords::Lane,
    sign_in_limits::{staff_key, unavailable},
    sign_in_state::SignInState,
    tokens::staff_role,
};

impl RequestAuthenticator {
    /// Starts a session for the person with this email and password.
    pub(super) async fn accept_password(
        &self,
        email: &EmailAddress,
        password: &str,
    ) -> Result<SignedIn, SignInError> {
        let SignInState {
            store, passwords, ..
        } = &self.sign_in_state;
        let attempt = self.count_password(email).await?;
        let lane = if self.from.browser.is_known_to(&staff_key(email)) {
            Lane::Known
        } else {
            Lane::Unknown
        };
        let account = store.staff_by_email(email).await.map_err(unavailable)?;
        // A disabled account is still compared, so that timing doesn't distinguish it from a wrong
        // password.
        let fits = passwords
            .verify(
                password,
                account.as_ref().map(|a| a.password_hash.as_str()),
                lane,
            )
            .await;
        let role = staff_role(store, email).await.map_err(unavailable)?;
        let role = role.filter(|_| fits).ok_or(SignInError::NoMatch)?;
        self.take_back(attempt).await;
        let signed_in = SignedIn {
            caller: Caller::staff(email.as_str(), role, Interface::Form),
            first_name: String::new(),
            last_name: String::new(),
        };
        self.start_session(&signed_in).await?;
        Ok(signed_in)
    }
}
