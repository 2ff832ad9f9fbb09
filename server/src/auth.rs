//! Authentication: bearer tokens for programs, sessions for people.

mod authenticator;
mod bearer;
mod browser_name;
mod code_delivery;
mod code_mail;
mod codes;
mod demo_accounts;
mod guest_language;
mod passwords;
mod registration;
mod request_origin;
mod request_user;
mod sealed_secret;
mod session;
mod sign_in_codes;
mod sign_in_rate_limits;
mod sign_in_state;
mod token_admin;
mod token_issuer;
mod tokens;
mod user_sessions;

pub use authenticator::{RequestAuthenticator, USER_KEY};
pub use bearer::{Bearer, TokenCheck, require_bearer};
pub use browser_name::browser_name;
pub use code_delivery::CodeDelivery;
pub use code_mail::CodeMail;
pub use demo_accounts::{
    DEMO_GUESTS, DEMO_PASSWORD, DEMO_STAFF, DemoAccounts, demo_accounts, make_demo_accounts,
    withdraw_demo_accounts,
};
pub use passwords::Passwords;
pub use request_origin::RequestOrigin;
pub use session::{SESSION_COOKIE, session_layer};
pub use sign_in_rate_limits::network;
pub use sign_in_state::SignInState;
pub use token_admin::TokenAdminService;
pub use token_issuer::{TokenIssuer, token_view};
pub use tokens::{Tokens, create_token, staff_role, token_hash};
