//! Reads of the staff pages, through the same tools as every other interface.

use std::time::Duration;

use dewy_domain::tool_input::ToolInput;

use crate::{
    layout::EventStream,
    pages::{prelude::*, read_tools::read},
};

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

/// Result of a reading tool; if it can't be read, an empty one, and the form that says why.
pub async fn read_or_default<T: ToolInput<Output: Default>>(
    request: &PageRequest,
    user: &SignedIn,
    input: Value,
) -> Result<(T::Output, FormDraft), PageError> {
    Ok(
        match read_tool::<T>(&request.ctx, user, input, &request.here).await? {
            Ok(result) => (result, FormDraft::default()),
            Err(draft) => (T::Output::default(), draft),
        },
    )
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
