//! User confirmation before money moves, where the client supports it (elicitation, protocol
//! 2026-07-28).
//!
//! ```text
//! call ─► confirmation (from the hotel's facts) ─► input_required { question, sealed state }
//! same call + answer + state ─► seal, age, principal, tool, arguments ─► spent once ─► same question still? ─► dispatched
//! ```
//!
//! The client holds the state, so it is trusted only if its seal proves that this server issued it
//! for this principal, this tool and these arguments, recently, and that it was not used before. If
//! the facts have changed since, the person is asked again.

mod confirmation_seals;

use std::sync::Arc;

use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    ports::{Clock, Confirmation, ConfirmationPrompt, ConfirmationPrompts, Entropy},
    tool::{Tool, ToolCall},
    tool_answer::ToolError,
};
use jiff::{SignedDuration, Timestamp};
use rmcp::{
    ErrorData,
    model::{
        BooleanSchema, ElicitRequest, ElicitRequestParams, ElicitationSchema, InputRequest,
        InputRequests, InputRequiredResult, InputResponses, RequestStateCodec, SealOptions,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub use confirmation_seals::{Seals, StoredSeals};

/// Time to confirm.
const TTL: SignedDuration = SignedDuration::from_mins(5);
/// Name of the only question and of its only field.
const KEY: &str = "confirm";

/// Asks for confirmation and validates the answers.
#[derive(Clone, Debug)]
pub struct Confirm {
    /// Describes the pending action.
    pub confirmations: Arc<dyn ConfirmationPrompts>,
    /// Key and used seals.
    pub seals: Arc<dyn Seals>,
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub entropy: Arc<dyn Entropy>,
}

/// Elicitation data that the client sent with the call.
#[derive(Debug)]
pub struct Round {
    /// Whether the client can show a form.
    pub asks: bool,
    /// State issued by this server.
    pub state: Option<String>,
    pub answers: Option<InputResponses>,
}

/// Decision about a call.
#[derive(Debug)]
pub enum Consent {
    Given,
    /// The person must be asked first.
    Ask(InputRequiredResult),
    /// Declined; nothing was done.
    Refused(ToolError),
}

#[derive(Serialize, Deserialize)]
struct Sealed {
    id: String,
    until: Timestamp,
    question: String,
}

enum FormAnswer {
    Yes,
    No,
    None,
}

impl Confirm {
    /// Decides whether this call may continue.
    ///
    /// # Errors
    /// When the state was not issued for this call, was used already, or has expired. All cases
    /// return the same error.
    pub async fn consent(
        &self,
        caller: &Caller,
        tool: &Tool,
        call: &ToolCall,
        round: Round,
    ) -> Result<Consent, ErrorData> {
        if !tool.moves_money || !round.asks {
            return Ok(Consent::Given);
        }
        let quote = match self.confirmations.confirmation_for(caller, call).await {
            Ok(Confirmation::Ask(quote)) => quote,
            Ok(_) => return Ok(Consent::Given),
            Err(error) => return Ok(Consent::Refused(error)),
        };
        let codec = match self.codec().await {
            Ok(codec) => codec,
            Err(refused) => return Ok(refused),
        };
        let about = about(caller, call);
        let Some(state) = round.state else {
            return self.request_confirmation(&codec, &about, &quote);
        };
        let sealed: Sealed = codec
            .open_json_with(&state, about.as_bytes())
            .map_err(|_| not_ours())?;
        if sealed.until <= self.clock.now() {
            return Err(not_ours());
        }
        let yes = match answer(round.answers.as_ref()) {
            FormAnswer::None => return self.request_confirmation(&codec, &about, &quote),
            FormAnswer::Yes => true,
            FormAnswer::No => false,
        };
        match self.seals.spend(&sealed.id, TTL.unsigned_abs() * 2).await {
            Ok(true) => {}
            Ok(false) => return Err(not_ours()),
            Err(error) => return Ok(out_of_order(&error)),
        }
        if !yes {
            return Ok(Consent::Refused(ToolError::new(ErrorCode::NotConfirmed)));
        }
        if sealed.question != digest(&quote.question) {
            return self.request_confirmation(&codec, &about, &quote);
        }
        Ok(Consent::Given)
    }

    /// Codec that seals and opens states.
    pub(super) async fn codec(&self) -> Result<RequestStateCodec, Consent> {
        let key = self
            .seals
            .key()
            .await
            .map_err(|error| out_of_order(&error))?;
        RequestStateCodec::try_new(key).map_err(|error| out_of_order(&error))
    }

    fn request_confirmation(
        &self,
        codec: &RequestStateCodec,
        request_fingerprint: &str,
        quote: &ConfirmationPrompt,
    ) -> Result<Consent, ErrorData> {
        let now = self.clock.now();
        let sealed = Sealed {
            id: self.entropy.uuid_v7(now).to_string(),
            until: now + TTL,
            question: digest(&quote.question),
        };
        let options = SealOptions::new().associated_data(request_fingerprint.as_bytes());
        let state = codec.seal_json_with(&sealed, &options);
        let state = state.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let form = ElicitationSchema::builder()
            .required_bool_property(KEY, |field: BooleanSchema| field.title(quote.yes.clone()))
            .build()
            .map_err(|error| ErrorData::internal_error(error, None))?;
        let question = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: quote.question.clone(),
            requested_schema: form,
        };
        let mut questions = InputRequests::new();
        questions.insert(
            KEY.to_owned(),
            InputRequest::Elicitation(ElicitRequest::new(question)),
        );
        Ok(Consent::Ask(InputRequiredResult::new(
            Some(questions),
            Some(state),
        )))
    }
}

/// Scope of the seal: one call of one principal. Keys of JSON objects are sorted here, so the
/// client's order doesn't matter.
fn about(caller: &Caller, call: &ToolCall) -> String {
    let arguments = json!([call.input, call.idempotency_token]);
    format!(
        "{}\n{}\n{}",
        caller.key(),
        call.tool,
        digest(&arguments.to_string())
    )
}

fn digest(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}

/// Only a submitted form with the box checked counts as a confirmation.
fn answer(answers: Option<&InputResponses>) -> FormAnswer {
    let Some(answer) = answers.and_then(|answers| answers.get(KEY)) else {
        return FormAnswer::None;
    };
    match (answer["action"].as_str(), &answer["content"][KEY]) {
        (Some("accept"), Value::Bool(true)) => FormAnswer::Yes,
        (Some("accept"), Value::Bool(false)) | (Some("decline" | "cancel"), _) => FormAnswer::No,
        _ => FormAnswer::None,
    }
}

fn not_ours() -> ErrorData {
    let words = "this requestState is invalid or expired: call the tool again without it to ask the person again";
    ErrorData::invalid_params(words, None)
}

fn out_of_order(error: &dyn std::error::Error) -> Consent {
    tracing::error!(%error, "confirmations can't be sealed or verified");
    Consent::Refused(ToolError::new(ErrorCode::Internal))
}
