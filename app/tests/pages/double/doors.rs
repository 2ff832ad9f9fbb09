//! Authentication of the double.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Interface, Role},
    ports::{
        Authenticator, CodeAccepted, Registration, RegistrationError, SessionView, SignInError,
        SignedIn,
    },
};

use super::{House, born};

#[async_trait]
impl Authenticator for House {
    async fn who(&self) -> Option<SignedIn> {
        self.state().who.clone()
    }

    async fn colleagues(&self) -> Vec<String> {
        ["frontdesk", "housekeeping", "maintenance", "manager"]
            .map(|name| format!("{name}@dewy.example"))
            .to_vec()
    }

    async fn send_code(&self, email: &str) -> Result<Option<String>, SignInError> {
        match email {
            "often@example.com" => Err(SignInError::TooMany {
                wait: Duration::from_secs(600),
            }),
            _ => Ok(Some("123456".to_owned())),
        }
    }

    async fn send_registration_code(
        &self,
        entered: &Registration,
    ) -> Result<Option<String>, RegistrationError> {
        if !entered.phone.starts_with('+') {
            return Err(RegistrationError::Invalid(vec!["phone".to_owned()]));
        }
        Ok(self.send_code(&entered.email).await?)
    }

    async fn enter_code(&self, email: &str, code: &str) -> Result<CodeAccepted, SignInError> {
        if code != "123456" {
            return Err(SignInError::NoMatch);
        }
        let who = SignedIn {
            caller: Caller::guest(email, Interface::Form),
            first_name: "Beth".to_owned(),
            last_name: "Gibbs".to_owned(),
        };
        self.state().who = Some(who.clone());
        Ok(CodeAccepted::SignedIn(who))
    }

    async fn finish_registration(&self) -> Result<SignedIn, SignInError> {
        Err(SignInError::NoMatch)
    }

    async fn enter_password(&self, email: &str, password: &str) -> Result<SignedIn, SignInError> {
        if password != "dewy-demo" {
            return Err(SignInError::NoMatch);
        }
        let role = match email.split('@').next() {
            Some("housekeeping") => Role::Housekeeping,
            Some("maintenance") => Role::Maintenance,
            Some("frontdesk") => Role::FrontDesk,
            _ => Role::Manager,
        };
        let who = SignedIn {
            caller: Caller::staff(email, role, Interface::Form),
            first_name: String::new(),
            last_name: String::new(),
        };
        self.state().who = Some(who.clone());
        Ok(who)
    }

    async fn sign_out(&self) {
        self.state().who = None;
    }

    async fn sessions(&self) -> Vec<SessionView> {
        let session = |name: &str, browser: &str, this| SessionView {
            name: name.to_owned(),
            browser: browser.to_owned(),
            since: born(),
            last_used: born(),
            this,
        };
        let all = [
            session("s1", "Firefox on Windows", true),
            session("s2", "Safari on an iPhone", false),
            session("s3", "Chrome on Android", false),
        ];
        let revoked = self.state().revoked.clone();
        all.into_iter()
            .filter(|one| !revoked.contains(&one.name))
            .collect()
    }

    async fn revoke(&self, name: &str) -> bool {
        self.state().revoked.push(name.to_owned());
        true
    }

    async fn revoke_others(&self) {
        self.state()
            .revoked
            .extend(["s2".to_owned(), "s3".to_owned()]);
    }

    async fn save_in_session(&self, key: &str, text: String) {
        self.state().aside.insert(key.to_owned(), text);
    }

    async fn take_from_session(&self, key: &str) -> Option<String> {
        self.state().aside.remove(key)
    }

    fn demo_accounts(&self) -> Vec<(String, String)> {
        if self.key().is_some() {
            return Vec::new();
        }
        [
            ("manager@dewy.example", "dewy-demo"),
            ("frontdesk@dewy.example", "dewy-demo"),
            ("beth.gibbs@email.com", ""),
            ("wei.chen@example.com", ""),
        ]
        .map(|(email, password)| (email.to_owned(), password.to_owned()))
        .to_vec()
    }
}
