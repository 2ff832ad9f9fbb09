//! Immediate action on a board: waits briefly for the result, then shows the board with a message.
//! A longer operation is followed on its own page.

use std::time::Duration;

use dewy_domain::{
    caller::Persona,
    error_code::ErrorCode,
    ports::SignedIn,
    tool::ToolCall,
    tool_answer::{FinalAnswer, ToolAnswer, message_for},
};
use leptos::prelude::ServerFnError;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Notice, who_did};
use crate::{
    flash::Flash,
    form_draft::FormDraft,
    form_submission,
    hotel_time::HotelClock,
    layout::is_front_desk,
    page_context::PageContext,
    tool_form::{OUTCOME_UNKNOWN, TOKEN, execution_page, start_and_redirect},
};

/// Maximum time to wait before showing a page.
const MAX_WAIT: Duration = Duration::from_secs(4);

/// Action of one click.
#[derive(Clone, Debug, Default)]
pub struct QuickAction {
    /// Tool.
    pub tool: &'static str,
    /// Its input.
    pub input: Value,
    /// Session key of the form.
    pub form: &'static str,
    /// URL of the board.
    pub back: String,
    /// Page after success; the board if empty.
    pub then: String,
    /// Title of a failure: `Room 206 was not changed`.
    pub failure_title: String,
    /// Values to show again.
    pub draft: FormDraft,
    /// Idempotency token of the form.
    pub token: String,
    /// How to find the last change of the same record after a conflict: a tool, and a field of its
    /// result.
    pub record: Option<(&'static str, &'static str, String)>,
}

impl QuickAction {
    /// Runs the action and redirects to the board; `done` formats the success message from the
    /// tool's result.
    pub async fn send<T: DeserializeOwned, F: Into<Flash>>(
        self,
        ctx: &PageContext,
        user: &SignedIn,
        done: impl FnOnce(T) -> F + Send,
    ) -> Result<(), ServerFnError> {
        let clock = HotelClock::here();
        let call = ToolCall {
            tool: self.tool.to_owned(),
            input: self.input,
            idempotency_token: Some(self.token.clone()).filter(|token| !token.is_empty()),
            wait: Some(MAX_WAIT),
        };
        let (code, details, execution) = match ctx.dispatcher.dispatch(&user.caller, call).await {
            ToolAnswer::Pending { execution_id, .. } => {
                return form_submission::redirect(&execution_page(Persona::Staff, &execution_id));
            }
            ToolAnswer::Settled {
                settled: FinalAnswer::Done { data, .. },
                execution_id,
                ..
            } => {
                ctx.board.acted().await;
                // Links to the record for users who may open it
                let record = execution_id.filter(|_| is_front_desk(user));
                let message = match serde_json::from_value(data) {
                    Ok(result) => done(result).into(),
                    // The execution ran with another release
                    Err(_) => Flash::new("Done."),
                };
                Notice::put(ctx, message, record).await;
                return form_submission::redirect(if self.then.is_empty() {
                    &self.back
                } else {
                    &self.then
                });
            }
            ToolAnswer::Settled {
                settled: FinalAnswer::ActionNeeded { .. },
                execution_id: Some(id),
                ..
            } => {
                return form_submission::redirect(&execution_page(Persona::Staff, &id));
            }
            ToolAnswer::Settled {
                settled:
                    FinalAnswer::ActionNeeded {
                        note,
                        next_action_url,
                    },
                ..
            } => {
                let follow = Some((next_action_url, "Open that page".to_owned()));
                let draft = FormDraft::failed(self.failure_title).with_message(note);
                FormDraft { follow, ..draft }
                    .with_fields_of(self.draft)
                    .put(&*ctx.authenticator, self.form)
                    .await;
                return form_submission::redirect(&self.back);
            }
            ToolAnswer::Settled {
                settled: FinalAnswer::Failed { code, details },
                execution_id,
                ..
            } => (code, details, execution_id),
        };
        if let Some(id) = start_and_redirect(ctx, user, code, &self.token).await {
            return form_submission::redirect(&execution_page(Persona::Staff, &id));
        }
        let problems = serde_json::from_value(details["problems"].clone()).unwrap_or_default();
        let running = details["execution_id"].as_str().map(ToOwned::to_owned);
        let follow = running.or(execution).map(|id| {
            let text = if code == ErrorCode::OperationInProgress {
                "See what is being done"
            } else {
                "See the record"
            };
            (execution_page(Persona::Staff, &id), text.to_owned())
        });
        let mut message = failure_reason(code, &details);
        if let (ErrorCode::InvalidTransition | ErrorCode::RoomOccupied, Some((tool, field, value))) =
            (code, &self.record)
            && let Some(by) = who_did(ctx, &clock, user, tool, (field, value)).await
        {
            message = format!("{message} Last changed by {by}.");
        }
        let (mut draft, mut title) = (self.draft, self.failure_title);
        // Resending is the same request only if it may have started
        if matches!(code, ErrorCode::Internal) {
            draft = draft.field(TOKEN, self.token);
            OUTCOME_UNKNOWN.clone_into(&mut title);
        }
        let failed = FormDraft {
            title,
            message,
            problems,
            follow,
            fields: draft.fields,
        };
        failed.put(&*ctx.authenticator, self.form).await;
        form_submission::redirect(&self.back)
    }
}

/// Reason of a failure; codes with a general message keep it.
pub fn failure_reason(code: ErrorCode, details: &Value) -> String {
    let text = |name: &str| details[name].as_str().unwrap_or_default();
    let room = match text("room_number") {
        "" => "The room".to_owned(),
        number => format!("Room {number}"),
    };
    match code {
        ErrorCode::RoomNotVacant => match text("room_status") {
            "" => {
                format!("{room} is not ready. Set it ready once it is clean, or move the booking.")
            }
            status => {
                format!("{room} is {status}. Set it ready once it is clean, or move the booking.")
            }
        },
        ErrorCode::InvalidTransition if !text("room_status").is_empty() => {
            format!(
                "{room} is {} now, so somebody has changed it meanwhile.",
                text("room_status")
            )
        }
        ErrorCode::InvalidTransition if !text("case_status").is_empty() => {
            format!(
                "The case is {} now, so somebody has changed it meanwhile.",
                text("case_status")
            )
        }
        ErrorCode::InvalidTransition if !text("booking_status").is_empty() => {
            format!(
                "This can’t be done: the booking’s status is now {}.",
                text("booking_status")
            )
        }
        ErrorCode::InvalidTransition if !text("why").is_empty() => text("why").to_owned(),
        ErrorCode::RoomOccupied => format!("A guest is in {}.", room.to_lowercase()),
        ErrorCode::RoomAlreadyBooked => {
            format!(
                "{room} is taken for at least one of these nights. Choose another room or other dates."
            )
        }
        ErrorCode::OutsideCheckInWindow => {
            format!(
                "The booking is for {} to {}.",
                text("check_in_date"),
                text("check_out_date")
            )
        }
        ErrorCode::ValidationFailed => String::new(),
        other => message_for(other, Persona::Staff).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn refusals_name_the_obstacle() {
        let details = json!({ "room_number": "206", "room_status": "Cleaning" });
        assert!(
            failure_reason(ErrorCode::RoomNotVacant, &details).starts_with("Room 206 is Cleaning.")
        );
        assert!(
            failure_reason(ErrorCode::InvalidTransition, &details)
                .contains("somebody has changed it")
        );
        assert!(failure_reason(ErrorCode::RoomOccupied, &details).contains("room 206"));
        assert_eq!(
            failure_reason(ErrorCode::CaseNotFound, &Value::Null),
            ErrorCode::CaseNotFound.for_staff()
        );
    }
}
