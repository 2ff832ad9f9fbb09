//! Measured saga: seven steps that are answered at once.

use async_trait::async_trait;
use dewy_saga::{
    Activity, Context, Definition, Direction, End, ExecutionId, Fault, Kind, Outcome, Patience,
    Plan, Read, Request, Saga, Step,
};
use serde_json::{Value, json};

/// Number of steps.
pub const STEPS: usize = 7;

const fn step(name: &'static str) -> Step {
    Step {
        name,
        title: "Do nothing",
        undo_title: None,
        kind: Kind::Orphan,
        money: false,
        patience: Patience::Budget,
        why_no_undo: "nothing was done",
    }
}

static NOOP: Definition = Definition {
    name: "noop",
    version: 1,
    title: "Nothing, seven times",
    steps: &[
        step("one"),
        step("two"),
        step("three"),
        step("four"),
        step("five"),
        step("six"),
        step("seven"),
    ],
    looks: &[],
};

/// Seven no-op steps.
#[derive(Debug)]
pub struct Noop;

struct Nothing(&'static str);

static ACTIVITIES: [Nothing; STEPS] = [
    Nothing("one"),
    Nothing("two"),
    Nothing("three"),
    Nothing("four"),
    Nothing("five"),
    Nothing("six"),
    Nothing("seven"),
];

#[async_trait]
impl Activity for Nothing {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let key = Some(format!("{}:{}", cx.id, self.0));
        Some(Plan::Send(Request {
            key,
            deadline_ms: 5000,
            payload: json!({ "n": 1 }),
        }))
    }

    async fn send(&self, _: Context<'_>, _: &Request) -> Outcome {
        Outcome::Done {
            value: json!({ "n": 1 }),
        }
    }
}

#[async_trait]
impl Saga for Noop {
    fn definition(&self) -> &'static Definition {
        &NOOP
    }

    async fn read(&self, _: Context<'_>) -> Read {
        Read::Ready {
            facts: json!({ "n": 1 }),
            claims: Vec::new(),
            labels: Vec::new(),
        }
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        let activity = ACTIVITIES
            .iter()
            .find(|a| way == Direction::Forward && a.0 == step)?;
        Some(activity)
    }

    fn answer(&self, _: Context<'_>, _: End, _: Option<&str>) -> Value {
        json!({ "success": true })
    }

    fn answer_held(&self, _: ExecutionId) -> Value {
        json!({ "success": false })
    }

    fn answer_unavailable(&self, _: &Fault) -> Value {
        json!({ "success": false })
    }
}
