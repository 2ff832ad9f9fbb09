//! Measured saga: seven steps that are answered at once.

use async_trait::async_trait;
use dewy_saga::{Activity, Context, Outcome, Plan, Request, Saga, StepId};
use serde_json::{Value, json};

const NAMES: [&str; 7] = ["one", "two", "three", "four", "five", "six", "seven"];

pub const STEPS: usize = NAMES.len();

/// Seven no-op steps.
pub fn noop() -> Saga {
    let saga = Saga::new("noop", 1, "Nothing, seven times");
    let step = |saga: Saga, name| {
        saga.step(StepId::<Value>::new(name), "Do nothing", NoopActivity(name))
            .orphan("nothing was done")
    };
    NAMES
        .into_iter()
        .fold(saga, step)
        .answer(|_, _, _| json!({ "success": true }))
}

struct NoopActivity(&'static str);

#[async_trait]
impl Activity for NoopActivity {
    type Output = Value;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let key = Some(format!("{}:{}", cx.id, self.0));
        Some(Plan::Send(Request {
            key,
            deadline_ms: 5000,
            payload: json!({ "n": 1 }),
        }))
    }

    async fn send(&self, _: Context<'_>, _: &Request) -> Outcome {
        Outcome::Done(json!({ "n": 1 }))
    }
}
