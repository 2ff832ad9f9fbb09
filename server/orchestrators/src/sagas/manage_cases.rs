//! The case saga: opens a case, or changes one under its stamp; assignments are stored by the hotel
//! itself.
//!
//! ```text
//! read    the case ∥ the room ∥ the guest ── rules ──► facts
//! change  + fields and comment in one composite     (skipped for a new case)
//! open    + a new case under our unique reference   (skipped otherwise)
//! assign  + our own note of the assignee
//! ```

mod assign;
mod grant_late_checkout;
mod rules;
mod write_change;

use std::sync::Arc;

use dewy_domain::{
    case::{Case, CaseChange, OpenCaseRequest},
    tool_catalog::ManageCases,
    tool_output::CaseResult,
};
use dewy_saga::{Context, Saga, StepId};
use futures::FutureExt;
use serde::{Deserialize, Serialize};

use crate::{
    saga_parts::{
        hotel_dependencies::HotelDependencies, open_case, presentation,
        reconciled_write::ReconciledWrite, tool_answer,
    },
    sagas::post_charge::Charged,
};

pub(crate) use assign::assignees;
pub(crate) use grant_late_checkout::{GRANT_LATE_CHECKOUT, grant_late_checkout};

const CHANGE: StepId<Case> = StepId::new("change");
const ASSIGN: StepId<()> = StepId::new("assign");

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    declared(ManageCases::NAME, "Open or update a case", parts)
        .answer(tool_answer::of_result(result))
}

/// The steps of every change of a case.
fn declared(name: &'static str, title: &'static str, parts: &HotelDependencies) -> Saga {
    let change = ReconciledWrite::new(parts, write_change::Change);
    let declared = Saga::new(name, 1, title)
        .prepare(parts.prerequisites(|parts, cx, input| {
            rules::read(parts, cx, input).boxed()
        }))
        .pivot(CHANGE, "Change the case", change)
        .no_undo("an unknown outcome is retried until it is resolved; changing it back is a separate call")
        .until_known();
    open_case::step(declared, parts, |cx| cx.facts::<Facts>()?.order)
        .retriable(
            ASSIGN,
            "Record the assignee",
            assign::Assign(Arc::clone(&parts.key_value_store)),
        )
        .no_undo("the latest assignment wins")
        .until_known()
}

pub(crate) static PRESENTATION: presentation::Labels<CaseResult> = presentation::Labels {
    done: |case| {
        format!(
            "Case {} is {}: {}.",
            case.case_number,
            case.case_status,
            case.subject.trim_end_matches('.')
        )
        .into()
    },
    doing: || "Working on the case.".into(),
    not_done: || "The case was not changed.".into(),
};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Facts {
    /// Case as read; `None` for a new one.
    there: Option<Case>,
    /// Requested change; `None` if only the assignment changes.
    change: Option<CaseChange>,
    order: Option<OpenCaseRequest>,
    assignee: Option<String>,
    /// Fee of a late check-out that is granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fee: Option<Charged>,
}

/// Case as the steps left it.
fn case_so_far(cx: &Context<'_>) -> Option<Case> {
    cx.output(open_case::OPEN)
        .or_else(|| cx.output(CHANGE))
        .or_else(|| cx.facts::<Facts>()?.there)
}

/// The case and its assignee, and whether it is new.
fn result(cx: Context<'_>) -> Option<(CaseResult, bool)> {
    let facts: Facts = cx.facts()?;
    let result = CaseResult {
        assignee: facts.assignee,
        ..CaseResult::from(&case_so_far(&cx)?)
    };
    Some((result, facts.there.is_none()))
}
