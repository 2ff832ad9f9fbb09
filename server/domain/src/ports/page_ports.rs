//! The three ports pages use: tools, authentication and the execution feed. Pages reach no other
//! part of the server.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    caller::Caller,
    error_code::ErrorCode,
    execution_view::{CheckoutPause, ExecutionView, GuestActivity, MoneyCheck, OrphanCheckView},
    ports::{Email, ReceiptEmail},
    tool::ToolCall,
    tool_answer::{ToolAnswer, ToolError},
};

/// The single entry point for tool calls: checks the caller, validates, then executes or reads.
#[async_trait]
pub trait Dispatcher: Send + Sync + std::fmt::Debug {
    /// Returns when the call has ended or its bounded wait is over; never panics, never hangs.
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer;

    /// Reports a call that an interface refused because it could not build it, for counters and the
    /// audit log.
    async fn refused(&self, _caller: &Caller, _tool: &str, error: ToolError) -> ToolAnswer {
        error.into()
    }
}

/// Why a sign-in failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    /// Wrong, expired, used or unknown; deliberately one answer for all of them.
    #[error("That code did not match. Check it, or ask for a new one.")]
    NoMatch,
    /// Too many attempts.
    #[error("Too many tries. Please wait {} minutes and try again.", .wait.as_secs().div_ceil(60))]
    TooMany {
        /// How long to wait.
        wait: Duration,
    },
    /// An internal error.
    #[error("Signing in does not work right now. Please try again in a moment.")]
    Unavailable,
}

/// A signed-in person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    /// Caller.
    pub caller: Caller,
    /// First name for greetings; may be empty.
    pub first_name: String,
    /// Family name, so that a guest isn't asked for it; may be empty.
    pub last_name: String,
}

/// Someone new, as they entered themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    /// Email address.
    pub email: String,
    /// First name.
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
    /// As at a sign-in.
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
    SignedIn(SignedIn),
    /// A new guest, whose contact must be created with this call before they are signed in.
    Register {
        /// Bound to the email of the registration, and not signed in.
        caller: Caller,
        /// The call, with its token: the same one however often the code is sent.
        call: ToolCall,
    },
}

/// One session of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// Name for [`Authenticator::revoke`]; reveals nothing about the cookie.
    pub name: String,
    /// Browser description: `Firefox on Windows`.
    pub browser: String,
    /// Start of the session.
    pub since: Timestamp,
    /// Last use.
    pub last_used: Timestamp,
    /// True for the current session.
    pub this: bool,
}

/// Sign-in and sign-out. Knows the session of the current request.
#[async_trait]
pub trait Authenticator: Send + Sync + std::fmt::Debug {
    /// The signed-in person, if any.
    async fn signed_in(&self) -> Option<SignedIn>;

    /// Sends a sign-in code if the email is a guest's; otherwise the answer and its timing are the
    /// same. In demo mode the code is returned so that the page can show it.
    ///
    /// # Errors
    /// `TooMany`, or `Unavailable`.
    async fn send_code(&self, email: &str) -> Result<Option<String>, SignInError>;

    /// Whether codes go to the email address, of someone new or of a guest, and not to a phone.
    fn emails_code(&self, new: bool) -> bool {
        let _ = new;
        false
    }

    /// Sends a code to someone new: to the address they entered if there is a mail server, else to
    /// the phone they entered. If the email is a guest's, the code goes where their sign-in codes go;
    /// with the same answer and timing. In demo mode the code is returned.
    ///
    /// # Errors
    /// `Invalid`, with the names of the fields; or as [`Self::send_code`].
    async fn send_registration_code(
        &self,
        entered: &Registration,
    ) -> Result<Option<String>, RegistrationError>;

    /// Signs a guest in with the code sent, and renews the session id; someone new proves their
    /// phone with it.
    ///
    /// # Errors
    /// `NoMatch`, `TooMany`, or `Unavailable`.
    async fn enter_code(&self, email: &str, code: &str) -> Result<AcceptedCode, SignInError>;

    /// Signs someone new in whose contact was made after [`Self::enter_code`].
    ///
    /// # Errors
    /// `NoMatch` if the contact isn't theirs, `Unavailable` if there is none.
    async fn finish_registration(&self) -> Result<SignedIn, SignInError>;

    /// Signs a staff member in with a password, and renews the session id.
    ///
    /// # Errors
    /// `NoMatch`, `TooMany`, or `Unavailable`.
    async fn enter_password(&self, email: &str, password: &str) -> Result<SignedIn, SignInError>;

    /// Ends the session.
    async fn sign_out(&self);

    /// The person's sessions, the current one first.
    async fn sessions(&self) -> Vec<SessionView>;

    /// Ends one of the person's own sessions, by its name in the list; false when there is none.
    async fn revoke(&self, name: &str) -> bool;

    /// Ends all of the person's sessions except the current one.
    async fn revoke_others(&self);

    /// Stores a short text in the session until the next page takes it: flash messages and rejected
    /// forms.
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

/// Subscription to executions.
#[async_trait]
pub trait ExecutionFeed: Send + Sync + std::fmt::Debug {
    /// An execution as this caller may see it.
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView>;

    /// The execution this caller started with that token, if any.
    async fn find_by_token(&self, caller: &Caller, token: &str) -> Option<ExecutionView>;

    /// A guest's activities, by them or on their behalf, latest first; empty for staff, who have
    /// `search_executions`.
    async fn activities(&self, caller: &Caller, at_most: usize) -> Vec<GuestActivity>;

    /// Returns the execution once it has more than `after` journal rows, or as it is after
    /// `at_most`.
    async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        after: i64,
        at_most: Duration,
    ) -> Option<ExecutionView>;

    /// Due executions that only another release can continue, oldest first, for front desk and
    /// managers; `next` says why.
    async fn due_elsewhere(&self, caller: &Caller) -> Vec<ExecutionView>;

    /// A number that increases when any execution this caller may list changes. Returns once it
    /// differs from `after`, or after `at_most`. Lists are read with `search_executions` and
    /// `list_compensations`.
    async fn lists_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64;

    /// An execution's money, read from the payment system now; `None` when none moved, the system
    /// does not answer, or the caller is not front desk staff.
    async fn money(&self, caller: &Caller, id: &str) -> Option<MoneyCheck>;

    /// The orphan check's last run, for the front desk.
    async fn last_orphan_check(&self, caller: &Caller) -> Option<OrphanCheckView>;

    /// The check-out pause and its reason, if any; for front desk and managers.
    async fn checkout_pause(&self, caller: &Caller) -> Option<CheckoutPause>;

    /// Lifts the check-out pause; false if the caller is no manager or the store failed.
    async fn lift_checkout_pause(&self, caller: &Caller) -> bool;

    /// Status of this check-out's receipt email.
    async fn receipt_email(&self, caller: &Caller, id: &str) -> ReceiptEmail {
        let _ = (caller, id);
        ReceiptEmail::Off
    }

    /// Emails a guest the receipt of their check-out, once; returns the execution that sends it.
    ///
    /// # Errors
    /// `EXECUTION_NOT_FOUND` for anything else, and the usual ones of a call that starts an execution.
    async fn email_receipt(
        &self,
        caller: &Caller,
        id: &str,
        email: Email,
    ) -> Result<String, ErrorCode> {
        let _ = (caller, id, email);
        Err(ErrorCode::ExecutionNotFound)
    }
}
