//! Case assignment: stored by the hotel, because the CRM knows our staff as a single user.

use dewy_domain::vocabulary::FaultCode;
use std::sync::Arc;

use async_trait::async_trait;
use dewy_saga::{Activity, Context, Fault, Outcome, Plan, Request};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Facts, case_so_far};
use crate::saga_parts::{engine_conversions, key_value_store::KeyValueStore};

/// Journaled form of the step.
#[derive(Serialize, Deserialize)]
struct Assignment {
    case_number: String,
    assignee: String,
}

/// Assignee of a case, as stored.
#[derive(Serialize, Deserialize)]
struct Assigned {
    assignee: String,
}

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
    let assignee = |name| {
        let note = engine_conversions::read::<Assigned>(notes.get(name)?)?;
        Some(note.assignee)
    };
    names.iter().map(assignee).collect()
}

/// Write of the step. Idempotent.
pub(super) struct Assign(pub Arc<dyn KeyValueStore>);

#[async_trait]
impl Activity for Assign {
    type Output = ();

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let assignee = cx.facts::<Facts>().and_then(|facts| facts.assignee);
        Some(match (assignee, case_so_far(&cx)) {
            (Some(assignee), Some(case)) => Plan::Send(Request {
                key: None,
                deadline_ms: 5_000,
                payload: engine_conversions::value(&Assignment {
                    case_number: case.number,
                    assignee,
                }),
            }),
            _ => Plan::Skip(json!({ "note": "nobody is to take it" })),
        })
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<()> {
        let Some(Assignment {
            case_number,
            assignee,
        }) = engine_conversions::read(&request.payload)
        else {
            let words = "whom to assign cannot be read";
            return Outcome::Refused(Fault::new(FaultCode::UnreadableJournal, words));
        };
        let note = engine_conversions::value(&Assigned { assignee });
        engine_conversions::stored(self.0.write(&name(&case_number), note).await)
    }

    fn is_replayed_refusal(&self, _: &Fault) -> bool {
        true
    }
}
