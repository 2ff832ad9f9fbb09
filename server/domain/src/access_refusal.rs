//! Refusals that only an operator can resolve: a rejected key or sender, a missing permission, an
//! inactive user, a key of another account. They say nothing about the request they answered.

use crate::{upstream_request::System, vocabulary::FaultCode};

/// Stripe rejects the key: it was revoked, has expired, or was never valid.
pub const KEY_REFUSED: &str = "stripe_key_refused";
/// The key is valid but lacks the permission.
pub const PERMISSION_MISSING: &str = "stripe_permission_missing";
/// The key opens another account than the one of the store's payments.
pub const OTHER_ACCOUNT: &str = "stripe_other_account";

/// OAuth errors that only an operator can fix: the connected app, its secret, its user, its
/// policies.
const SALESFORCE_TOKEN: [&str; 12] = [
    "invalid_client",
    "invalid_client_id",
    "invalid_client_credentials",
    "invalid_grant",
    "invalid_request",
    "invalid_scope",
    "unauthorized_client",
    "unsupported_grant_type",
    "inactive_user",
    "inactive_org",
    "invalid_app_access",
    "access_denied",
];

/// Refusals of every call of our user.
const SALESFORCE_USER: [&str; 12] = [
    "API_CURRENTLY_DISABLED",
    "API_DISABLED_FOR_ORG",
    "CLIENT_NOT_ACCESSIBLE_FOR_USER",
    "INACTIVE_OWNER_OR_USER",
    "INVALID_SESSION_ID",
    "INVALID_SESSION_ID_WITH_API_ACCESS_DENIED",
    "LOGIN_DURING_RESTRICTED_DOMAIN",
    "LOGIN_DURING_RESTRICTED_TIME",
    "ORG_LOCKED",
    "PASSWORD_LOCKOUT",
    "REQUEST_LIMIT_EXCEEDED",
    "insecure_instance_url",
];

/// Twilio's refusals of our account.
const TWILIO_ACCOUNT: [&str; 5] = [
    "unauthorized",
    "twilio_20003",
    "twilio_20005",
    "twilio_30002",
    "twilio_90010",
];

/// Twilio's refusals of our sender or its settings, as opposed to those of one recipient; the last
/// two are reported later, by carriers that don't know the sender.
const TWILIO_SENDER: [&str; 15] = [
    "twilio_21212",
    "twilio_21603",
    "twilio_21606",
    "twilio_21609",
    "twilio_21659",
    "twilio_21660",
    "twilio_21701",
    "twilio_21703",
    "twilio_21704",
    "twilio_21705",
    "twilio_21712",
    "twilio_63007",
    "twilio_30035",
    "twilio_30032",
    "twilio_30034",
];

/// The mail server does not send for our sender.
pub const MAIL_SENDER_REFUSED: &str = "smtp_sender_refused";

/// Mail servers' refusals of our user name, password, mechanism or sender.
const SMTP_ACCESS: [&str; 5] = [
    "smtp_530",
    "smtp_534",
    "smtp_535",
    "smtp_538",
    MAIL_SENDER_REFUSED,
];

/// What a refusal of access applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Every operation of the system.
    Everything,
    Operation,
}

/// The access that this error code of a system denies; `None` for any other error.
#[must_use]
pub fn refused_access(system: System, code: &str) -> Option<Refused> {
    let everything = match system {
        System::Stripe => [KEY_REFUSED, OTHER_ACCOUNT].contains(&code),
        System::Salesforce => SALESFORCE_TOKEN.contains(&code) || SALESFORCE_USER.contains(&code),
        System::Twilio => TWILIO_ACCOUNT.contains(&code),
        System::Smtp => SMTP_ACCESS.contains(&code),
        System::Llm => matches!(code, "http_401" | "http_402" | "http_403"),
    };
    let operation = || match system {
        System::Stripe => code == PERMISSION_MISSING,
        System::Salesforce => {
            code == FaultCode::FieldHidden.as_str()
                || code == "INVALID_TYPE"
                || code.starts_with("INSUFFICIENT_ACCESS")
        }
        System::Llm => matches!(code, "http_400" | "http_404" | "http_422"),
        System::Twilio => TWILIO_SENDER.contains(&code),
        System::Smtp => false,
    };
    match everything {
        true => Some(Refused::Everything),
        false => operation().then_some(Refused::Operation),
    }
}

/// Whether Salesforce or Stripe refuses our access with this code, so that trying again does not help.
/// The daily calls of Salesforce come back by themselves.
#[must_use]
pub fn needs_operator(code: &str) -> bool {
    let refused = |system| refused_access(system, code).is_some();
    code != "REQUEST_LIMIT_EXCEEDED" && (refused(System::Salesforce) || refused(System::Stripe))
}
