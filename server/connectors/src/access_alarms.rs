//! Alarms about refused access.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use dewy_domain::{
    access_refusal::{Refused, refused_access},
    ports::AccessAlarm,
    upstream_request::{Fault, Outcome, System},
};
use jiff::Timestamp;

/// A refused request, or a refused access. That says nothing about the request, so it may be sent
/// again once an operator has fixed it.
pub(crate) fn refusal<T>(system: System, error: Fault) -> Outcome<T> {
    match refused_access(system, &error.code) {
        Some(_) => Outcome::TryLater(error),
        None => Outcome::Refused(error),
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
        reply: &Outcome<T>,
        now: Timestamp,
    ) {
        let mut alarms = self.all();
        let error = match reply {
            Outcome::TryLater(error) => error,
            // The credentials were accepted, whatever the answer is. What works for one operation
            // is valid.
            Outcome::Done(_) | Outcome::Refused(_) => {
                let before = alarms.len();
                alarms.retain(|of, alarm| of != operation && !alarm.everything);
                if alarms.len() < before {
                    tracing::info!(system = system.name(), operation, "access is granted again");
                }
                return;
            }
            Outcome::Unknown(_) | Outcome::Waiting(_) => return,
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
    use dewy_domain::access_refusal::{KEY_REFUSED, PERMISSION_MISSING};

    use super::*;

    #[test]
    fn an_alarm_lasts_until_the_key_works_again() {
        let (alarms, at) = (Alarms::default(), Timestamp::UNIX_EPOCH);
        let note = |operation: &str, reply: &Outcome<()>| {
            alarms.note(System::Stripe, operation, reply, at);
        };
        let refused = |code: &str| Outcome::<()>::TryLater(Fault::new(code, ""));
        let standing = || {
            alarms
                .standing()
                .into_iter()
                .map(|a| (a.operation, a.code))
                .collect::<Vec<_>>()
        };
        note("refund_create", &refused(PERMISSION_MISSING));
        note("customers", &refused("rate_limit"));
        note("customers", &Outcome::Done(()));
        assert_eq!(
            standing(),
            [("refund_create".to_owned(), PERMISSION_MISSING.to_owned())],
            "of that operation alone"
        );
        note("customers", &refused(KEY_REFUSED));
        note("payment_intent_list", &refused(KEY_REFUSED));
        note(
            "customers",
            &Outcome::<()>::Unknown(Fault::new("timeout", "")),
        );
        assert_eq!(standing().len(), 3);
        note("customers", &Outcome::Done(()));
        assert_eq!(
            standing(),
            [("refund_create".to_owned(), PERMISSION_MISSING.to_owned())],
            "one good answer is enough for the key"
        );
        note(
            "refund_create",
            &Outcome::<()>::Refused(Fault::new("charge_already_refunded", "")),
        );
        assert_eq!(standing(), []);
    }
}
