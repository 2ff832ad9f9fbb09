//! Opens a case. Our reference is unique among cases, so it is opened once however often the
//! request is sent. Retried until it succeeds: an outage must not lose anyone's request.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    case::{Case, CaseQuery, OpenCaseRequest},
    one_line::OneLine,
    ports::Crm,
    upstream_request::{Call, Reply},
};
use dewy_saga::{Context, Fault, Saga, StepId};
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    reconciled_write::{LookupResult, Precondition, ReconciledWrite, Write, WriteRequest},
};

/// Name of the step.
pub(crate) const OPEN: StepId<Case> = StepId::new("open");

/// Adds the step; `order` is the case to open, from the saga's facts.
pub(crate) fn step(
    saga: Saga,
    parts: &HotelDependencies,
    open_case_request: fn(&Context<'_>) -> Option<OpenCaseRequest>,
) -> Saga {
    let crm = Arc::clone(&parts.crm);
    let open = ReconciledWrite::new(
        Open {
            crm,
            order: open_case_request,
        },
        &parts.settings,
    );
    saga.retriable(OPEN, "Open the case", open)
        .no_undo("the request stands; closing the case is a separate call")
        .until_known()
}

/// Write of the step; skipped when there is nothing to open.
struct Open {
    crm: Arc<dyn Crm>,
    order: fn(&Context<'_>) -> Option<OpenCaseRequest>,
}

#[async_trait]
impl Write for Open {
    fn build_request(&self, cx: &Context<'_>, _: Option<&Value>) -> Result<WriteRequest, Fault> {
        Ok(match (self.order)(cx) {
            Some(order) => WriteRequest::Send(self.crm.open_case(&order), None),
            None => WriteRequest::Skip(json!({ "note": "no case has to be opened" })),
        })
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.crm
            .send_case(call)
            .await
            .map(|case| engine_conversions::value(&case))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let query = CaseQuery {
            execution_id: Some(cx.id.to_string()),
            limit: 1,
            ..CaseQuery::default()
        };
        self.crm
            .cases(&query)
            .await
            .map(|cases| match cases.first() {
                Some(case) => LookupResult::Applied(engine_conversions::value(case)),
                None => LookupResult::NotApplied {
                    found: Value::Null,
                    precondition: Precondition::Unique,
                },
            })
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.crm.send_touch(call).await
    }
}

/// First line of a description, shortened for a subject.
pub(crate) fn subject(description: &str) -> String {
    const MAX_CHARS: usize = 80;
    let line = description.trim().lines().next().unwrap_or_default();
    let line = OneLine::from(line);
    if line.chars().count() <= MAX_CHARS {
        return line.into();
    }
    let cut: String = line.chars().take(MAX_CHARS).collect();
    let whole = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(words, _)| words);
    format!("{whole} …")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_one_line_ending_at_a_word() {
        assert_eq!(
            subject("  The lamp flickers.\nIt does so at night."),
            "The lamp flickers."
        );
        let long = subject(&"towels ".repeat(40));
        assert!(
            long.chars().count() <= 82 && long.ends_with("towels …"),
            "{long}"
        );
        assert_eq!(subject(&"ü".repeat(100)).chars().count(), 82);
    }
}
