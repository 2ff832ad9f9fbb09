//! The `list_compensations` tool: one record per payment.

use std::collections::BTreeSet;

use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    execution_view::CompensationItem,
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog::ListCompensations,
    tool_output::ListResult,
    vocabulary::CompensationStatus,
};
use dewy_saga::{ExecutionId, StoreError};

use crate::{
    hotel::hotel_service::Hotel,
    reads::search_executions::period,
    views::{
        compensations::{MAX_SEARCHED, item, newest},
        record_owner,
    },
};

/// Label that holds the guest's email of an execution.
const GUEST: &str = "guest_email";

pub(crate) async fn run(hotel: &Hotel, _: &Caller, input: ListCompensations) -> ToolAnswer {
    match list(hotel, input).await {
        Ok(found) => ToolAnswer::data(found),
        Err(error) => error.into(),
    }
}

async fn list(
    hotel: &Hotel,
    input: ListCompensations,
) -> Result<ListResult<CompensationItem>, ToolError> {
    let (from, to) = period(hotel, input.from, input.to)?;
    let journal = hotel.engine.journal();
    let rows = newest(hotel).await.map_err(failed)?;
    // Guests' emails are labels of executions. With a guest given, that guest's executions are looked
    // up first; otherwise the labels of the results.
    let theirs = match input.guest_email {
        Some(email) => {
            let found = journal.labelled(GUEST, &[email.into()]).await;
            let found = found.map_err(failed)?.into_iter();
            Some(found.map(|(_, id)| id).collect::<BTreeSet<_>>())
        }
        None => None,
    };
    let mut cut = rows.len() == MAX_SEARCHED;
    let mut shown = Vec::new();
    for row in rows {
        let in_time = from.is_none_or(|from| row.updated_at >= from)
            && to.is_none_or(|to| row.updated_at < to);
        let fits = in_time
            && theirs
                .as_ref()
                .is_none_or(|theirs| theirs.contains(&row.execution));
        let Some(item) = item(&row).filter(|item| {
            let status = input.status.as_ref();
            fits && status.is_none_or(|status| item.status == *status)
        }) else {
            continue;
        };
        if shown.len() == input.limit {
            cut = true;
            break;
        }
        shown.push((row.execution, item));
    }
    let ids: Vec<ExecutionId> = shown.iter().map(|(id, _)| *id).collect();
    let heads = journal.heads(&ids).await.map_err(failed)?;
    let guest = |id: ExecutionId| heads.iter().find(|head| head.id == id)?.label(GUEST);
    let open = |item: &CompensationItem| item.status == CompensationStatus::NeedsAttention;
    let open = shown.iter().filter(|(_, item)| open(item));
    let open: Vec<_> = open.map(|(id, _)| *id).collect();
    let mut owners = record_owner::of(hotel, &open).await.map_err(failed)?;
    let items: Vec<_> = shown
        .into_iter()
        .map(|(id, item)| CompensationItem {
            guest_email: guest(id).map(Into::into),
            owner: owners.remove(&id).and_then(|known| known.owner),
            ..item
        })
        .collect();
    let narrow = "There are more. Give status, guest_email or a span of days.";
    Ok(ListResult::new(items, cut, narrow))
}

fn failed(error: StoreError) -> ToolError {
    tracing::error!(%error, "compensations could not be listed");
    ToolError::new(ErrorCode::Internal)
}
