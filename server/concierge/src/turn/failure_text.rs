//! What a person reads when the model gave no answer: the true reason, in plain words.

use dewy_domain::{caller::Persona, ports::ModelError, said, sentence::Sentence};

/// Staff also read what the server said.
pub(super) fn of(error: &ModelError, persona: Persona) -> Sentence {
    let text = match error {
        ModelError::Busy {
            after: Some(after), ..
        } if after.as_secs() >= 90 => {
            said!("talk-busy-minutes", minutes = after.as_secs().div_ceil(60))
        }
        ModelError::Busy { .. } => said!("talk-busy"),
        ModelError::Refused { status: 200, .. } => said!("talk-filter"),
        ModelError::Refused { status, .. } => said!("talk-cannot", status),
        ModelError::Failed { status, .. } => said!("talk-fault", status),
        ModelError::Silent(time) => said!("talk-silent", seconds = time.as_secs_f64().ceil()),
        ModelError::Broken(_) => said!("talk-dropped"),
    };
    let said = match error {
        ModelError::Busy { reason, .. }
        | ModelError::Refused { reason, .. }
        | ModelError::Failed { reason, .. }
        | ModelError::Broken(reason) => reason.as_str(),
        ModelError::Silent(_) => "",
    };
    match persona {
        Persona::Staff if !said.is_empty() => format!("{text} It said: {said}").into(),
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
        assert!(
            of(&refused, Persona::Staff)
                .to_string()
                .ends_with("It said: Incorrect API key")
        );
        let (status, after) = (429, Some(Duration::from_secs(301)));
        let busy = ModelError::Busy {
            status,
            reason: String::new(),
            after,
        };
        assert!(
            of(&busy, Persona::Staff)
                .to_string()
                .ends_with("in 6 minutes.")
        );
    }
}
