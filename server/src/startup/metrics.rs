//! Gauges computed when `/metrics` is read.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use async_trait::async_trait;
use dewy_connectors::{Count, ModelCount, ObservedModel};
use dewy_domain::ports::{Clock, Crm};
use dewy_orchestrators::Hotel;
use dewy_saga::{Journal, State};
use dewy_store::Store;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::{
    ports::audit::WriterHealth, systems::connect_systems::Systems,
    tool_calls::telemetry::MetricsSource,
};

/// Minimum interval between counts: counting reads all executions, however many clients ask.
const MIN_INTERVAL: SignedDuration = SignedDuration::from_secs(10);

#[derive(Debug)]
pub struct HotelMetrics {
    /// Source of execution counts.
    pub store: Store,
    pub call_writer: Arc<WriterHealth>,
    /// Outside systems, for call counts.
    pub systems: Systems,
    /// The model, for counts of calls and tokens.
    pub model: Arc<ObservedModel>,
    /// Orchestrators of this process.
    pub hotel: Arc<Hotel>,
    pub clock: Arc<dyn Clock>,
    /// Time of the last count.
    pub counted: Mutex<Option<Timestamp>>,
    /// Refusals of access that were reported, so that their end is.
    pub refused: Mutex<BTreeSet<(&'static str, String)>>,
}

impl HotelMetrics {
    async fn executions(&self) {
        let now = self.clock.now();
        let mut counted = self.counted.lock().await;
        if counted.is_some_and(|at| now.duration_since(at) < MIN_INTERVAL) {
            return;
        }
        match self.store.counts().await {
            Ok(counts) => {
                for state in State::ALL {
                    let number = counts
                        .iter()
                        .find(|(of, _)| *of == state)
                        .map_or(0, |(_, number)| *number);
                    let number = u32::try_from(number).unwrap_or(u32::MAX);
                    metrics::gauge!("dewy_executions", "state" => state.name()).set(number);
                }
                *counted = Some(now);
            }
            Err(error) => tracing::warn!(%error, "executions could not be counted"),
        }
    }
}

impl HotelMetrics {
    /// Refusals of access by system and code; zero once they are over.
    async fn access(&self) {
        let systems = &self.systems;
        let mail = systems.mail.as_ref().map(|mail| mail.health_stats());
        let all = [
            ("salesforce", Some(systems.crm.health_stats())),
            ("stripe", Some(systems.payments.health_stats())),
            ("twilio", Some(systems.texts.health_stats())),
            ("llm", Some(self.model.health_stats())),
            ("smtp", mail),
        ];
        let mut standing = BTreeMap::new();
        for (system, stats) in all {
            for alarm in stats.into_iter().flat_map(|stats| stats.alarms) {
                *standing.entry((system, alarm.code)).or_insert(0_u32) += 1;
            }
        }
        let mut known = self.refused.lock().await;
        known.extend(standing.keys().cloned());
        for (system, code) in known.iter() {
            let count = standing.get(&(*system, code.clone())).copied();
            metrics::gauge!("dewy_access_refused", "system" => *system, "code" => code.clone())
                .set(count.unwrap_or_default());
        }
    }

    /// Executions that are due but need another release of this program; counted up to a thousand.
    async fn due_elsewhere(&self) {
        match self.hotel.engine().due_elsewhere().await {
            Ok(left) => {
                metrics::gauge!("dewy_executions_skipped")
                    .set(u32::try_from(left.len()).unwrap_or(u32::MAX));
            }
            Err(error) => {
                tracing::warn!(%error, "executions of other releases could not be counted")
            }
        }
    }

    /// Result of the last orphan check, whichever process ran it.
    async fn orphan_check(&self) {
        let check = self.hotel.last_orphan_check().await;
        metrics::counter!("dewy_foreign_payments_total").absolute(check.foreign);
        metrics::gauge!("dewy_orphan_check_failed").set(check.failed);
        if let Some(watermark) = check.watermark {
            let age = self.clock.now().duration_since(watermark).as_secs();
            metrics::gauge!("dewy_orphan_check_watermark_age_seconds")
                .set(i32::try_from(age).unwrap_or(i32::MAX));
        }
    }
}

#[async_trait]
impl MetricsSource for HotelMetrics {
    async fn refresh(&self) {
        let stuck = self
            .call_writer
            .stuck()
            .map_or(0.0, |(since, _)| since.as_secs_f64());
        metrics::gauge!("dewy_call_writer_stuck_seconds").set(stuck);
        metrics::counter!("dewy_calls_set_aside_total")
            .absolute(self.call_writer.set_aside_count());
        self.executions().await;
        for Count {
            system,
            operation,
            outcome,
            calls,
        } in self.systems.counts().into_iter().chain(self.model.counts())
        {
            metrics::counter!("dewy_upstream_calls_total", "system" => system.name(), "operation" => operation, "outcome" => outcome)
                .absolute(calls);
        }
        let mut tokens = (0, 0);
        for ModelCount {
            model,
            result,
            requests,
            tokens: (input, output),
        } in self.model.model_counts()
        {
            metrics::counter!("dewy_model_requests_total", "model" => model.clone(), "result" => result)
                .absolute(requests);
            tokens = (tokens.0 + input, tokens.1 + output);
            for (direction, tokens) in [("input", tokens.0), ("output", tokens.1)] {
                metrics::counter!("dewy_model_tokens_total", "model" => model.clone(), "direction" => direction)
                    .absolute(tokens);
            }
        }
        if let Some(usage) = self.systems.crm.usage() {
            let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
            metrics::gauge!("dewy_salesforce_quota_used").set(small(usage.used));
            metrics::gauge!("dewy_salesforce_quota_limit").set(small(usage.allowed));
        }
        self.access().await;
        self.orphan_check().await;
        self.due_elsewhere().await;
        metrics::gauge!("dewy_running")
            .set(u32::try_from(self.hotel.engine().running()).unwrap_or(u32::MAX));
    }
}
