//! System status: health of the outside systems, and fault injection for the sandbox.
//!
//! ```text
//! systems ─► recent observations of each connector     fault injection ─► the sandbox's /admin over HTTP,
//!            (without extra requests to the systems)        for managers, in demo mode
//! ```

mod fault_injection_client;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_connectors::{HealthStats, ObservedModel};
use dewy_domain::{
    caller::{Caller, Persona, Role},
    deployment_mode::DeploymentMode,
    installation_id::InstallationId,
    ports::{
        Connection, Crm, FaultInjectionError, FaultInjectionView, FaultSpec, Health, SystemStatus,
        SystemView, WithoutField,
    },
};

use crate::{config::Config, systems::connect_systems::Systems};
use fault_injection_client::FaultInjectionClient;

/// Responses slower than this count as late: the slowest ordinary one, a payment, takes less.
const SLOW_RESPONSE: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub struct SystemStatusService {
    mode: DeploymentMode,
    installation: InstallationId,
    systems: Systems,
    model: Arc<ObservedModel>,
    /// Target of each connection, in display order.
    connections: [Connection; 4],
    /// Present only in a demo.
    fault_injection: Option<FaultInjectionClient>,
}

impl SystemStatusService {
    /// Creates the service; `sandbox` is the sandbox's address, if there is one.
    #[must_use]
    pub fn new(
        config: &Config,
        installation: InstallationId,
        systems: Systems,
        model: Arc<ObservedModel>,
        sandbox: Option<&str>,
    ) -> Self {
        let connection = |real: bool| match (real, config.mode) {
            (true, _) => Connection::Real,
            (false, DeploymentMode::Live) => Connection::Off,
            (false, _) => Connection::Sandbox,
        };
        let connections = [
            config.salesforce.is_some(),
            config.stripe.is_some(),
            config.twilio.is_some(),
            config.llm.is_some(),
        ]
        .map(connection);
        let fault_injection = sandbox
            .filter(|_| config.demo())
            .map(FaultInjectionClient::new);
        Self {
            mode: config.mode,
            installation,
            systems,
            model,
            connections,
            fault_injection,
        }
    }

    /// Fault injection, for callers who may see it.
    fn visible_fault_injection(
        &self,
        caller: &Caller,
    ) -> Result<&FaultInjectionClient, FaultInjectionError> {
        let manager = caller.persona == Persona::Staff && caller.role == Some(Role::Manager);
        self.fault_injection
            .as_ref()
            .filter(|_| manager)
            .ok_or(FaultInjectionError::Unavailable)
    }

    /// Fault injection, for callers who may change it.
    fn fault_injection_for(
        &self,
        caller: &Caller,
    ) -> Result<&FaultInjectionClient, FaultInjectionError> {
        if caller.read_only {
            Err(FaultInjectionError::Unavailable)
        } else {
            self.visible_fault_injection(caller)
        }
    }
}

#[async_trait]
impl SystemStatus for SystemStatusService {
    fn mode(&self) -> DeploymentMode {
        self.mode
    }

    fn installation(&self) -> InstallationId {
        self.installation
    }

    fn access_refused(&self) -> Option<String> {
        let refused = |name, stats: HealthStats| {
            let alarm = stats.alarms.into_iter().find(|alarm| alarm.everything)?;
            Some(format!("{name} refuses our access: {}", alarm.code))
        };
        let hidden = || {
            let field = self.systems.crm.stopped_by()?;
            Some(format!("Salesforce hides {field} from our user"))
        };
        refused("Salesforce", self.systems.crm.health_stats())
            .or_else(hidden)
            .or_else(|| refused("Stripe", self.systems.payments.health_stats()))
    }

    async fn systems(&self, caller: &Caller) -> Vec<SystemView> {
        if caller.persona != Persona::Staff || caller.role.is_none() {
            return Vec::new();
        }
        let Systems {
            crm,
            payments,
            texts,
            mail,
        } = &self.systems;
        let quota = crm.usage().map(|usage| (usage.used, usage.allowed));
        let [salesforce, stripe, twilio, model] = self.connections;
        let mut views = vec![
            view("Salesforce", salesforce, crm.health_stats(), quota),
            view("Stripe", stripe, payments.health_stats(), None),
            view("Twilio", twilio, texts.health_stats(), None),
            view("The model", model, self.model.health_stats(), None),
        ];
        let mail = mail.as_ref().map(|mail| mail.health_stats());
        views.extend(mail.map(|stats| view("Email", Connection::Real, stats, None)));
        views
    }

    async fn fault_injection(
        &self,
        caller: &Caller,
    ) -> Result<FaultInjectionView, FaultInjectionError> {
        self.visible_fault_injection(caller)?.view().await
    }

    async fn inject_fault(
        &self,
        caller: &Caller,
        fault: FaultSpec,
    ) -> Result<(), FaultInjectionError> {
        self.fault_injection_for(caller)?.order(&fault).await
    }

    async fn clear_faults(&self, caller: &Caller) -> Result<u64, FaultInjectionError> {
        self.fault_injection_for(caller)?.clear_faults().await
    }

    async fn latency(&self, caller: &Caller, profile: &str) -> Result<(), FaultInjectionError> {
        self.fault_injection_for(caller)?.latency(profile).await
    }

    async fn reset(&self, caller: &Caller) -> Result<(), FaultInjectionError> {
        self.fault_injection_for(caller)?.reset().await
    }
}

fn view(
    name: &'static str,
    connection: Connection,
    health_stats: HealthStats,
    quota: Option<(u64, u64)>,
) -> SystemView {
    SystemView {
        name,
        connection,
        health: health(&health_stats),
        circuit_open_until: health_stats.circuit_open_until,
        calls_last_hour: health_stats.calls_last_hour,
        troubled_last_hour: health_stats.troubled_last_hour,
        median: health_stats.median,
        last_good: health_stats.last_good,
        last_error: health_stats.last_error,
        alarms: health_stats.alarms,
        hidden: health_stats.hidden,
        quota,
    }
}

/// Health from recent observations. After an hour without requests, only an open alarm counts.
fn health(health_stats: &HealthStats) -> Health {
    let hidden = &health_stats.hidden;
    let stopped = (hidden.iter()).any(|field| field.without == WithoutField::Everything);
    if stopped || !health_stats.alarms.is_empty() || health_stats.circuit_open_until.is_some() {
        Health::Down
    } else if health_stats.calls_last_hour == 0 {
        Health::Quiet
    } else if health_stats.tripped {
        Health::Down
    } else if health_stats.troubled_lately > 0
        || health_stats
            .median
            .is_some_and(|median| median > SLOW_RESPONSE)
    {
        Health::Slow
    } else {
        Health::Good
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::ports::AccessAlarm;

    use super::*;

    #[test]
    fn each_system_has_one_status() {
        let good = HealthStats {
            calls_last_hour: 9,
            median: Some(Duration::from_millis(850)),
            ..HealthStats::default()
        };
        assert_eq!(health(&HealthStats::default()), Health::Quiet);
        assert_eq!(health(&good), Health::Good);
        assert_eq!(
            health(&HealthStats {
                troubled_last_hour: 3,
                ..good.clone()
            }),
            Health::Good,
            "it is over"
        );
        assert_eq!(
            health(&HealthStats {
                troubled_last_hour: 3,
                troubled_lately: 1,
                ..good.clone()
            }),
            Health::Slow
        );
        assert_eq!(
            health(&HealthStats {
                median: Some(Duration::from_secs(4)),
                ..good.clone()
            }),
            Health::Slow
        );
        let tripped = HealthStats {
            troubled_last_hour: 5,
            troubled_lately: 5,
            tripped: true,
            ..good
        };
        assert_eq!(health(&tripped), Health::Down);
        let alarm = AccessAlarm {
            operation: "refund_create".to_owned(),
            code: "stripe_permission_missing".to_owned(),
            message: None,
            everything: false,
            since: jiff::Timestamp::UNIX_EPOCH,
        };
        let alarmed = HealthStats {
            alarms: vec![alarm],
            tripped: false,
            ..tripped.clone()
        };
        assert_eq!(health(&alarmed), Health::Down);
        assert_eq!(
            health(&HealthStats {
                calls_last_hour: 0,
                ..alarmed
            }),
            Health::Down,
            "it stands until it is mended"
        );
        assert_eq!(
            health(&HealthStats {
                calls_last_hour: 0,
                ..tripped
            }),
            Health::Quiet,
            "long ago"
        );
    }
}
