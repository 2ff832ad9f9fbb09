//! A guest's letter about their own check-out, handed to the email saga.

use dewy_domain::{
    caller::{Caller, Persona},
    error_code::ErrorCode,
    ports::Letter,
};
use dewy_saga::{Accepted, StartRequest, journal::Filter};
use serde_json::json;

use crate::{check_out::CHECK_OUT, hotel::Hotel, send_email::SEND_EMAIL};

/// Maximum number of letters about one execution: whoever wants more has them already.
const MOST: usize = 5;

/// Label of the execution that a letter is about.
const ABOUT: &str = "letter_about";

impl Hotel {
    /// Sends a letter about a check-out that this caller may see, once for each token.
    pub(crate) async fn post_letter(
        &self,
        caller: &Caller,
        id: &str,
        letter: Letter,
        token: &str,
    ) -> Result<String, ErrorCode> {
        let about = id.parse().map_err(|_| ErrorCode::ExecutionNotFound)?;
        let record = self.seen(caller, about).await;
        let known = record.is_some_and(|record| record.saga == CHECK_OUT);
        let own = caller.persona == Persona::Guest && letter.to == caller.email;
        if !self.mail || !known || !own || caller.read_only {
            return Err(ErrorCode::ExecutionNotFound);
        }
        let labels = vec![(ABOUT.to_owned(), id.to_owned())];
        let filter = Filter {
            labels: labels.clone(),
            limit: MOST + 1,
            ..Filter::default()
        };
        let sent = self.engine.journal().list(&filter).await;
        let sent = sent.map_err(|error| {
            tracing::warn!(%error, "letters could not be counted");
            ErrorCode::Internal
        })?;
        let order = StartRequest {
            saga: SEND_EMAIL,
            caller: caller.key(),
            interface: "form".to_owned(),
            token: Some(token.to_owned()).filter(|token| !token.is_empty()),
            input_digest: format!("letter about {id}"),
            input: json!({ "guest_email": letter.to, "letter": letter, "of": id }),
            labels,
        };
        if sent.len() >= MOST && !sent.iter().any(|one| one.token == order.token) {
            return Err(ErrorCode::RateLimited);
        }
        match self.engine.start(order).await {
            Accepted::Started(id) | Accepted::Mismatch(id) => Ok(id.to_string()),
            Accepted::Known(record) => Ok(record.id.to_string()),
            Accepted::Overloaded => Err(ErrorCode::Overloaded),
            Accepted::Failed(error) => {
                tracing::warn!(%error, "a letter could not be queued");
                Err(ErrorCode::Internal)
            }
        }
    }
}
