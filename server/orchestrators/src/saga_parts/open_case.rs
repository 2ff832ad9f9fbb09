//! Opens a case. Our reference is unique among cases, so it is opened once however often the
//! request is sent. Retried until it succeeds: an outage must not lose anyone's request.

use async_trait::async_trait;
use dewy_domain::{
    case::{Case, CaseQuery, OpenCaseRequest},
    one_line::OneLine,
    ports::Crm,
    tool_output::CaseResult,
    upstream_request::{Call, Outcome},
};
use dewy_saga::{Context, Fault, Plan, Prerequisites, Saga, StepId};
use jiff::Timestamp;
use serde_json::json;

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    reconciled_write::{Lookup, LookupResult, Precondition, ReconciledWrite, Write},
    tool_answer,
};

pub(crate) const OPEN: StepId<Case> = StepId::new("open");

/// Saga that only opens the case of its facts.
pub(crate) fn saga(
    name: &'static str,
    title: &'static str,
    parts: &HotelDependencies,
    prerequisites: impl Prerequisites + 'static,
) -> Saga {
    let declared = Saga::new(name, 1, title).prepare(prerequisites);
    step(declared, parts, |cx| cx.facts()).answer(tool_answer::of_result(|cx| {
        Some((CaseResult::from(&cx.output(OPEN)?), true))
    }))
}

/// Adds the step; the case to open is from the saga's facts.
pub(crate) fn step(
    saga: Saga,
    parts: &HotelDependencies,
    open_case_request: fn(&Context<'_>) -> Option<OpenCaseRequest>,
) -> Saga {
    let open = ReconciledWrite::new(parts, Open(open_case_request));
    saga.retriable(OPEN, "Open the case", open)
        .no_undo("the request stands; closing the case is a separate call")
        .until_known()
}

/// Write of the step; skipped when there is nothing to open.
struct Open(fn(&Context<'_>) -> Option<OpenCaseRequest>);

#[async_trait]
impl Write for Open {
    type Facts = OpenCaseRequest;
    type Found = ();
    type Output = Case;

    fn facts(&self, cx: &Context<'_>) -> Result<OpenCaseRequest, Plan> {
        (self.0)(cx).ok_or_else(|| Plan::Skip(json!({ "note": "no case has to be opened" })))
    }

    fn build_request(
        &self,
        crm: &dyn Crm,
        _: &Context<'_>,
        order: OpenCaseRequest,
        _: Option<()>,
    ) -> Result<(Call, Option<Timestamp>), Fault> {
        Ok((crm.open_case(&order), None))
    }

    async fn write(&self, crm: &dyn Crm, call: &Call) -> Outcome<Case> {
        crm.send_case(call).await
    }

    async fn look_up(
        &self,
        crm: &dyn Crm,
        cx: &Context<'_>,
        _: OpenCaseRequest,
    ) -> Result<Lookup<Self>, Fault> {
        let query = CaseQuery {
            execution_id: Some(cx.id.to_string()),
            limit: 1,
            ..CaseQuery::default()
        };
        let case = crm.cases(&query).await.answered()?.into_iter().next();
        Ok(case.map_or(
            LookupResult::NotApplied {
                found: (),
                precondition: Precondition::Unique,
            },
            LookupResult::Applied,
        ))
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
