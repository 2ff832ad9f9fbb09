//! Writes a case's fields and comment in one composite. The changed fields show whether it was
//! applied; for a comment, whether it is new.

use async_trait::async_trait;
use dewy_domain::{
    case::{Case, CaseChange, CaseComment, CaseQuery},
    ports::Crm,
    upstream_request::{Call, Outcome},
    vocabulary::FaultCode,
};
use dewy_saga::{Context, Fault, Plan};
use jiff::Timestamp;
use serde_json::json;

use super::Facts;
use crate::saga_parts::reconciled_write::{
    Lookup, LookupResult, Precondition, Write, conflict_fault, missing_fact,
};

pub(super) struct Change;

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
    type Facts = (Case, CaseChange);
    type Found = Case;
    type Output = Case;

    fn facts(&self, cx: &Context<'_>) -> Result<(Case, CaseChange), Plan> {
        let facts: Option<Facts> = cx.facts();
        let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the facts")))?;
        (facts.there.zip(facts.change))
            .ok_or_else(|| Plan::Skip(json!({ "note": "the case itself is not changed" })))
    }

    fn build_request(
        &self,
        crm: &dyn Crm,
        _: &Context<'_>,
        (there, change): (Case, CaseChange),
        found: Option<Case>,
    ) -> Result<(Call, Option<Timestamp>), Fault> {
        let there = found.unwrap_or(there);
        Ok((crm.change_case(&there, &change), Some(there.stamp.at)))
    }

    async fn write(&self, crm: &dyn Crm, call: &Call) -> Outcome<Case> {
        crm.send_case(call).await
    }

    async fn look_up(
        &self,
        crm: &dyn Crm,
        _: &Context<'_>,
        (there, change): (Case, CaseChange),
    ) -> Result<Lookup<Self>, Fault> {
        let query = CaseQuery {
            number: Some(there.number.clone()),
            limit: 1,
            ..CaseQuery::default()
        };
        let Some(now) = crm.cases(&query).await.answered()?.into_iter().next() else {
            let words = "the case is not there any more";
            let gone = Fault::new(FaultCode::BookingGone, words);
            return Ok(LookupResult::Refused(gone));
        };
        if applied(&there, &change, &now) {
            return Ok(LookupResult::Applied(now));
        }
        if now.status != there.status {
            let difference = json!({ "object": "case", "field": "Status", "ours": there.status, "found": now.status });
            let words = "somebody else changed the case meanwhile";
            return Ok(LookupResult::Refused(conflict_fault(words, difference)));
        }
        Ok(LookupResult::NotApplied {
            precondition: Precondition::Row(now.stamp.at, crm.touch_case(&now)),
            found: now,
        })
    }
}
