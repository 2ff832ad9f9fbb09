//! Who is asking: bearer tokens for programs, sessions for people.

mod bearer;
mod browser;
mod codes;
mod demo;
mod doorman;
mod letters;
mod limits;
mod passwords;
mod places;
mod sealed;
mod session;
mod token_desk;
mod token_maker;
mod tokens;

pub use bearer::{Bearer, TokenCheck, require_bearer};
pub use browser::browser_words;
pub use demo::{
    DEMO_GUESTS, DEMO_PASSWORD, DEMO_STAFF, DemoAccounts, demo_accounts, make_demo_accounts, withdraw_demo_accounts,
};
pub use doorman::{Door, DoormanOf, From, WHO};
pub use letters::Letters;
pub use limits::network;
pub use passwords::Passwords;
pub use session::{SESSION_COOKIE, session_layer};
pub use token_desk::TokenDeskOf;
pub use token_maker::{TokenMaker, token_view};
pub use tokens::{Tokens, create_token, staff_role, token_hash};
