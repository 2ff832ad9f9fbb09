//! Registration: someone the hotel doesn't know proves their email, or without a mail server a phone,
//! and only then becomes a contact. A known guest provides the same proof as for a sign-in.
//!
//! ```text
//! form ─► fields valid? ─► email known? ── yes ─► code to the phone on file; without a carrier to the email
//!                             │                  (of several guests with the email: whose phone was entered)
//!                             └─ no ─► code to the email; without a mail server to the phone just entered
//!                                      bound to that phone: worth nothing once the email is somebody's
//! code ─► known: signed in
//!    └──► new: proof kept in the session ─► create_contact_if_not_found ─► the contact has that phone ─► signed in
//! ```
//! The steps, their limits, and what the browser gets are the same for known and unknown emails.

use dewy_connectors::PhoneNumber;
use dewy_domain::{
    caller::{Caller, Interface},
    decimal_digits::with_ascii_digits,
    email_address::EmailAddress,
    one_line::OneLine,
    ports::{AcceptedCode, Registration, RegistrationError, RequestedCode, SignInError, SignedIn},
    tool::{REGISTRATION, ToolCall},
};
use dewy_orchestrators::invalid_fields;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    authenticator::RequestAuthenticator,
    code_sms::CodeRecipient,
    known_guests::KnownGuest,
    one_time_codes::{CodeBinding, CodeOwner},
    sign_in_limits::unavailable,
};

/// Session key of a registration in progress. Pages can't write it.
const REGISTERING: &str = "registering";

/// Registration in progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Registering {
    /// Checked; the phone is E.164.
    person: Registration,
    /// Token of the contact's execution, once the code was right.
    token: Option<String>,
    /// Whether the email is proven by the code, and enough to sign in.
    #[serde(default)]
    by_email: bool,
}

impl Registering {
    fn caller(&self) -> Caller {
        Caller::guest(self.person.email.as_str(), Interface::Form)
    }

    /// Call that creates the contact; `None` until the code was entered.
    fn call(&self) -> Option<AcceptedCode> {
        Some(AcceptedCode::Register {
            caller: self.caller(),
            call: ToolCall {
                tool: REGISTRATION.to_owned(),
                input: json!(self.person),
                idempotency_token: Some(self.token.clone()?),
                wait: None,
            },
        })
    }
}

impl RequestAuthenticator {
    /// Sends a code: to the email or the phone of someone new, or to where a known guest's sign-in
    /// codes go.
    pub(super) async fn send_to_newcomer(
        &self,
        entered: &Registration,
    ) -> Result<RequestedCode, RegistrationError> {
        let person = self.checked(entered)?;
        self.codes_can_be_sent()?;
        let is_common = self.count_code(&person.email, Some(&person.phone)).await?;
        let guests = self.guests(&person.email).await?;
        // A code for someone new is bound to what they entered, and worth nothing once the email is
        // somebody's; a known guest proves what a sign-in asks for. Of several with the email it is
        // the one whose phone was entered
        let known = !guests.is_empty();
        let own = |guest: &KnownGuest| guest.contact.phone.as_ref() == Some(&person.phone);
        let is_one_of_several = guests.len() > 1;
        let is_named = is_one_of_several && guests.iter().any(own);
        let owner = match guests.as_slice() {
            [] => CodeOwner::Newcomer(&person.phone),
            [_] => CodeOwner::OnlyGuest,
            _ => CodeOwner::OneOfSeveral(&person.phone),
        };
        let by_email = self.has_code_by_email(!known);
        let recipient = match owner {
            CodeOwner::OnlyGuest => "",
            CodeOwner::Newcomer(_) if by_email => person.email.as_str(),
            CodeOwner::OneOfSeveral(_) if !is_named => person.email.as_str(),
            CodeOwner::Newcomer(phone) | CodeOwner::OneOfSeveral(phone) => phone,
        };
        let common = is_common.then_some(recipient);
        let code = self.new_code(&person.email, owner, common).await?;
        let (sign_in_state, language) = (&self.sign_in_state, self.from.language);
        let to = match guests.as_slice() {
            [only] => CodeRecipient {
                phone: only.contact.phone.clone(),
                email: Some(person.email.clone()),
            },
            // A shared address proves nobody
            _ => CodeRecipient {
                phone: (!known || is_named).then(|| person.phone.clone()),
                email: None,
            },
        };
        match (&sign_in_state.code_mail, &sign_in_state.code_delivery) {
            (Some(mail), _) if by_email && is_one_of_several && !is_named => {
                mail.send_shared(person.email.clone(), &code, language);
            }
            (Some(mail), _) if by_email => mail.send(person.email.clone(), &code, language),
            (_, Some(texts)) => texts.send(to, code.clone(), &sign_in_state.codes, language),
            _ => {}
        }
        self.keep_registering(&Registering {
            person,
            token: None,
            by_email: self.has_code_by_email(false),
        })
        .await?;
        self.codes_are_not_refused(true)?;
        Ok(RequestedCode {
            demo_code: self.sign_in_state.demo.then_some(code.code),
            is_common,
        })
    }

    /// Checks the fields by the rules of the tool that makes the contact.
    fn checked(&self, entered: &Registration) -> Result<Registration, RegistrationError> {
        // A number is entered in any common form, and kept in one. Codes may go to it
        let number = self.sign_in_state.country.read(&entered.phone);
        let phone = number.as_ref().and_then(PhoneNumber::texted);
        let person = Registration {
            email: entered.email.clone(),
            first_name: OneLine::from(entered.first_name.as_str()).into(),
            last_name: OneLine::from(entered.last_name.as_str()).into(),
            phone: phone.unwrap_or_default().to_owned(),
        };
        let caller = Caller::guest(person.email.as_str(), Interface::Form);
        let invalid = invalid_fields(&caller, REGISTRATION, &json!(person));
        if invalid.is_empty() {
            Ok(person)
        } else {
            Err(RegistrationError::Invalid(invalid))
        }
    }

    /// Accepts or refuses a code, for known and unknown emails alike.
    pub(super) async fn accept_code(
        &self,
        email: &EmailAddress,
        code: &str,
    ) -> Result<AcceptedCode, SignInError> {
        let attempt = self.count_guess(email).await?;
        let registering = self
            .registering()
            .await
            .filter(|one| one.person.email == *email);
        // The form sent twice, or again after a failure: the code was right already
        if let Some(proven) = registering.as_ref().and_then(Registering::call) {
            self.take_back(attempt).await;
            return Ok(proven);
        }
        // Always looked up first: a code isn't used up while the guest can't be read, and an
        // unknown guest takes as long as a known one.
        let guests = self.guests(email).await?;
        let digits = entered_digits(code);
        let owner = self.owner_of_code(email, &digits, guests, registering.as_ref());
        let owner = owner.await?;
        self.take_back(attempt).await;
        match (owner, registering) {
            (Some(guest), _) => {
                let unreached_phone = self.unreached_digits(guest.contact.phone.as_deref()).await;
                let user = signed_in(guest);
                self.start_session(&user).await?;
                Ok(AcceptedCode::SignedIn {
                    user,
                    unreached_phone,
                })
            }
            (None, Some(mut registering)) => {
                registering.token = Some(self.sign_in_state.codes.token());
                self.keep_registering(&registering).await?;
                registering.call().ok_or(SignInError::Unavailable)
            }
            (None, None) => Err(SignInError::NoMatch),
        }
    }

    /// Whose right code it is; `None` for someone new.
    async fn owner_of_code(
        &self,
        email: &EmailAddress,
        digits: &str,
        guests: Vec<KnownGuest>,
        registering: Option<&Registering>,
    ) -> Result<Option<KnownGuest>, SignInError> {
        let is_code_of = async |of: CodeOwner<'_>| {
            let browser = self.from.browser.id();
            let binding = CodeBinding { email, browser, of };
            let right = self.sign_in_state.codes.check(binding, digits).await;
            right.map_err(unavailable)
        };
        let Some(oldest) = guests.first() else {
            let phone = registering.map(|one| one.person.phone.as_str());
            let newcomer = phone.map_or(CodeOwner::OnlyGuest, CodeOwner::Newcomer);
            let right = is_code_of(newcomer).await?;
            return right.then_some(None).ok_or(SignInError::NoMatch);
        };
        // Of several, only a demo's page shows a code that was sent to nobody
        if (guests.len() == 1 || self.sign_in_state.demo)
            && is_code_of(CodeOwner::OnlyGuest).await?
        {
            return Ok(Some(oldest.clone()));
        }
        if guests.len() > 1 {
            for guest in guests {
                let Some(phone) = guest.contact.phone.as_deref() else {
                    continue;
                };
                if is_code_of(CodeOwner::OneOfSeveral(phone)).await? {
                    return Ok(Some(guest));
                }
            }
        }
        Err(SignInError::NoMatch)
    }

    /// Signs in a new guest who has proven the email, or the phone number on their contact.
    pub(super) async fn start_newcomer_session(&self) -> Result<SignedIn, SignInError> {
        let registering = self.registering().await.filter(|one| one.token.is_some());
        let mut registering = registering.ok_or(SignInError::NoMatch)?;
        self.count_read().await?;
        let guests = self.guests(&registering.person.email).await?;
        if guests.is_empty() {
            // Not made: the next attempt is another request
            registering.token = Some(self.sign_in_state.codes.token());
            self.keep_registering(&registering).await?;
            return Err(SignInError::Unavailable);
        }
        let by_email = registering.by_email && guests.len() == 1;
        let proven = |guest: &KnownGuest| {
            by_email || guest.contact.phone.as_ref() == Some(&registering.person.phone)
        };
        let Some(guest) = guests.into_iter().find(proven) else {
            // Made by somebody else in the meantime
            let ended = self.session.remove_value(REGISTERING).await;
            ended.map_err(|error| lost(&error))?;
            return Err(SignInError::NoMatch);
        };
        let user = signed_in(guest);
        self.start_session(&user).await?;
        Ok(user)
    }

    /// Last digits of a number, if the last text to it never arrived.
    async fn unreached_digits(&self, phone: Option<&str>) -> Option<String> {
        let (phone, texts) = phone.zip(self.sign_in_state.code_delivery.as_ref())?;
        let unreached = texts.texts.last_never_arrived(phone).await;
        let digits = phone.get(phone.len().saturating_sub(2)..)?;
        unreached.then(|| digits.to_owned())
    }

    async fn registering(&self) -> Option<Registering> {
        let kept = self.session.get(REGISTERING).await;
        kept.unwrap_or_else(|error| {
            lost(&error);
            None
        })
    }

    /// Saves the session immediately, because a form that is submitted twice must find it.
    async fn keep_registering(&self, registering: &Registering) -> Result<(), SignInError> {
        self.expire_soon();
        let kept = async {
            self.session.insert(REGISTERING, registering).await?;
            self.session.save().await
        };
        kept.await.map_err(|error| lost(&error))
    }
}

/// A code as it is typed or pasted: in digits of any script, with anything between them but letters.
fn entered_digits(code: &str) -> String {
    let ascii = with_ascii_digits(code);
    ascii.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn signed_in(guest: KnownGuest) -> SignedIn {
    SignedIn {
        caller: Caller::one_guest(&guest.identity, Interface::Form),
        first_name: guest.contact.first_name,
        last_name: guest.contact.last_name,
    }
}

fn lost(error: &tower_sessions::session::Error) -> SignInError {
    tracing::error!(%error, "a registration could not be stored");
    SignInError::Unavailable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_with_separators_and_in_any_digits() {
        for typed in [
            "123456",
            " 123 456 ",
            "123-456",
            "123\u{a0}456",
            "123\u{2011}456\u{202c}",
            "１２３４５６",
            "١٢٣٤٥٦",
            "12.34.56",
        ] {
            assert_eq!(entered_digits(typed), "123456", "{typed}");
        }
        assert_eq!(entered_digits("12a3456"), "12a3456");
    }
}
