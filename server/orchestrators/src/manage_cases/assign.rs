//! Case assignment: stored by the hotel, because the CRM knows our staff as a single user.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_saga::{Activity, Context, Fault, Outcome, Plan, Request, StoreError};
use serde_json::{Value, json};

use super::{Facts, now};
use crate::key_value_store::KeyValueStore;

fn name(case_number: &str) -> String {
    format!("case:{case_number}")
}

/// Assignees of these cases, in their order, in one read.
pub(crate) async fn assignees(
    key_value_store: &dyn KeyValueStore,
    case_numbers: impl Iterator<Item = &str>,
) -> Vec<Option<String>> {
    let names: Vec<String> = case_numbers.map(name).collect();
    let notes = key_value_store.read_all(&names).await.unwrap_or_default();
    let assignee = |name| Some(notes.get(name)?["assignee"].as_str()?.to_owned());
    names.iter().map(assignee).collect()
}

/// Write of the step. Idempotent.
pub(super) struct Assign(pub Arc<dyn KeyValueStore>);

#[async_trait]
impl Activity for Assign {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let assignee = cx.facts::<Facts>().and_then(|facts| facts.assignee);
        Some(match (assignee, now(&cx)) {
            (Some(assignee), Some(case)) => {
                let payload = json!({ "case_number": case.number, "assignee": assignee });
                Plan::Send(Request {
                    key: None,
                    deadline_ms: 5_000,
                    payload,
                })
            }
            _ => Plan::Skip(json!({ "note": "nobody is to take it" })),
        })
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome {
        let case = request.payload["case_number"].as_str().unwrap_or_default();
        match self
            .0
            .write(
                &name(case),
                json!({ "assignee": request.payload["assignee"] }),
            )
            .await
        {
            Ok(()) => Outcome::Done { value: Value::Null },
            Err(StoreError::Lost(message)) => Outcome::Unknown {
                fault: Fault::new("store_lost", message),
            },
            Err(error) => Outcome::TryLater {
                fault: Fault::new("store_failed", error.to_string()),
            },
        }
    }

    fn speaks_of_all(&self, _: &Fault) -> bool {
        true
    }
}
