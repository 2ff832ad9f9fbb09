//! Writes a case's fields and comment in one composite. The changed fields show whether it was
//! applied; for a comment, whether it is new.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    case::{Case, CaseChange, CaseComment, CaseQuery},
    ports::Crm,
    upstream_request::{Call, Reply},
    vocabulary::FaultCode,
};
use dewy_saga::{Context, Fault};
use serde_json::{Value, json};

use super::Facts;
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{
        LookupResult, Precondition, Write, WriteRequest, conflict_fault, missing_fact,
    },
};

/// Write of the step.
pub(super) struct Change(pub Arc<dyn Crm>);

/// Whether every field has its target value, and the comment is new.
fn applied(before: &Case, change: &CaseChange, now: &Case) -> bool {
    fn is<T: PartialEq>(wanted: &Option<T>, found: &T) -> bool {
        wanted.as_ref().is_none_or(|wanted| wanted == found)
    }
    let id = |wanted: &Option<String>, found: &Option<String>| wanted.is_none() || wanted == found;
    is(&change.status, &now.status)
        && is(&change.priority, &now.priority)
        && is(&change.kind, &now.kind)
        && is(&change.subject, &now.subject)
        && change
            .description
            .as_deref()
            .is_none_or(|text| same_lines(text, &now.description))
        && id(&change.room_id, &now.room_id)
        && id(&change.contact_id, &now.contact_id)
        && change
            .comment
            .as_deref()
            .is_none_or(|words| comment_was_added(before, now, words))
}

/// Whether two texts differ at most in their line ends: Salesforce may return others than were sent.
fn same_lines(one: &str, other: &str) -> bool {
    one.trim_end().lines().eq(other.trim_end().lines())
}

/// Whether a comment with this text was added since the case was read: one that was not in the list
/// and is no older than those that were. Only the latest comments are read, so their number proves
/// nothing.
fn comment_was_added(before: &Case, now: &Case, words: &str) -> bool {
    let was_there = |comment: &CaseComment| {
        before.comments.iter().any(|other| {
            // Older releases journaled no ids.
            let same = other.body == comment.body && other.at == comment.at;
            other.id == comment.id || (other.id.is_empty() && same)
        })
    };
    let since = before.comments.first().map(|latest| latest.at);
    now.comments
        .iter()
        .take_while(|comment| since.is_none_or(|since| comment.at >= since))
        .any(|comment| same_lines(&comment.body, words) && !was_there(comment))
}

#[async_trait]
impl Write for Change {
    fn build_request(
        &self,
        cx: &Context<'_>,
        found: Option<&Value>,
    ) -> Result<WriteRequest, Fault> {
        let facts: Facts = cx.facts().ok_or_else(|| missing_fact("the facts"))?;
        let (Some(there), Some(change)) = (facts.there, facts.change) else {
            return Ok(WriteRequest::Skip(
                json!({ "note": "the case itself is not changed" }),
            ));
        };
        let there = found
            .and_then(engine_conversions::read::<Case>)
            .unwrap_or(there);
        let stamp = there.stamp.at;
        Ok(WriteRequest::Send(
            self.0.change_case(&there, &change),
            Some(stamp),
        ))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0
            .send_case(call)
            .await
            .map(|case| engine_conversions::value(&case))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let Some((there, change)) = cx
            .facts::<Facts>()
            .and_then(|facts| Some((facts.there?, facts.change?)))
        else {
            return Reply::Done(LookupResult::Refused(missing_fact("the facts")));
        };
        let query = CaseQuery {
            number: Some(there.number.clone()),
            limit: 1,
            ..CaseQuery::default()
        };
        self.0.cases(&query).await.map(|cases| match cases.into_iter().next() {
            None => LookupResult::Refused(Fault::new(FaultCode::BookingGone, "the case is not there any more")),
            Some(now) if applied(&there, &change, &now) => LookupResult::Applied(engine_conversions::value(&now)),
            Some(now) if now.status == there.status => LookupResult::NotApplied {
                precondition: Precondition::Row(now.stamp.at, self.0.touch_case(&now)),
                found: engine_conversions::value(&now),
            },
            Some(now) => {
                let difference =
                    json!({ "object": "case", "field": "Status", "ours": there.status, "found": now.status });
                LookupResult::Refused(conflict_fault("somebody else changed the case meanwhile", difference))
            }
        })
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.0.send_touch(call).await
    }
}
