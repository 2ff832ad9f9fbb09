//! Alarms about refused access, and about operations whose every request is refused.

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

/// Equal refusals of an operation in a row, with no success between, from which on they are about us
/// and not about one request: an API version that has ended, a parameter that the system removed.
const SYSTEMATIC: u32 = 5;

/// Access alarms of one system, by operation.
#[derive(Debug, Default)]
pub(crate) struct Alarms(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    alarms: BTreeMap<String, AccessAlarm>,
    /// Code of an operation's last refusal, and how often it came in a row.
    refusals: BTreeMap<String, (String, u32)>,
}

impl State {
    /// Whether this refusal is one of many equal ones. Declined cards and failed preconditions are
    /// about the request, however many there are.
    fn is_systematic(&mut self, operation: &str, error: &Fault) -> bool {
        if matches!(
            error.details["status"].as_u64(),
            None | Some(402 | 409 | 412)
        ) {
            return false;
        }
        let (code, count) = self.refusals.entry(operation.to_owned()).or_default();
        if *code == error.code {
            *count += 1;
        } else {
            (*code, *count) = (error.code.clone(), 1);
        }
        *count >= SYSTEMATIC
    }
}

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
        let mut state = self.state();
        let systematic = match reply {
            // The others refuse numbers and addresses of people, and texts
            Outcome::Refused(error) if matches!(system, System::Salesforce | System::Stripe) => {
                state.is_systematic(operation, error)
            }
            Outcome::Done(_) => {
                state.refusals.remove(operation);
                false
            }
            _ => false,
        };
        let alarms = &mut state.alarms;
        let error = match reply {
            Outcome::TryLater(error) => error,
            Outcome::Refused(error) if systematic => error,
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
        let refused = refused_access(system, &error.code);
        if refused.is_none() && !systematic {
            return;
        }
        let everything = refused == Some(Refused::Everything);
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
                    "every request is refused; an operator has to fix it"
                );
            }
        }
    }

    /// Current alarms, in the order of operations.
    pub(crate) fn standing(&self) -> Vec<AccessAlarm> {
        self.state().alarms.values().cloned().collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::access_refusal::{KEY_REFUSED, PERMISSION_MISSING};
    use serde_json::json;

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

    #[test]
    fn a_request_that_is_always_refused_is_our_fault() {
        let (alarms, at) = (Alarms::default(), Timestamp::UNIX_EPOCH);
        let note = |operation: &str, reply: &Outcome<()>| {
            alarms.note(System::Stripe, operation, reply, at);
            let operations = alarms.standing().into_iter().map(|alarm| alarm.operation);
            operations.collect::<Vec<_>>()
        };
        let refused = |status: u16, code: &str| {
            Outcome::<()>::Refused(Fault {
                details: json!({ "status": status }),
                ..Fault::new(code, "")
            })
        };
        for _ in 0..2 * SYSTEMATIC {
            let declined = refused(402, "card_declined");
            assert!(note("payment_intent_create", &declined).is_empty());
        }
        let removed = refused(400, "parameter_unknown");
        for _ in 1..SYSTEMATIC {
            assert!(note("refund_create", &removed).is_empty());
        }
        // Another operation's success says nothing about this one
        note("customers", &Outcome::Done(()));
        assert_eq!(note("refund_create", &removed), ["refund_create"]);
        note("customers", &Outcome::Done(()));
        assert_eq!(note("customers", &removed), ["refund_create"]);
        assert!(note("refund_create", &Outcome::Done(())).is_empty());
        assert!(note("refund_create", &removed).is_empty());
    }
}
