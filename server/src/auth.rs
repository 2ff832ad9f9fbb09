//! Authentication: bearer tokens for programs, sessions for people.

mod authenticator;
mod bearer;
pub mod booking_links;
pub mod browser_cookie;
mod browser_name;
mod code_mail;
mod code_sms;
mod demo_accounts;
mod guest_language;
mod known_guests;
mod one_time_codes;
mod own_sessions;
mod password_sign_in;
mod passwords;
mod registration;
mod request_origin;
mod request_user;
mod sealed_secret;
mod send_sign_in_code;
mod session;
mod sign_in_limits;
mod sign_in_state;
mod token_admin;
mod token_issuer;
mod tokens;
mod user_sessions;

pub use authenticator::{RequestAuthenticator, USER_KEY};
pub use bearer::{Bearer, TokenCheck, TokenFault, credential, require_bearer};
pub use browser_name::browser_name;
pub use code_mail::CodeMail;
pub use code_sms::CodeSms;
pub use demo_accounts::{
    DEMO_GUESTS, DEMO_PASSWORD, DEMO_STAFF, DemoAccounts, create_demo_accounts, demo_accounts,
    disable_demo_accounts,
};
pub use known_guests::KnownGuests;
pub use passwords::{Lane, Passwords};
pub use request_origin::RequestOrigin;
pub use session::{SESSION_COOKIE, session_layer};
pub use sign_in_state::SignInState;
pub use token_admin::TokenAdminService;
pub use token_issuer::{TokenIssuer, token_view};
pub use tokens::{StoredTokens, create_token, staff_role, token_hash};
