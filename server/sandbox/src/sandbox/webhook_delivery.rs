//! Delivery of webhook events, and background work of the server.

use std::sync::Arc;
use std::time::Duration;

use dewy_domain::ports::Transport;
use futures::future::join_all;

use super::Sandbox;
use crate::PendingEvent;

/// Timeout of a delivery.
const DEADLINE: Duration = Duration::from_secs(10);
/// Polling interval of the server.
const TICK: Duration = Duration::from_millis(50);
/// Maximum number of concurrent deliveries.
const CONCURRENCY: usize = 16;

impl Sandbox {
    /// All unacknowledged events of an endpoint, in order, signed now.
    #[must_use]
    pub fn pending_events(&self) -> Vec<PendingEvent> {
        let now = self.clock().now();
        self.with(|state| state.stripe.deliveries())
            .into_iter()
            .map(|delivery| PendingEvent::new(delivery, now))
            .collect()
    }

    pub fn acknowledge(&self, id: &str) {
        self.with(|state| state.stripe.delivered(id));
    }

    /// Attempts each due delivery once; without a 2xx response it is retried later. Returns the
    /// number of successes.
    pub async fn deliver_events(&self, sink: &dyn Transport) -> usize {
        let now = self.clock().now();
        let mut due = self.pending_events();
        due.retain(|event| event.next <= now);
        due.truncate(CONCURRENCY);
        let tries = due.into_iter().map(|event| async move {
            let answer = sink.send(event.request, DEADLINE).await;
            (
                event.id,
                answer.is_ok_and(|response| (200..300).contains(&response.status)),
            )
        });
        let mut taken = 0;
        for (id, good) in join_all(tries).await {
            if good {
                self.acknowledge(&id);
                taken += 1;
            } else {
                let now = self.clock().now();
                self.with(|state| state.stripe.undelivered(&id, now));
            }
        }
        taken
    }

    /// Attempts each due status callback of Twilio once.
    pub async fn deliver_callbacks(&self, sink: &dyn Transport) {
        let now = self.clock().now();
        let due = self.with(|state| state.twilio.due_callbacks(now));
        let tries = due.into_iter().map(|request| sink.send(request, DEADLINE));
        for answer in join_all(tries).await {
            match answer {
                Ok(response) if (200..300).contains(&response.status) => {}
                Ok(response) => tracing::warn!(response.status, "a status callback was refused"),
                Err(error) => tracing::warn!(%error, "a status callback was not delivered"),
            }
        }
    }

    /// Runs late effects, refund changes and event delivery forever, as in the server.
    pub(crate) async fn run_background_work(&self, sink: Arc<dyn Transport>) {
        loop {
            self.clock().sleep(TICK).await;
            self.with(|_| ());
            if self.flush().await.is_err() {
                continue;
            }
            self.deliver_callbacks(sink.as_ref()).await;
            if self.deliver_events(sink.as_ref()).await > 0 && self.flush().await.is_err() {
                tracing::warn!("delivered events may be sent again");
            }
        }
    }
}
