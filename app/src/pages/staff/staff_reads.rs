//! Reads of the staff pages, through the same tools as every other interface.

use std::time::Duration;

use dewy_domain::{
    execution_view::{CompensationItem, ExecutionListItem},
    tool_input::ToolInput,
    tool_output::ListResult,
};

use crate::{
    layout::EventStream,
    pages::{prelude::*, read_tools::read},
};

/// Result of `search_executions`, newest first.
pub type Executions = ListResult<ExecutionListItem>;

/// Result of `list_compensations`, newest first.
pub type Compensations = ListResult<CompensationItem>;

/// Calls a reading tool; invalid input is reported on the page.
pub async fn read_tool<T: ToolInput>(
    ctx: &PageContext,
    user: &SignedIn,
    input: Value,
    here: &str,
) -> Result<Result<T::Output, FormDraft>, PageError> {
    let trouble = |code| ErrorPage::of(code, Persona::Staff, here);
    match read::<T>(ctx, user, input).await {
        Ok(result) => Ok(Ok(result)),
        Err((code, details)) if code.status() < 500 => {
            let ErrorDetails {
                problem, problems, ..
            } = ErrorDetails::of(&details);
            let message = labels::with_problem(labels::error_for_staff(code), problem);
            Ok(Err(FormDraft {
                problems,
                ..FormDraft::failed("That could not be looked up").with_message(message)
            }))
        }
        Err((code, details)) => Err(trouble(code).about(&details).into()),
    }
}

/// Live updates of a list: the hotel's changes, with the current number.
pub async fn follow_lists(ctx: &PageContext, user: &SignedIn) -> EventStream {
    let seq = ctx
        .execution_feed
        .lists_changed(&user.caller, -1, Duration::ZERO)
        .await;
    EventStream {
        events: Some("/staff/events".to_owned()),
        seq,
        as_of: None,
    }
}
