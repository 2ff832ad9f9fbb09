//! Refusals that only an operator can resolve: a rejected key or sender, a missing permission, an
//! inactive user, a key of another account. They say nothing about the request they answered.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use dewy_domain::{
    ports::AccessAlarm,
    upstream_request::{Reply, System, UpstreamError},
    vocabulary::FaultCode,
};
use jiff::Timestamp;

/// Stripe rejects the key: it was revoked, has expired, or was never valid.
pub(crate) const KEY_REFUSED: &str = "stripe_key_refused";
/// The key is valid but lacks the permission.
pub(crate) const PERMISSION_MISSING: &str = "stripe_permission_missing";
/// The key opens another account than the one of the store's payments.
pub(crate) const OTHER_ACCOUNT: &str = "stripe_other_account";

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
pub(crate) const MAIL_SENDER_REFUSED: &str = "smtp_sender_refused";

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
pub(crate) enum Refused {
    /// Everything we ask of the system.
    Everything,
    /// This operation.
    Operation,
}

/// What a system refuses with this code, if that is access.
pub(crate) fn refused_access(system: System, code: &str) -> Option<Refused> {
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

/// A refused request, or a refused access. That says nothing about the request, so it may be sent
/// again once an operator has fixed it.
pub(crate) fn refusal<T>(system: System, error: UpstreamError) -> Reply<T> {
    match refused_access(system, &error.code) {
        Some(_) => Reply::TryLater(error),
        None => Reply::Refused(error),
    }
}

/// Access alarms of one system, by operation.
#[derive(Debug, Default)]
pub(crate) struct Alarms(Mutex<BTreeMap<String, AccessAlarm>>);

impl Alarms {
    /// Records what one exchange reveals about access; logs the start and the end of an alarm once
    /// each.
    pub(crate) fn note<T>(
        &self,
        system: System,
        operation: &str,
        reply: &Reply<T>,
        now: Timestamp,
    ) {
        let mut alarms = self.all();
        let error = match reply {
            Reply::TryLater(error) => error,
            // The credentials were accepted, whatever the answer is. What works for one operation
            // is valid.
            Reply::Done(_) | Reply::Refused(_) => {
                let before = alarms.len();
                alarms.retain(|of, alarm| of != operation && !alarm.everything);
                if alarms.len() < before {
                    tracing::info!(system = system.name(), operation, "access is granted again");
                }
                return;
            }
            Reply::Unknown(_) => return,
        };
        let Some(refused) = refused_access(system, &error.code) else {
            return;
        };
        let everything = refused == Refused::Everything;
        let known = alarms
            .get(operation)
            .is_some_and(|known| known.code == error.code);
        let first = !everything || !alarms.values().any(|known| known.code == error.code);
        if !known {
            let said = error.details["message"].as_str().map(str::to_owned);
            let alarm = AccessAlarm {
                operation: operation.to_owned(),
                code: error.code.clone(),
                message: said,
                everything,
                since: now,
            };
            alarms.insert(operation.to_owned(), alarm);
            if first {
                tracing::error!(
                    system = system.name(),
                    operation,
                    code = error.code,
                    message = error.message,
                    "access was refused; an operator has to fix it"
                );
            }
        }
    }

    /// Current alarms, in the order of operations.
    pub(crate) fn standing(&self) -> Vec<AccessAlarm> {
        self.all().values().cloned().collect()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, AccessAlarm>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_lasts_until_the_key_works_again() {
        let (alarms, at) = (Alarms::default(), Timestamp::UNIX_EPOCH);
        let note = |operation: &str, reply: &Reply<()>| {
            alarms.note(System::Stripe, operation, reply, at);
        };
        let refused = |code: &str| Reply::<()>::TryLater(UpstreamError::new(code, ""));
        let standing = || {
            alarms
                .standing()
                .into_iter()
                .map(|a| (a.operation, a.code))
                .collect::<Vec<_>>()
        };
        note("refund_create", &refused(PERMISSION_MISSING));
        note("customers", &refused("rate_limit"));
        note("customers", &Reply::Done(()));
        assert_eq!(
            standing(),
            [("refund_create".to_owned(), PERMISSION_MISSING.to_owned())],
            "of that operation alone"
        );
        note("customers", &refused(KEY_REFUSED));
        note("payment_intent_list", &refused(KEY_REFUSED));
        note(
            "customers",
            &Reply::<()>::Unknown(UpstreamError::new("timeout", "")),
        );
        assert_eq!(standing().len(), 3);
        note("customers", &Reply::Done(()));
        assert_eq!(
            standing(),
            [("refund_create".to_owned(), PERMISSION_MISSING.to_owned())],
            "one good answer is enough for the key"
        );
        note(
            "refund_create",
            &Reply::<()>::Refused(UpstreamError::new("charge_already_refunded", "")),
        );
        assert_eq!(standing(), []);
    }
}
