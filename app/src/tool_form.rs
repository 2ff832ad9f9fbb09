//! Forms that call a writing tool: the token makes them idempotent, and the result is on the
//! execution's page.

use std::time::Duration;

use dewy_domain::{
    caller::Persona,
    error_code::ErrorCode,
    error_details::ErrorDetails,
    ports::SignedIn,
    tool::ToolCall,
    tool_answer::{FinalAnswer, Problem, ToolAnswer},
    tool_input::ToolInput,
};
use serde_json::{Value, json};

use crate::{
    form_draft::FormDraft,
    form_submission::{FormResult, FormSubmission, TOKEN},
    labels::{error_for_staff, error_text, problem_text, with_problem},
    language::t,
    page_context::PageContext,
};

/// Title for staff when the outcome of a call is unknown.
pub const OUTCOME_UNKNOWN: &str = "It is not known whether this was done";

/// Call of a writing tool by a form.
#[derive(Clone, Debug)]
pub struct ToolForm {
    tool: &'static str,
    input: Value,
    form: &'static str,
    pub back: String,
    pub failure_title: String,
    pub draft: FormDraft,
}

impl ToolForm {
    /// Call of `T`. `form` is the form's session key, and `back` the page to return to when nothing was
    /// started; a failure is titled `You are not checked out yet`.
    pub fn new<T: ToolInput>(
        form: &'static str,
        back: impl Into<String>,
        failure_title: impl Into<String>,
    ) -> Self {
        Self::named(T::NAME, form, back, failure_title)
    }

    /// [`Self::new`] of the tool with this name.
    pub fn named(
        tool: &'static str,
        form: &'static str,
        back: impl Into<String>,
        failure_title: impl Into<String>,
    ) -> Self {
        Self {
            tool,
            input: json!({}),
            form,
            back: back.into(),
            failure_title: failure_title.into(),
            draft: FormDraft::default(),
        }
    }

    /// Sets the input, without empty fields.
    #[must_use]
    pub fn input(mut self, input: Value) -> Self {
        self.input = input;
        self
    }

    /// Adds the values to show again.
    #[must_use]
    pub fn draft(mut self, draft: FormDraft) -> Self {
        self.draft = draft;
        self
    }

    /// Starts the execution and leads to its page; errors before anything starts are shown on the
    /// form's page.
    pub async fn send(self, form: &FormSubmission, user: &SignedIn) -> FormResult {
        let answer = self.start_and_wait(form, user, Duration::ZERO).await;
        self.finish(answer, form, user).await
    }

    /// Starts the execution and waits for its end up to a limit, for forms with more work after it.
    pub async fn start_and_wait(
        &self,
        form: &FormSubmission,
        user: &SignedIn,
        wait: Duration,
    ) -> ToolAnswer {
        let call = ToolCall {
            tool: self.tool.to_owned(),
            input: self.input.clone(),
            idempotency_token: Some(form.token().to_owned()).filter(|token| !token.is_empty()),
            wait: Some(wait),
        };
        form.ctx.dispatcher.dispatch(&user.caller, call).await
    }

    /// Leads back to the form's page, which shows it again, with the values that were entered.
    pub async fn again(self, shown: FormDraft, form: &FormSubmission) -> FormResult {
        let draft = shown.with_fields_of(self.draft);
        form.again(draft, self.form, &self.back).await
    }

    /// Page that shows this answer.
    pub async fn finish(
        self,
        answer: ToolAnswer,
        form: &FormSubmission,
        user: &SignedIn,
    ) -> FormResult {
        let persona = user.caller.persona;
        let (code, details, repeatable) = match answer {
            ToolAnswer::Pending { execution_id, .. }
            | ToolAnswer::Settled {
                execution_id: Some(execution_id),
                ..
            } => return Ok(execution_page(persona, &execution_id)),
            ToolAnswer::Settled {
                settled: FinalAnswer::Failed { code, details },
                repeatable,
                ..
            } => (code, details, repeatable),
            ToolAnswer::Settled { .. } => return Ok(self.back),
        };
        if let Some(id) = execution_of_token(&form.ctx, user, code, form.token()).await {
            return Ok(execution_page(persona, &id));
        }
        let title = match (code, persona) {
            (ErrorCode::Internal, Persona::Guest) => t!("form-outcome-unknown"),
            (ErrorCode::Internal, Persona::Staff) => OUTCOME_UNKNOWN,
            _ => &self.failure_title,
        };
        let token = if repeatable && keeps_token(code) {
            form.token()
        } else {
            ""
        };
        let refused = Self::refusal(title, code, &details, persona, self.draft);
        let refused = refused.field(TOKEN, token);
        form.again(refused, self.form, &self.back).await
    }

    pub fn refusal(
        title: &str,
        code: ErrorCode,
        details: &Value,
        persona: Persona,
        draft: FormDraft,
    ) -> FormDraft {
        let details = ErrorDetails::of(details);
        let problems = details
            .problems
            .into_iter()
            .map(|problem| Problem {
                message: problem_text(&problem),
                ..problem
            })
            .collect();
        let follow = match (code, details.execution_id) {
            (ErrorCode::OperationInProgress, Some(id)) => Some((
                execution_page(persona, &id),
                t!("form-see-progress").to_owned(),
            )),
            (ErrorCode::MultipleBookings, _) if persona == Persona::Guest => {
                Some(("/guest/folio".to_owned(), t!("form-choose-stay").to_owned()))
            }
            _ => None,
        };
        let message = match persona {
            Persona::Guest => error_text(code, persona),
            Persona::Staff => with_problem(error_for_staff(code), details.problem),
        };
        FormDraft {
            title: title.to_owned(),
            message,
            problems,
            follow,
            fields: draft.fields,
            page: String::new(),
        }
    }
}

/// Execution of a call that broke before it was answered: only its token tells whether it began.
pub async fn execution_of_token(
    ctx: &PageContext,
    user: &SignedIn,
    code: ErrorCode,
    token: &str,
) -> Option<String> {
    if code != ErrorCode::Internal || token.is_empty() {
        return None;
    }
    let view = ctx
        .execution_feed
        .find_by_token(&user.caller, token)
        .await?;
    Some(view.execution_id)
}

/// Token of a form that is shown again: the old one if resending is the same request.
pub fn token_of(draft: &FormDraft, ctx: &PageContext) -> String {
    Some(draft.value(TOKEN))
        .filter(|token| !token.is_empty())
        .unwrap_or_else(|| ctx.token_generator.token())
}

pub fn execution_page(persona: Persona, id: &str) -> String {
    match persona {
        Persona::Guest => format!("/guest/execution/{id}"),
        Persona::Staff => format!("/staff/executions/{id}"),
    }
}

/// Whether resending the form is the same request. After a definite refusal it is a new one, with
/// its own token.
const fn keeps_token(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::Internal
            | ErrorCode::Overloaded
            | ErrorCode::RateLimited
            | ErrorCode::UpstreamUnavailable
            | ErrorCode::AccessRefused
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_execution_can_be_followed() {
        let details = json!({ "execution_id": "exe_1" });
        let text_for = |persona| {
            let draft = ToolForm::refusal(
                "Not yet",
                ErrorCode::OperationInProgress,
                &details,
                persona,
                FormDraft::default(),
            );
            draft.follow.map(|follow| follow.0)
        };
        assert_eq!(
            text_for(Persona::Guest).as_deref(),
            Some("/guest/execution/exe_1")
        );
        assert_eq!(
            text_for(Persona::Staff).as_deref(),
            Some("/staff/executions/exe_1")
        );
        assert!(!keeps_token(ErrorCode::PaymentFailed) && keeps_token(ErrorCode::Internal));
    }
}
