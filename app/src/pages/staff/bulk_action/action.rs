//! The actions, and the form that runs one.

use std::time::Duration;

use dewy_domain::{
    tool::ToolCall,
    tool_answer::{FinalAnswer, ToolAnswer},
    tool_catalog::{ManageCases, ResolveExecution, SetRoomStatus},
    tool_input::ToolInput,
    vocabulary::Resolution,
};
use futures::{StreamExt, stream};

use super::{
    FORM, PAGE, SEPARATOR, chosen_records,
    result::{Outcome, Results},
};
use crate::{
    pages::{prelude::*, staff::board::failure_reason},
    tool_form::{OUTCOME_UNKNOWN, execution_of_token},
};

/// Records at a time.
const CONCURRENCY: usize = 4;
/// How long one record may take before the result says that it is still running.
const MAX_WAIT: Duration = Duration::from_secs(8);

/// An action on several records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkAct {
    Clean,
    /// Cases get an assignee.
    Assign,
    /// Compensations are tried again.
    Retry,
}

impl BulkAct {
    pub fn of(name: &str) -> Option<Self> {
        [Self::Clean, Self::Assign, Self::Retry]
            .into_iter()
            .find(|act| act.name() == name)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Assign => "assign",
            Self::Retry => "retry",
        }
    }

    /// Whether the user's role has the tool.
    pub fn is_for(self, user: &SignedIn) -> bool {
        self != Self::Retry || user.caller.is_front_desk()
    }

    /// List in which the records are chosen.
    pub const fn list(self) -> &'static str {
        match self {
            Self::Clean => "/staff/rooms?show=dirty",
            Self::Assign => "/staff/cases",
            Self::Retry => "/staff/compensations",
        }
    }

    pub(super) const fn list_name(self) -> &'static str {
        match self {
            Self::Clean => "Rooms",
            Self::Assign => "Cases",
            Self::Retry => "Compensations",
        }
    }

    pub(super) const fn begins(self) -> &'static str {
        match self {
            Self::Clean => "Mark the chosen rooms clean…",
            Self::Assign => "Assign the chosen cases…",
            Self::Retry => "Retry the chosen compensations…",
        }
    }

    /// `Mark 3 rooms clean`.
    pub(super) fn title(self, count: usize) -> String {
        let counted = self.counted(count);
        match self {
            Self::Clean => format!("Mark {counted} clean"),
            Self::Assign => format!("Assign {counted}"),
            Self::Retry => format!("Retry {counted}"),
        }
    }

    /// `3 rooms`.
    pub(super) fn counted(self, count: usize) -> String {
        let what = match self {
            Self::Clean => "room",
            Self::Assign => "case",
            Self::Retry => "compensation",
        };
        format!("{count} {what}{}", if count == 1 { "" } else { "s" })
    }

    pub(super) const fn will(self) -> &'static str {
        match self {
            Self::Clean => "Each room becomes Vacant and can be given to a guest.",
            Self::Assign => {
                "Each case gets this person and the reason as a comment. Its status stays what it is."
            }
            Self::Retry => {
                "Failed steps are retried after checking what is already done. Nothing is refunded twice."
            }
        }
    }

    pub(super) const fn reason_hint(self) -> &'static str {
        match self {
            Self::Clean => "For the record: for example, who has inspected them.",
            Self::Assign => "The comment on each case.",
            Self::Retry => "For people who read these records later.",
        }
    }

    fn call(self, id: &str, assignee: &str, reason: &str) -> ToolCall {
        match self {
            Self::Clean => SetRoomStatus {
                room_number: id.into(),
                status: RoomStatus::Vacant,
                reason: Some(reason.to_owned()),
                shown: None,
            }
            .call(),
            Self::Assign => ManageCases {
                case_number: Some(id.to_owned()),
                assignee: Some(assignee.to_owned()),
                comment: Some(reason.to_owned()),
                ..ManageCases::default()
            }
            .call(),
            Self::Retry => ResolveExecution {
                execution_id: id.to_owned(),
                resolution: Resolution::RetryNow,
                reason: reason.to_owned(),
            }
            .call(),
        }
    }
}

/// Runs the action on each record, and leads to the result.
pub async fn bulk_run(form: FormSubmission) -> FormResult {
    let Some(act) = BulkAct::of(form.raw("act")) else {
        return Ok("/staff".to_owned());
    };
    let page = format!("{PAGE}/{}", act.name());
    let back = page_url::with_query(&page, [("pick", form.raw("picks"))]);
    let user = form.sender(Persona::Staff, &back).await?;
    let ctx = &form.ctx;
    let (reason, assignee) = (form.get("reason"), form.get("assignee").to_lowercase());
    let problem = match (act, reason, assignee.as_str()) {
        (_, "", _) => Some(("reason", "Say why, in a few words")),
        (BulkAct::Assign, _, "") => Some(("assignee", "Name a colleague by email")),
        _ => None,
    };
    if let Some((field, words)) = problem {
        let draft = FormDraft::invalid_field(field, words)
            .field("reason", reason)
            .field("assignee", assignee);
        return form.invalid(draft, FORM, &back).await;
    }
    let ids = form.raw("picks").split(SEPARATOR);
    let ids = ids.filter(|id| !id.is_empty()).take(super::MAX_RECORDS);
    let ids: Vec<String> = ids.map(str::to_owned).collect();
    let items = chosen_records::items(ctx, &user, act, &ids).await;
    let each = items.into_iter().map(|item| {
        let call = act.call(&item.id, &assignee, reason);
        let token = format!("{}-{}", form.token(), item.id);
        let user = &user;
        async move {
            let (state, message, record) = one(ctx, user, call, token).await;
            Outcome {
                title: item.title,
                href: item.href,
                state,
                message,
                record,
            }
        }
    });
    let outcomes: Vec<Outcome> = stream::iter(each).buffered(CONCURRENCY).collect().await;
    ctx.board.acted().await;
    Results(outcomes).put(ctx).await;
    Ok(format!("{page}?done=1"))
}

/// One record: state, what became of it, and its execution.
async fn one(
    ctx: &PageContext,
    user: &SignedIn,
    call: ToolCall,
    token: String,
) -> (String, String, Option<String>) {
    let call = ToolCall {
        idempotency_token: Some(token.clone()),
        wait: Some(MAX_WAIT),
        ..call
    };
    let (state, words, execution) = match ctx.dispatcher.dispatch(&user.caller, call).await {
        ToolAnswer::Pending { execution_id, .. } => {
            ("running", "Still running.".to_owned(), Some(execution_id))
        }
        ToolAnswer::Settled {
            settled: FinalAnswer::Done { data, .. },
            execution_id,
            ..
        } => {
            let text = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default();
            let words = match text("note") {
                "" => "Done.",
                note => note,
            };
            ("completed", words.to_owned(), execution_id)
        }
        ToolAnswer::Settled {
            settled: FinalAnswer::Failed { code, details },
            execution_id,
            ..
        } => match execution_of_token(ctx, user, code, &token).await {
            Some(id) => ("running", "Still running.".to_owned(), Some(id)),
            None if code == ErrorCode::Internal => ("unknown", OUTCOME_UNKNOWN.to_owned(), None),
            None => (
                "refused",
                failure_reason(code, &ErrorDetails::of(&details)),
                execution_id,
            ),
        },
        ToolAnswer::Settled {
            settled: FinalAnswer::ActionNeeded { note, .. },
            execution_id,
            ..
        } => ("running", note, execution_id),
    };
    (
        state.to_owned(),
        words,
        execution.filter(|_| user.caller.is_front_desk()),
    )
}
