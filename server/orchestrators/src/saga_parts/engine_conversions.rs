//! Conversions between domain and engine types: calls become requests.

use std::time::Duration;

use dewy_domain::{
    email_address::EmailAddress,
    guest_identity::GuestIdentity,
    reservation::ReservationState,
    stay::Stay,
    tool_input::ToolInput,
    upstream_request::Call,
    vocabulary::{ExecutionState, FaultCode},
};
use dewy_saga::{
    Context, Fault, Outcome, REFUSED_ON_REPEAT, Request, State, StepId, StoreError,
    journal::ExecutionRecord, progress::DirectionProgress,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::saga_parts::started_by::StartedBy;

/// Converts a call to its journal form; `beside` is stored with it for the step's later use.
pub(crate) fn request(call: &Call, deadline: Duration, beside: Value) -> Request {
    Request {
        key: call.idempotency_key.clone(),
        deadline_ms: u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX),
        payload: json!({ "call": call, "beside": beside }),
    }
}

/// Sends a journaled call. What the outside system refuses, it refuses for good.
pub(crate) async fn send<T, F: Future<Output = Outcome<T>>>(
    request: &Request,
    send: impl FnOnce(Call) -> F,
) -> Outcome<T> {
    match Call::deserialize(&request.payload["call"]) {
        Ok(call) => match send(call).await {
            Outcome::Refused(fault) => Outcome::Refused(Fault {
                permanent: true,
                ..fault
            }),
            outcome => outcome,
        },
        Err(e) => Outcome::Refused(Fault::new(FaultCode::UnreadableJournal, e.to_string())),
    }
}

pub(crate) fn stored_with_call<T: serde::de::DeserializeOwned>(request: &Request) -> Option<T> {
    read(request.payload.get("beside")?)
}

/// Stripe keeps a key's first answer for at least 24 hours; later the same key might act again.
pub(crate) const KEY_IS_SAFE: Duration = Duration::from_secs(23 * 3600);

/// HTTP 500 returned more than once for one idempotency key: the first response to a key is
/// replayed forever, so retrying would never resolve it.
pub(crate) fn repeated_500(direction_progress: &DirectionProgress) -> Option<&Fault> {
    let fault = direction_progress
        .fault
        .as_ref()
        .filter(|_| direction_progress.sends >= 2)?;
    (fault.code == FaultCode::StickyFailure || fault.code.starts_with("http_5")).then_some(fault)
}

/// Whether Stripe only repeats its first answer to the key of this request.
pub(crate) fn is_answer_repeated(direction_progress: &DirectionProgress) -> bool {
    let fault = direction_progress.fault.as_ref();
    fault.is_some_and(|fault| fault.code == REFUSED_ON_REPEAT)
        || repeated_500(direction_progress).is_some()
}

/// Converts the result of a write to our own store.
pub(crate) fn stored<T>(result: Result<T, StoreError>) -> Outcome<T> {
    match result {
        Ok(value) => Outcome::Done(value),
        Err(StoreError::Lost(message)) => {
            Outcome::Unknown(Fault::new(FaultCode::StoreLost, message))
        }
        Err(error) => Outcome::TryLater(Fault::new(FaultCode::StoreFailed, error.to_string())),
    }
}

/// Converts an execution's state; both have the same names.
pub(crate) fn execution_state(state: State) -> ExecutionState {
    state.name().into()
}

/// Serializes a value for the journal. Our own types always serialize; otherwise the null would be
/// refused when it is read.
pub(crate) fn value(of: &impl serde::Serialize) -> Value {
    serde_json::to_value(of).unwrap_or(Value::Null)
}

pub(crate) fn read<T: serde::de::DeserializeOwned>(from: &Value) -> Option<T> {
    serde_json::from_value(from.clone()).ok()
}

/// The guest, if a guest is calling; staff may act for any guest.
pub(crate) fn calling_guest(cx: &Context<'_>) -> Option<GuestIdentity> {
    StartedBy::of(cx).guest()
}

/// The input of a tool's execution.
///
/// # Errors
/// A fault if the journal doesn't contain it.
pub(crate) fn input<I: ToolInput>(cx: &Context<'_>) -> Result<I, Fault> {
    I::read(cx.input).map_err(|error| Fault::new(FaultCode::UnreadableJournal, error.to_string()))
}

pub(crate) const BOOK: StepId<ReservationState> = StepId::new("book");

/// Guest an execution is for, as the input names them or as the stay in its facts does.
#[derive(Clone, Debug)]
pub(crate) struct GuestOfExecution {
    /// Email, never empty; `None` if it is for nobody, or for somebody without one.
    pub email: Option<EmailAddress>,
    /// Record id of the contact, if the facts name it.
    pub contact_id: Option<String>,
}

pub(crate) fn guest_of(cx: &Context<'_>) -> GuestOfExecution {
    #[derive(Deserialize)]
    struct WithStay {
        stay: Stay,
    }
    // The facts of a change of a booking
    #[derive(Deserialize)]
    struct WithReservation {
        there: WithStay,
    }
    let named = guest_in(cx.input).filter(|email| !email.is_empty());
    // Of a guest without an email, a new booking itself names the contact
    let made = || named.is_none().then(|| cx.output(BOOK))?;
    let stay = cx
        .facts::<Stay>()
        .or_else(|| cx.facts().map(|facts: WithStay| facts.stay))
        .or_else(|| cx.facts().map(|facts: WithReservation| facts.there.stay))
        .or_else(|| made().map(|booked| booked.there.stay));
    let (booked, contact_id) = stay.map_or_else(Default::default, |stay| {
        (stay.guest_email, Some(stay.booking.guest_id))
    });
    GuestOfExecution {
        email: named.or(booked).filter(|email| !email.is_empty()),
        contact_id,
    }
}

/// Record id of the contact whose stay or case an execution is about, if its facts name it.
pub(crate) fn contact_of(record: &ExecutionRecord) -> Option<String> {
    let facts = record.progress().ok()?.facts?;
    let named = [
        "/booking/guest_id",
        "/stay/booking/guest_id",
        "/there/stay/booking/guest_id",
        "/booker/guest/id",
        "/case/contact_id",
        "/contact_id",
    ];
    let id = named.iter().find_map(|place| facts.pointer(place))?;
    id.as_str().map(ToOwned::to_owned)
}

pub(crate) fn guest_in(input: &Value) -> Option<EmailAddress> {
    #[derive(Deserialize)]
    struct Whom {
        guest_email: EmailAddress,
    }
    Whom::deserialize(input).ok().map(|whom| whom.guest_email)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_and_the_vocabulary_have_the_same_states() {
        assert_eq!(State::ALL.map(State::name), ExecutionState::WORDS);
    }
}
