//! Outside systems of the double: one healthy, one slow, one down; and fault injection that
//! remembers its settings.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona, Role},
    installation::InstallationId,
    mode::Mode,
    ports::{
        Connection, FaultInjectionError, FaultInjectionView, FaultOrder, Health, SystemStatus,
        SystemView,
    },
};

use super::{House, born};

/// Operations that can be made to fail.
const OPERATIONS: [(&str, &[&str]); 4] = [
    (
        "salesforce",
        &[
            "token",
            "query",
            "composite",
            "create",
            "update",
            "upsert",
            "retrieve",
            "delete",
            "describe",
        ],
    ),
    (
        "stripe",
        &[
            "customers",
            "payment_intent_create",
            "payment_intent_retrieve",
            "refund_create",
            "refund_retrieve",
        ],
    ),
    ("twilio", &["message_create", "message_list"]),
    ("llm", &["chat"]),
];

fn system(
    name: &'static str,
    health: Health,
    calls: u64,
    troubled: u64,
    ms: Option<u64>,
) -> SystemView {
    SystemView {
        name,
        connection: Connection::Sandbox,
        health,
        circuit_open_until: (health == Health::Down).then(|| born() + Duration::from_secs(8)),
        calls_last_hour: calls,
        troubled_last_hour: troubled,
        median: ms.map(Duration::from_millis),
        last_good: (calls > 0)
            .then(|| born() - Duration::from_secs(if troubled > 0 { 95 } else { 4 })),
        last_error: (troubled > 0).then(|| ("timeout".to_owned(), born() - Duration::from_secs(8))),
        alarms: Vec::new(),
        quota: (name == "Salesforce").then_some((18_204, 100_000)),
    }
}

fn manager(caller: &Caller) -> Result<(), FaultInjectionError> {
    if caller.role == Some(Role::Manager) {
        Ok(())
    } else {
        Err(FaultInjectionError::None)
    }
}

fn wrong(field: &str, words: &str) -> FaultInjectionError {
    FaultInjectionError::Wrong(field.to_owned(), words.to_owned())
}

#[async_trait]
impl SystemStatus for House {
    fn mode(&self) -> Mode {
        if self.key().is_some() {
            Mode::Trial
        } else {
            Mode::Demo
        }
    }

    fn installation(&self) -> InstallationId {
        InstallationId::of_number(7)
    }

    async fn systems(&self, caller: &Caller) -> Vec<SystemView> {
        if caller.persona != Persona::Staff {
            return Vec::new();
        }
        vec![
            system("Salesforce", Health::Good, 412, 0, Some(184)),
            system("Stripe", Health::Slow, 38, 3, Some(912)),
            system("Twilio", Health::Down, 9, 5, Some(240)),
            system("The model", Health::Quiet, 0, 0, None),
        ]
    }

    async fn fault_injection(
        &self,
        caller: &Caller,
    ) -> Result<FaultInjectionView, FaultInjectionError> {
        manager(caller)?;
        Ok(self
            .state()
            .fault_injection
            .clone()
            .unwrap_or_else(|| FaultInjectionView {
                faults: Vec::new(),
                latency: "none".to_owned(),
                seed_day: Some("2026-11-20".to_owned()),
            }))
    }

    async fn order(&self, caller: &Caller, fault: FaultOrder) -> Result<(), FaultInjectionError> {
        let mut fault_injection = self.fault_injection(caller).await?;
        let known = OPERATIONS
            .iter()
            .find(|(system, _)| *system == fault.system);
        let (_, operations) = known
            .ok_or_else(|| wrong("system", "must be one of salesforce, stripe, twilio, llm"))?;
        if fault.operation != "*" && !operations.contains(&fault.operation.as_str()) {
            return Err(wrong(
                "operation",
                &format!("must be one of {}, or * for all", operations.join(", ")),
            ));
        }
        if fault.kind == "status" && fault.status.is_none() {
            return Err(wrong("status", "is required"));
        }
        fault_injection.faults.push(fault);
        self.state().fault_injection = Some(fault_injection);
        Ok(())
    }

    async fn calm(&self, caller: &Caller) -> Result<u64, FaultInjectionError> {
        let mut fault_injection = self.fault_injection(caller).await?;
        let removed = std::mem::take(&mut fault_injection.faults).len();
        self.state().fault_injection = Some(fault_injection);
        Ok(u64::try_from(removed).unwrap_or(u64::MAX))
    }

    async fn latency(&self, caller: &Caller, profile: &str) -> Result<(), FaultInjectionError> {
        let mut fault_injection = self.fault_injection(caller).await?;
        if !matches!(profile, "none" | "reference") {
            return Err(wrong("profile", "must be reference or none"));
        }
        profile.clone_into(&mut fault_injection.latency);
        self.state().fault_injection = Some(fault_injection);
        Ok(())
    }

    async fn reset(&self, caller: &Caller) -> Result<(), FaultInjectionError> {
        manager(caller)?;
        self.state().fault_injection = None;
        Ok(())
    }
}
