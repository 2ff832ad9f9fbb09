//! Activities with a bug.

use async_trait::async_trait;
use dewy_saga::{
    Activity, Context, ExecutionId, Fault, JournaledActivity, NOT_APPLIED, Outcome, OutcomeCheck,
    Phase, Plan, Progress, Request, progress::StepProgress,
};

use super::Bug;
use crate::prelude::*;

/// An activity with a bug around it.
pub struct BuggyActivity {
    bug: Bug,
    step: &'static str,
    direction: Direction,
    inner: Arc<JournaledActivity>,
    /// Outcomes of requests that were sent before their intent.
    sent: Mutex<BTreeMap<ExecutionId, Outcome>>,
}

impl BuggyActivity {
    pub fn new(
        bug: Bug,
        step: &'static str,
        direction: Direction,
        inner: Arc<JournaledActivity>,
    ) -> Self {
        Self {
            bug,
            step,
            direction,
            inner,
            sent: Mutex::default(),
        }
    }

    fn is(&self, bug: Bug, step: &str, direction: Direction) -> bool {
        (self.bug, self.step, self.direction) == (bug, step, direction)
    }

    /// The journal as the bug makes the activity see it.
    fn seen(&self, cx: &Context<'_>) -> Progress {
        let mut progress = cx.progress.clone();
        let fence = progress.fence;
        for (name, step) in &mut progress.steps {
            let StepProgress { forward, back } = Arc::make_mut(step);
            match self.bug {
                Bug::BlindResume => (forward.fence, back.fence) = (fence, fence),
                Bug::ForgottenKeyAge => {
                    forward.fence = fence;
                    for direction_progress in [forward, back] {
                        let first = direction_progress.first_at.unwrap_or(cx.now);
                        direction_progress.key =
                            direction_progress.key.take().map(|(key, _)| (key, first));
                    }
                }
                // A payment of a cent is covered by any refund.
                Bug::SumsNotCompared if name == "pay" && self.direction == Direction::Back => {
                    if let Some(payment) = &mut forward.value {
                        payment["received"] = json!(1);
                    }
                }
                _ => {}
            }
        }
        progress
    }
}

#[async_trait]
impl Activity for BuggyActivity {
    type Output = Value;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        if self.bug == Bug::SendBeforeIntent {
            return None;
        }
        let progress = &self.seen(&cx);
        self.inner.build(Context { progress, ..cx })
    }

    async fn prepare(&self, cx: Context<'_>) -> Plan {
        let progress = &self.seen(&cx);
        let plan = self.inner.prepare(Context { progress, ..cx }).await;
        if let (Bug::SendBeforeIntent, Plan::Send(request)) = (self.bug, &plan) {
            let outcome = self.inner.send(cx, request).await;
            self.sent.lock().unwrap().insert(cx.id, outcome);
        }
        plan
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome {
        let sent = self.sent.lock().unwrap().remove(&cx.id);
        if let Some(outcome) = sent {
            return outcome;
        }
        let mut request = request.clone();
        if self.is(Bug::FreshKey, "pay", Direction::Forward) {
            let sends = cx.direction_progress().map_or(0, |s| s.sends);
            request.payload["call"]["idempotency_key"] = json!(format!("{}:pay:{sends}", cx.id));
        }
        let progress = &self.seen(&cx);
        match self.inner.send(Context { progress, ..cx }, &request).await {
            Outcome::Refused(_) if self.is(Bug::SwallowedRefundError, "pay", Direction::Back) => {
                Outcome::Done(json!({}))
            }
            outcome => outcome,
        }
    }

    async fn determine_outcome(&self, cx: Context<'_>, request: &Request) -> OutcomeCheck {
        if self.bug == Bug::BlindRetry && self.direction == Direction::Forward {
            let fault = Fault::new(NOT_APPLIED, "nobody looked");
            return OutcomeCheck::Outcome(Outcome::TryLater(fault));
        }
        let untried = cx
            .direction_progress()
            .is_some_and(|s| s.phase == Phase::TryLater);
        if self.bug == Bug::BlindResume && untried {
            return OutcomeCheck::SendAgain;
        }
        let progress = &self.seen(&cx);
        self.inner
            .determine_outcome(Context { progress, ..cx }, request)
            .await
    }

    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        self.inner.is_replayed_refusal(fault)
    }

    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.inner.send_guard(cx, request).await
    }
}
