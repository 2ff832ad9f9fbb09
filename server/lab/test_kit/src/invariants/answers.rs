//! I8 and I10: every answer was true, and repeated requests got the same answer.

use std::collections::BTreeMap;

use dewy_saga::{State, journal::ExecutionRecord};

use super::{
    BOOK, CASES, CHARGE, CHECK_IN, CHECK_OUT, COMPENSATE, DEFECT, Evidence, MANAGE, REQUEST,
    RESOLVE, ROOM, has_redirecting_signal,
};
use crate::caller_answer::CallerAnswer;

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let known = evidence.known();
    let mut by_token: BTreeMap<&str, Vec<&CallerAnswer>> = BTreeMap::new();
    for answer in evidence.answers {
        let Some(id) = &answer.execution else {
            continue;
        };
        let Some(record) = known.get(id) else {
            wrong.push(format!(
                "I8: {id} was answered, and the store does not have it"
            ));
            continue;
        };
        if record.saga != answer.tool || !fits(answer, record) {
            let tool = answer.tool;
            wrong.push(format!(
                "I10: {id} was answered {:?} by {tool} and is {}",
                answer.code, record.state
            ));
        }
        // An execution refused before its first effect frees its token; after a person's decision,
        // the answer reflects it.
        if record.state != State::Refused && !has_redirecting_signal(record) {
            by_token.entry(&answer.token).or_default().push(answer);
        }
    }
    for (token, all) in by_token {
        let differs = all.windows(2).any(|w| match (w.first(), w.last()) {
            (Some(a), Some(b)) => {
                a.execution != b.execution || a.body["data"] != b.body["data"] || a.code != b.code
            }
            _ => false,
        });
        if differs {
            let ids: Vec<_> = all.iter().map(|a| (&a.execution, &a.code)).collect();
            wrong.push(format!(
                "I10: token {token} was answered differently: {ids:?}"
            ));
        }
    }
}

/// Whether an execution in this state allows this answer.
fn fits(answer: &CallerAnswer, record: &ExecutionRecord) -> bool {
    use State::{Compensated, Completed, NeedsAttention, Refused};
    let (code, state) = (answer.code.as_deref(), record.state);
    if has_redirecting_signal(record) && state.has_ended() {
        return true;
    }
    match (answer.tool, code) {
        // An open balance is reported to staff; the guest is checked out.
        (CHECK_OUT, None) => matches!(state, Completed | NeedsAttention),
        (CHECK_OUT, Some("CHECKOUT_COMPENSATED")) => matches!(state, Compensated | NeedsAttention),
        (_, Some("NEEDS_ATTENTION")) if !matches!(answer.tool, COMPENSATE | RESOLVE) => {
            state == NeedsAttention
        }
        // A payment that turned up later is refunded.
        (CHECK_OUT, Some(_)) => matches!(state, Refused | Compensated),
        (CHECK_IN | CHARGE, None) => state == Completed,
        (CHECK_IN | CHARGE, Some(_)) => state == Refused,
        (BOOK | MANAGE | REQUEST | DEFECT | CASES | ROOM, None) => state == Completed,
        (BOOK | MANAGE | REQUEST | DEFECT | CASES | ROOM, Some(_)) => {
            matches!(state, Refused | Compensated)
        }
        // These report the state of the execution that they signaled.
        (COMPENSATE | RESOLVE, None) => state == Completed,
        (COMPENSATE | RESOLVE, Some(_)) => matches!(state, Refused | Completed | NeedsAttention),
        _ => false,
    }
}
