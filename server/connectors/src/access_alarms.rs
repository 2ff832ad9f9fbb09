//! Refusals that only an operator can resolve: a rejected key, a missing permission, a key of
//! another account.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use dewy_domain::{ports::AccessAlarm, upstream_request::Reply};
use jiff::Timestamp;

/// Stripe rejects the key: it was revoked, has expired, or was never valid.
pub(crate) const KEY_REFUSED: &str = "stripe_key_refused";
/// The key is valid but lacks the permission.
pub(crate) const PERMISSION_MISSING: &str = "stripe_permission_missing";
/// The key opens another account than the one of the store's payments.
pub(crate) const OTHER_ACCOUNT: &str = "stripe_other_account";

/// Access alarms of one system, by operation.
#[derive(Debug, Default)]
pub(crate) struct Alarms(Mutex<BTreeMap<String, (&'static str, Timestamp)>>);

impl Alarms {
    /// Records what one exchange reveals about access; logs the start and the end of an alarm once
    /// each.
    pub(crate) fn note<T>(&self, operation: &str, reply: &Reply<T>, now: Timestamp) {
        let mut alarms = self.all();
        let code = match reply {
            Reply::TryLater(error) => {
                let code = [KEY_REFUSED, PERMISSION_MISSING, OTHER_ACCOUNT]
                    .into_iter()
                    .find(|code| *code == error.code);
                code.map(|code| (code, &error.message))
            }
            // The credentials were accepted, whatever the answer is. A key that works for one
            // operation is valid.
            Reply::Done(_) | Reply::Refused(_) => {
                let before = alarms.len();
                alarms.retain(|of, (code, _)| of != operation && *code != KEY_REFUSED);
                if alarms.len() < before {
                    tracing::info!(operation, "the key is accepted again");
                }
                return;
            }
            Reply::Unknown(_) => return,
        };
        let Some((code, message)) = code else { return };
        let known = alarms
            .get(operation)
            .is_some_and(|(known, _)| *known == code);
        let first = !alarms
            .values()
            .any(|(known, _)| *known == code && code == KEY_REFUSED);
        if !known {
            alarms.insert(operation.to_owned(), (code, now));
            if first {
                tracing::error!(
                    operation,
                    code,
                    message,
                    "access was refused with this key; an operator has to fix it"
                );
            }
        }
    }

    /// Current alarms, in the order of operations.
    pub(crate) fn standing(&self) -> Vec<AccessAlarm> {
        let alarm =
            |(operation, (code, since)): (&String, &(&'static str, Timestamp))| AccessAlarm {
                operation: operation.clone(),
                code,
                since: *since,
            };
        self.all().iter().map(alarm).collect()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, (&'static str, Timestamp)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::upstream_request::UpstreamError;

    use super::*;

    #[test]
    fn an_alarm_lasts_until_the_key_works_again() {
        let (alarms, at) = (Alarms::default(), Timestamp::UNIX_EPOCH);
        let refused = |code: &str| Reply::<()>::TryLater(UpstreamError::new(code, ""));
        let standing = || {
            alarms
                .standing()
                .into_iter()
                .map(|a| (a.operation, a.code))
                .collect::<Vec<_>>()
        };
        alarms.note("refund_create", &refused(PERMISSION_MISSING), at);
        alarms.note("customers", &refused("rate_limit"), at);
        alarms.note("customers", &Reply::Done(()), at);
        assert_eq!(
            standing(),
            [("refund_create".to_owned(), PERMISSION_MISSING)],
            "of that operation alone"
        );
        alarms.note("customers", &refused(KEY_REFUSED), at);
        alarms.note("payment_intent_list", &refused(KEY_REFUSED), at);
        alarms.note(
            "customers",
            &Reply::<()>::Unknown(UpstreamError::new("timeout", "")),
            at,
        );
        assert_eq!(standing().len(), 3);
        alarms.note("customers", &Reply::Done(()), at);
        assert_eq!(
            standing(),
            [("refund_create".to_owned(), PERMISSION_MISSING)],
            "one good answer is enough for the key"
        );
        alarms.note(
            "refund_create",
            &Reply::<()>::Refused(UpstreamError::new("charge_already_refunded", "")),
            at,
        );
        assert_eq!(standing(), []);
    }
}
