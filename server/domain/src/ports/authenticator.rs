//! Sign-in, sign-up, sessions, and the current user.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{caller::Caller, email_address::EmailAddress, tool::ToolCall};

/// Why a sign-in failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    /// Wrong, expired, used or unknown; deliberately one answer for all of them.
    #[error("the code did not match")]
    NoMatch,
    /// Too many attempts.
    #[error("too many attempts")]
    TooMany {
        /// How long to wait.
        wait: Duration,
    },
    /// The CRM, or every carrier of codes, refuses our access.
    #[error("the access to the CRM or to every carrier is refused")]
    Broken,
    /// An internal error.
    #[error("an internal error")]
    Unavailable,
}

/// How the codes of guests travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeRoute {
    /// By text.
    Phone,
    /// By text, and by email if the text does not arrive.
    PhoneThenEmail,
    /// By email, because texts are refused at present.
    EmailForNow,
    Email,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    pub caller: Caller,
    /// First name for greetings; may be empty.
    pub first_name: String,
    /// Family name, so that a guest isn't asked for it; may be empty.
    pub last_name: String,
}

/// Someone new, as they entered themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    pub email: EmailAddress,
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Mobile phone, which gets the code.
    pub phone: String,
}

/// Why no code was sent to someone new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistrationError {
    /// Fields that aren't valid, by name.
    Invalid(Vec<String>),
    SignIn(SignInError),
}

impl From<SignInError> for RegistrationError {
    fn from(error: SignInError) -> Self {
        Self::SignIn(error)
    }
}

/// What a correct code leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum AcceptedCode {
    /// A known guest, who is signed in.
    SignedIn {
        /// The guest.
        user: SignedIn,
        /// Last two digits of their number, if the last text to it never arrived.
        unreached_phone: Option<String>,
    },
    /// A new guest, whose contact must be created with this call before they are signed in.
    Register {
        /// Bound to the email of the registration, and not signed in.
        caller: Caller,
        /// The call, with its token: the same one however often the code is sent.
        call: ToolCall,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// Name for [`Authenticator::revoke`]; reveals nothing about the cookie.
    pub name: String,
    /// Browser description: `Firefox on Windows`.
    pub browser: String,
    pub since: Timestamp,
    pub last_used: Timestamp,
    /// True for the current session.
    pub this: bool,
}

/// A code that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedCode {
    /// The code, which a demo's page shows.
    pub demo_code: Option<String>,
    /// Whether it is longer, and the same for all who ask now.
    pub is_common: bool,
}

/// Sign-in and sign-out. Knows the session of the current request.
#[async_trait]
pub trait Authenticator: Send + Sync + std::fmt::Debug {
    /// The signed-in person, if any.
    async fn signed_in(&self) -> Option<SignedIn>;

    /// Sends a sign-in code if the email is a guest's; otherwise the answer and its timing are the
    /// same.
    ///
    /// # Errors
    /// `TooMany`, or `Unavailable`.
    async fn send_code(&self, email: &EmailAddress) -> Result<RequestedCode, SignInError>;

    /// How a guest's code travels: the same for every email. Unless it is [`CodeRoute::Phone`], the
    /// code of someone new goes to their email address.
    fn code_route(&self) -> CodeRoute {
        CodeRoute::Phone
    }

    /// Sends a code to someone new: to the address they entered if there is a mail server, else to
    /// the phone they entered. If the email is a guest's, the code goes where their sign-in codes go;
    /// with the same answer and timing.
    ///
    /// # Errors
    /// `Invalid`, with the names of the fields; or as [`Self::send_code`].
    async fn send_registration_code(
        &self,
        entered: &Registration,
    ) -> Result<RequestedCode, RegistrationError>;

    /// Signs a guest in with the code sent, and renews the session id; someone new proves their
    /// phone with it.
    ///
    /// # Errors
    /// `NoMatch`, `TooMany`, or `Unavailable`.
    async fn enter_code(
        &self,
        email: &EmailAddress,
        code: &str,
    ) -> Result<AcceptedCode, SignInError>;

    /// Signs someone new in whose contact was made after [`Self::enter_code`].
    ///
    /// # Errors
    /// `NoMatch` if the contact isn't theirs, `Unavailable` if there is none.
    async fn finish_registration(&self) -> Result<SignedIn, SignInError>;

    /// Signs a staff member in with a password, and renews the session id.
    ///
    /// # Errors
    /// `NoMatch`, `TooMany`, or `Unavailable`.
    async fn enter_password(
        &self,
        email: &EmailAddress,
        password: &str,
    ) -> Result<SignedIn, SignInError>;

    /// Ends the session.
    async fn sign_out(&self);

    /// The person's sessions, the current one first.
    async fn sessions(&self) -> Vec<SessionView>;

    /// Ends one of the person's own sessions, by its name in the list; false when there is none.
    async fn revoke(&self, name: &str) -> bool;

    /// Ends all of the person's sessions except the current one.
    async fn revoke_others(&self);

    /// Phone number on file (E.164) of the guest who is signed in, as it was last read; `may_read` reads
    /// it from the CRM. `None` if it isn't known.
    async fn own_phone(&self, may_read: bool) -> Option<String> {
        let _ = may_read;
        None
    }

    /// Stores a short text in the session until the next page takes it, without payment card numbers:
    /// flash messages and rejected forms.
    async fn save_in_session(&self, key: &str, text: String);

    /// Takes the stored text.
    async fn take_from_session(&self, key: &str) -> Option<String>;

    /// Stores the language that the signed-in guest has chosen, for messages to them.
    async fn prefer_language(&self, language: &str) {
        let _ = language;
    }

    /// Emails of the staff accounts that can sign in, for signed-in staff; empty for everybody else.
    async fn colleagues(&self) -> Vec<String> {
        Vec::new()
    }

    /// Accounts shown on a demo's sign-in page (email, password); empty in any mode but `demo`.
    fn demo_accounts(&self) -> Vec<(String, String)>;
}
