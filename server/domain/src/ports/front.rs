//! The three ports the pages see: tools, the door, and watching. Nothing else of the server is
//! reachable from a page.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{
    answer::{ToolAnswer, ToolError},
    caller::Caller,
    tool::ToolCall,
    view::{CheckoutPause, ExecutionView, GuestActivity, MoneyCheck, SweepView},
};

/// The one way in: checks the caller, validates, runs or reads.
#[async_trait]
pub trait Dispatcher: Send + Sync + std::fmt::Debug {
    /// Answers when the tool is settled or its bounded wait is over; never panics, never hangs.
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer;

    /// What an interface refused by itself because it could not make a call of it, for those who
    /// count and record calls.
    async fn refused(&self, _caller: &Caller, _tool: &str, error: ToolError) -> ToolAnswer {
        error.into()
    }
}

/// Why somebody was not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DoorError {
    /// Wrong, expired, used up or unknown; deliberately one answer for all of them.
    #[error("That code did not match. Check it, or ask for a new one.")]
    NoMatch,
    /// Too many tries; come back later.
    #[error("Too many tries. Please wait {} minutes and try again.", .wait.as_secs().div_ceil(60))]
    TooMany {
        /// How long.
        wait: Duration,
    },
    /// Our own fault.
    #[error("Signing in does not work right now. Please try again in a moment.")]
    Unavailable,
}

/// Somebody who was let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    /// Who.
    pub caller: Caller,
    /// What to call them; may be empty.
    pub first_name: String,
}

/// One place where a person is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// What to call it in [`Authenticator::revoke`]; says nothing of the cookie.
    pub name: String,
    /// The browser in a few words: `Firefox on Windows`.
    pub browser: String,
    /// Since when.
    pub since: Timestamp,
    /// When it was last used.
    pub last_used: Timestamp,
    /// True for the one that asks.
    pub this: bool,
}

/// Sign-in and out. It knows the session of the request it is made for.
#[async_trait]
pub trait Authenticator: Send + Sync + std::fmt::Debug {
    /// Who is asking, if anybody is signed in.
    async fn who(&self) -> Option<SignedIn>;

    /// Sends a sign-in code, if the email is a guest's; the same answer and the same time if not.
    /// In demo mode the code is returned so that the page can show it.
    ///
    /// # Errors
    /// `TooMany`, or `Unavailable`.
    async fn send_code(&self, email: &str) -> Result<Option<String>, DoorError>;

    /// Lets a guest in by the code sent, and renews the session's id.
    ///
    /// # Errors
    /// `NoMatch`, `TooMany`, or `Unavailable`.
    async fn enter_code(&self, email: &str, code: &str) -> Result<SignedIn, DoorError>;

    /// Lets staff in by password, and renews the session's id.
    ///
    /// # Errors
    /// `NoMatch`, `TooMany`, or `Unavailable`.
    async fn enter_password(&self, email: &str, password: &str) -> Result<SignedIn, DoorError>;

    /// Ends the session.
    async fn sign_out(&self);

    /// Where the person is signed in, this session first.
    async fn sessions(&self) -> Vec<SessionView>;

    /// Ends one of the person's own sessions, named as in the list; false when there is no such
    /// one.
    async fn revoke(&self, name: &str) -> bool;

    /// Ends all of the person's sessions but this one.
    async fn revoke_others(&self);

    /// Keeps a small text in the session until the next page takes it: flash messages and forms
    /// that failed.
    async fn put_aside(&self, key: &str, text: String);

    /// Takes what was put aside.
    async fn take_aside(&self, key: &str) -> Option<String>;

    /// Accounts a demo may show on the sign-in page (email, password); empty in any mode but
    /// `demo`.
    fn demo_accounts(&self) -> Vec<(String, String)>;
}

/// Following what goes on.
#[async_trait]
pub trait ExecutionFeed: Send + Sync + std::fmt::Debug {
    /// One execution as this caller may see it.
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView>;

    /// The execution that this caller began with that token, if there is one yet.
    async fn begun_with(&self, caller: &Caller, token: &str) -> Option<ExecutionView>;

    /// What was done about this guest's stays, by them or for them, the latest first; nothing for
    /// staff, who have `search_executions`.
    async fn activities(&self, caller: &Caller, at_most: usize) -> Vec<GuestActivity>;

    /// Returns the execution as soon as it has more than `after` journal rows, or as it is after
    /// `at_most`.
    async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        after: i64,
        at_most: Duration,
    ) -> Option<ExecutionView>;

    /// A number that rises whenever any execution this caller may list has changed; returns when it
    /// differs from `after`, or after `at_most`. Lists are read through `search_executions` and
    /// `list_compensations`.
    async fn lists_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64;

    /// The money of an execution, asked of the payment system right now; `None` when none moved,
    /// the system does not answer, or the caller is not of the desk.
    async fn money(&self, caller: &Caller, id: &str) -> Option<MoneyCheck>;

    /// The sweep, for the desk.
    async fn sweep(&self, caller: &Caller) -> Option<SweepView>;

    /// Whether check-outs are paused, and why; for front desk and managers.
    async fn checkout_pause(&self, caller: &Caller) -> Option<CheckoutPause>;

    /// Lets check-outs through again; false for whoever is no manager, and when the store failed.
    async fn lift_checkout_pause(&self, caller: &Caller) -> bool;
}
