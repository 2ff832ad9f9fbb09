//! What a person reads when the model gave no answer: the true reason, in plain words.

use dewy_domain::{caller::Persona, ports::ModelError};

/// The sentence, in English; pages translate it. Staff also read what the server said.
pub(super) fn of(error: &ModelError, persona: Persona) -> String {
    let text = match error {
        ModelError::Busy { after: Some(after), .. } if after.as_secs() >= 90 => format!(
            "I am very busy right now. Please ask again in {} minutes.",
            after.as_secs().div_ceil(60)
        ),
        ModelError::Busy { .. } => {
            "I am very busy right now. Please ask again in a moment.".to_owned()
        }
        ModelError::Refused { status: 200, .. } => {
            "A content filter stopped my answer. Please ask in other words.".to_owned()
        }
        ModelError::Refused { status, .. } => format!(
            "I cannot answer now: the language model refused the request (error {status}). Our pages and the front desk can do everything I can."
        ),
        ModelError::Failed { status, .. } => format!(
            "The language model has a fault of its own (error {status}). Nothing was lost; please ask again."
        ),
        ModelError::Silent(time) => format!(
            "The language model did not answer within {} s. Nothing was lost; please ask again.",
            time.as_secs_f64().ceil()
        ),
        ModelError::Broken(_) => {
            "The connection dropped before my answer was complete. Nothing was lost; please ask again.".to_owned()
        }
    };
    let said = match error {
        ModelError::Busy { reason, .. }
        | ModelError::Refused { reason, .. }
        | ModelError::Failed { reason, .. }
        | ModelError::Broken(reason) => reason.as_str(),
        ModelError::Silent(_) => "",
    };
    match persona {
        Persona::Staff if !said.is_empty() => format!("{text} It said: {said}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn guests_read_the_status_and_staff_what_was_said() {
        let (status, reason) = (401, "Incorrect API key".to_owned());
        let refused = ModelError::Refused { status, reason };
        let guest = of(&refused, Persona::Guest);
        assert!(guest.contains("(error 401)") && !guest.contains("API key"));
        assert!(of(&refused, Persona::Staff).ends_with("It said: Incorrect API key"));
        let (status, after) = (429, Some(Duration::from_secs(301)));
        let busy = ModelError::Busy {
            status,
            reason: String::new(),
            after,
        };
        assert!(of(&busy, Persona::Staff).ends_with("in 6 minutes."));
    }
}
