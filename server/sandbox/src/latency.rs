//! Simulated latency of each operation.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::System;

/// Milliseconds by system and operation; others take none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latency(BTreeMap<String, u64>);

/// Key of creating and confirming in one call, which has its own latency.
const CREATE_CONFIRMED: &str = "payment_intent_create_confirm";

/// Reference latencies; a composite and a create with confirm are deliberately slow.
const REFERENCE: [(System, &str, u64); 29] = [
    (System::Salesforce, "token", 300),
    (System::Salesforce, "query", 850),
    (System::Salesforce, "create", 900),
    (System::Salesforce, "update", 900),
    (System::Salesforce, "upsert", 900),
    (System::Salesforce, "composite", 1000),
    // The reference never retrieves, deletes or describes: same as a query or a write.
    (System::Salesforce, "retrieve", 850),
    (System::Salesforce, "describe", 850),
    (System::Salesforce, "delete", 900),
    (System::Stripe, "customers", 600),
    (System::Stripe, "payment_intent_create", 700),
    (System::Stripe, "payment_intent_confirm", 2000),
    (System::Stripe, CREATE_CONFIRMED, 2700),
    (System::Stripe, "payment_intent_retrieve", 300),
    (System::Stripe, "payment_intent_list", 300),
    (System::Stripe, "charge_retrieve", 300),
    (System::Stripe, "dispute_list", 300),
    (System::Stripe, "account_retrieve", 300),
    (System::Stripe, "event_retrieve", 300),
    (System::Stripe, "refund_create", 800),
    (System::Stripe, "refund_retrieve", 300),
    // It doesn't cancel, capture or store cards either: same as its closest operation.
    (System::Stripe, "payment_intent_cancel", 700),
    (System::Stripe, "payment_intent_capture", 700),
    (System::Stripe, "payment_method", 300),
    (System::Stripe, "webhook", 300),
    (System::Twilio, "message_create", 500),
    (System::Twilio, "message_list", 500),
    // To the first chunk; each further one takes a fiftieth of it.
    (System::Llm, "chat", 400),
    (System::Llm, "models", 0),
];

impl Latency {
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn reference() -> Self {
        Self(
            REFERENCE
                .into_iter()
                .map(|(system, operation, ms)| (key(system, operation), ms))
                .collect(),
        )
    }

    /// Profile with that name: `reference` or `none`.
    #[must_use]
    pub fn named(profile: &str) -> Option<Self> {
        match profile {
            "reference" => Some(Self::reference()),
            "none" | "0" => Some(Self::none()),
            _ => None,
        }
    }

    /// Name of this profile: `none`, `reference`, or `own` if operations were set individually.
    #[must_use]
    pub fn profile(&self) -> &'static str {
        if self.0.values().all(|ms| *ms == 0) {
            "none"
        } else if *self == Self::reference() {
            "reference"
        } else {
            "own"
        }
    }

    /// Sets one operation, or with `*` all of a system.
    pub fn set(&mut self, system: System, operation: &str, ms: u64) {
        let all = system.operations();
        for name in all
            .iter()
            .filter(|name| operation == "*" || **name == operation)
        {
            self.0.insert(key(system, name), ms);
            if *name == "payment_intent_create" {
                self.0.insert(key(system, CREATE_CONFIRMED), ms);
            }
        }
    }

    /// Delay of a call before it takes effect.
    #[must_use]
    pub fn of(&self, system: System, operation: &str, confirms: bool) -> Duration {
        let name = if confirms && operation == "payment_intent_create" {
            CREATE_CONFIRMED
        } else {
            operation
        };
        Duration::from_millis(self.0.get(&key(system, name)).copied().unwrap_or(0))
    }
}

fn key(system: System, operation: &str) -> String {
    format!("{}.{operation}", system.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_profiles_are_found_by_name() {
        for name in ["none", "reference"] {
            assert_eq!(
                Latency::named(name).map(|latency| latency.profile()),
                Some(name)
            );
        }
        let mut own = Latency::reference();
        own.set(System::Salesforce, "query", 1);
        assert_eq!(own.profile(), "own");
        own.set(System::Salesforce, "query", 850);
        assert_eq!(own.profile(), "reference", "set back by hand");
    }
}
