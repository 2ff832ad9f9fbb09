//! Telling the endpoints, and what goes on while nobody calls.

use std::sync::Arc;
use std::time::Duration;

use dewy_domain::ports::Transport;
use futures::future::join_all;

use super::Sandbox;
use crate::PendingEvent;

/// An endpoint that takes longer has not answered.
const DEADLINE: Duration = Duration::from_secs(10);
/// How often the server looks around.
const TICK: Duration = Duration::from_millis(50);
/// So many at once.
const AT_ONCE: usize = 16;

impl Sandbox {
    /// Every event an endpoint has not acknowledged, in the order it happened, signed now.
    #[must_use]
    pub fn pending_events(&self) -> Vec<PendingEvent> {
        let now = self.clock().now();
        self.with(|world| world.stripe.deliveries())
            .into_iter()
            .map(|delivery| PendingEvent::new(delivery, now))
            .collect()
    }

    /// The endpoint took it.
    pub fn acknowledge(&self, id: &str) {
        self.with(|world| world.stripe.delivered(id));
    }

    /// Tries what is due once; what gets no 2xx is due again later. Returns how many were taken.
    pub async fn deliver_events(&self, sink: &dyn Transport) -> usize {
        let now = self.clock().now();
        let mut due = self.pending_events();
        due.retain(|event| event.next <= now);
        due.truncate(AT_ONCE);
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
                self.with(|world| world.stripe.undelivered(&id, now));
            }
        }
        taken
    }

    /// Late effects, refunds that turn, events: for ever, as the server does it.
    pub(crate) async fn keep_going(&self, sink: Arc<dyn Transport>) {
        loop {
            self.clock().sleep(TICK).await;
            self.with(|_| ());
            if self.flush().await.is_err() {
                continue;
            }
            if self.deliver_events(sink.as_ref()).await > 0 && self.flush().await.is_err() {
                tracing::warn!("delivered events may be sent again");
            }
        }
    }
}
