//! Immediate action on a board: waits briefly for the result, then shows the board with a message.
//! A longer operation goes on; the message leads to it.

use std::{marker::PhantomData, time::Duration};

use dewy_domain::{
    shown_values::ChangedValue,
    tool_answer::{FinalAnswer, ToolAnswer, message_for},
    tool_input::ToolInput,
};

use super::{ChangedRecord, Notice, last_change::who_did};
use crate::{
    labels::with_problem,
    pages::prelude::*,
    tool_form::{OUTCOME_UNKNOWN, execution_of_token, execution_page},
};

/// Field of a draft: the cards that were just declined, separated by spaces.
pub const DECLINED_CARDS: &str = "declined_cards";

/// Message about an action that takes longer than somebody waits.
pub const STILL_WORKING: &str =
    "This takes longer than usual. It goes on by itself, and nothing is done twice.";

/// Message about an action that only the guest can go on with, at their bank or with a card.
const WAITS_FOR_GUEST: &str = "Nothing is charged yet. It waits for the guest, who goes on with it on \
    their own page, under Stay.";

/// Maximum time to wait before showing a page.
const MAX_WAIT: Duration = Duration::from_secs(4);

/// Action of one click, with the tool `T`.
#[derive(Clone, Debug)]
pub struct QuickAction<T> {
    call: ToolForm,
    then: String,
    meanwhile: Option<String>,
    record: Option<ChangedRecord>,
    if_declined: Option<(String, String)>,
    tool: PhantomData<fn() -> T>,
}

impl<T: ToolInput> QuickAction<T> {
    /// Action of a form on the board `back`; a failure is titled `Room 206 was not changed`.
    pub fn new(
        form: &'static str,
        back: impl Into<String>,
        failure_title: impl Into<String>,
    ) -> Self {
        Self {
            call: ToolForm::new::<T>(form, back, failure_title),
            then: String::new(),
            meanwhile: None,
            record: None,
            if_declined: None,
            tool: PhantomData,
        }
    }

    #[must_use]
    pub fn input(mut self, input: Value) -> Self {
        self.call = self.call.input(input);
        self
    }

    /// Adds the values to show again.
    #[must_use]
    pub fn draft(mut self, draft: FormDraft) -> Self {
        self.call = self.call.draft(draft);
        self
    }

    /// Sets the page after success, instead of the board; the board if empty.
    #[must_use]
    pub fn then(mut self, page: impl Into<String>) -> Self {
        self.then = page.into();
        self
    }

    /// Sets the page while it takes longer, instead of the board.
    #[must_use]
    pub fn meanwhile(mut self, page: impl Into<String>) -> Self {
        self.meanwhile = Some(page.into());
        self
    }

    /// Sets the page, and the text of its link, for when a card is declined.
    #[must_use]
    pub fn if_declined(mut self, page: String, text: &str) -> Self {
        self.if_declined = Some((page, text.to_owned()));
        self
    }

    /// Sets the record whose last change explains a conflict.
    #[must_use]
    pub fn record(mut self, record: ChangedRecord) -> Self {
        self.record = Some(record);
        self
    }

    /// Runs the action and leads to the board; `done` formats the success message from the tool's
    /// result.
    pub async fn send<F: Into<Flash>>(
        self,
        form: &FormSubmission,
        user: &SignedIn,
        done: impl FnOnce(T::Output) -> F + Send,
    ) -> FormResult {
        let ctx = &form.ctx;
        let clock = HotelClock::here();
        let Self {
            mut call,
            then,
            meanwhile,
            record,
            if_declined,
            ..
        } = self;
        let (settled, execution_id) = match call.start_and_wait(form, user, MAX_WAIT).await {
            ToolAnswer::Pending {
                execution_id,
                next_action_url,
                ..
            } => {
                let words = next_action_url.map_or(STILL_WORKING, |_| WAITS_FOR_GUEST);
                Notice::put(ctx, Flash::new(words), Some(execution_id)).await;
                return Ok(meanwhile.unwrap_or(call.back));
            }
            ToolAnswer::Settled {
                settled,
                execution_id,
                ..
            } => (settled, execution_id),
        };
        let (code, details) = match settled {
            FinalAnswer::Done { data, .. } => {
                ctx.board.acted().await;
                // Links to the record for users who may open it
                let record = execution_id.filter(|_| user.caller.is_front_desk());
                let message = match serde_json::from_value(data) {
                    Ok(result) => done(result).into(),
                    // The execution ran with another release
                    Err(_) => Flash::new("Done."),
                };
                Notice::put(ctx, message, record).await;
                return Ok(match then.is_empty() {
                    true => call.back,
                    false => then,
                });
            }
            FinalAnswer::ActionNeeded {
                note,
                next_action_url,
            } => {
                if let Some(id) = execution_id {
                    return Ok(execution_page(Persona::Staff, &id));
                }
                let follow = Some((next_action_url, "Open that page".to_owned()));
                let failed = FormDraft::failed(&call.failure_title).with_message(note);
                return call.again(FormDraft { follow, ..failed }, form).await;
            }
            FinalAnswer::Failed { code, details } => (code, details),
        };
        if let Some(id) = execution_of_token(ctx, user, code, form.token()).await {
            return Ok(execution_page(Persona::Staff, &id));
        }
        let details = ErrorDetails::of(&details);
        let follow = details.execution_id.clone().or(execution_id).map(|id| {
            let text = if code == ErrorCode::OperationInProgress {
                "See what is being done"
            } else {
                "See the record"
            };
            (execution_page(Persona::Staff, &id), text.to_owned())
        });
        let declined = if_declined.filter(|_| code == ErrorCode::PaymentFailed);
        let follow = declined.or(follow);
        let by = match (code, &record) {
            (ErrorCode::InvalidTransition | ErrorCode::RoomOccupied, Some(record)) => {
                who_did(ctx, &clock, user, record).await
            }
            _ => None,
        };
        let mut title = call.failure_title.clone();
        let message = match (&record, by) {
            (Some(record), by) if !details.changed.is_empty() => {
                title = format!("Someone else has already changed {}", record.name());
                changed_meanwhile(&details, by)
            }
            (_, Some(by)) => format!("{} Last changed by {by}.", failure_reason(code, &details)),
            (_, None) => failure_reason(code, &details),
        };
        // Declined cards are marked, and not the first choice again
        if code == ErrorCode::PaymentFailed
            && let Some(card) = call.draft.fields.remove("payment_method_id")
        {
            let before = call.draft.value(DECLINED_CARDS);
            call.draft = call.draft.field(DECLINED_CARDS, format!("{before} {card}"));
        }
        // Resending is the same request only if it may have started
        if matches!(code, ErrorCode::Internal) {
            call.draft = call.draft.field(TOKEN, form.token());
            OUTCOME_UNKNOWN.clone_into(&mut title);
        }
        let failed = FormDraft {
            message,
            problems: details.problems,
            follow,
            ..FormDraft::failed(title)
        };
        call.again(failed, form).await
    }
}

/// Both versions of what somebody else has changed, and who did.
fn changed_meanwhile(details: &ErrorDetails, by: Option<String>) -> String {
    let one = |value: &ChangedValue| {
        let name = match value.field.as_str() {
            "status" => "It".to_owned(),
            "special_requests" => "What the guest asks for".to_owned(),
            "check_in_date" => "Its arrival".to_owned(),
            "check_out_date" => "Its departure".to_owned(),
            "number_of_guests" => "Its number of people".to_owned(),
            "room_number" => "Its room".to_owned(),
            field => format!("Its {field}"),
        };
        let [now, shown] = [&value.now, &value.shown].map(|text| match text.as_str() {
            "" => "empty".to_owned(),
            text => text.to_owned(),
        });
        (format!("{name} is {now} now"), shown)
    };
    let (now, shown): (Vec<_>, Vec<_>) = details.changed.iter().map(one).unzip();
    let by = match (by, &details.assignee) {
        (Some(by), _) => format!(", last changed by {by}"),
        (None, Some(assignee)) => format!(", and {assignee} has it"),
        (None, None) => String::new(),
    };
    let (now, shown) = (now.join("; "), shown.join("; "));
    format!("{now}{by}. Your page showed: {shown}. Your change was not made.")
}

/// Reason of a failure; codes with a general message keep it.
pub fn failure_reason(code: ErrorCode, details: &ErrorDetails) -> String {
    let room = match &details.room_number {
        Some(number) => format!("Room {number}"),
        None => "The room".to_owned(),
    };
    match (code, details) {
        (ErrorCode::RoomNotVacant, ErrorDetails { why: Some(why), .. }) => format!("{room}: {why}"),
        (ErrorCode::RoomNotVacant, ErrorDetails { room_status, .. }) => {
            let status = room_status.as_ref().map_or("not ready", |it| it.as_str());
            format!("{room} is {status}. Set it ready once it is clean, or move the booking.")
        }
        (
            ErrorCode::InvalidTransition,
            ErrorDetails {
                room_status: Some(status),
                ..
            },
        ) => {
            format!("{room} is {status} now, so somebody has changed it meanwhile.")
        }
        (
            ErrorCode::InvalidTransition,
            ErrorDetails {
                case_status: Some(status),
                ..
            },
        ) => {
            format!("The case is {status} now, so somebody has changed it meanwhile.")
        }
        (
            ErrorCode::InvalidTransition,
            ErrorDetails {
                booking_status: Some(status),
                why,
                ..
            },
        ) => {
            let now = format!("the booking’s status is now {status}.");
            match why.as_deref() {
                Some(why) if why.ends_with('.') => format!("This can’t be done: {now} {why}"),
                Some(why) => format!("This can’t be done: {why}; {now}"),
                None => format!("This can’t be done: {now}"),
            }
        }
        (ErrorCode::InvalidTransition, ErrorDetails { why: Some(why), .. }) => why.clone(),
        (ErrorCode::RoomOccupied, ErrorDetails { why, .. }) => {
            let why = why
                .as_ref()
                .map(|why| format!(" {why}"))
                .unwrap_or_default();
            format!("A guest is in {}.{why}", room.to_lowercase())
        }
        (ErrorCode::RoomOutOfService, ErrorDetails { room_status, .. }) => {
            let status = room_status.as_ref().map_or("closed", |it| it.as_str());
            format!("{room} is {status}, so it can’t be booked. Choose another room.")
        }
        (ErrorCode::RoomAlreadyBooked, _) => {
            format!(
                "{room} is taken for at least one of these nights. Choose another room or other dates."
            )
        }
        (ErrorCode::OutsideCheckInWindow, _) => {
            let day = |day: &Option<String>| day.clone().unwrap_or_default();
            format!(
                "The booking is for {} to {}.",
                day(&details.check_in_date),
                day(&details.check_out_date)
            )
        }
        (
            ErrorCode::PriceChanged,
            ErrorDetails {
                price: Some(now),
                amount: Some(then),
                currency: Some(currency),
                ..
            },
        ) => {
            let [now, then] = [now, then].map(|sum| labels::money(*sum, *currency));
            format!("The price is {now} now, not {then}.")
        }
        (ErrorCode::ValidationFailed, _) => String::new(),
        (other, _) => with_problem(
            message_for(other, Persona::Staff).to_owned(),
            details.problem.clone(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn refusals_name_the_obstacle() {
        let details = ErrorDetails::of(&json!({ "room_number": "206", "room_status": "Cleaning" }));
        assert!(
            failure_reason(ErrorCode::RoomNotVacant, &details).starts_with("Room 206 is Cleaning.")
        );
        assert!(
            failure_reason(ErrorCode::InvalidTransition, &details)
                .contains("somebody has changed it")
        );
        assert!(failure_reason(ErrorCode::RoomOccupied, &details).contains("room 206"));
        assert_eq!(
            failure_reason(ErrorCode::CaseNotFound, &ErrorDetails::default()),
            ErrorCode::CaseNotFound.for_staff()
        );
    }
}
