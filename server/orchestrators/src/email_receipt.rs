//! A guest's email about their own check-out, handed to the email saga.

use dewy_domain::{
    caller::{Caller, Persona},
    error_code::ErrorCode,
    ports::Email,
};
use dewy_saga::{Accepted, StartRequest, journal::Filter};
use serde_json::json;

use crate::{check_out::CHECK_OUT, hotel::Hotel, send_email::SEND_EMAIL};

/// Maximum number of emails about one execution: whoever wants more has them already.
const MOST: usize = 5;

/// Label of the execution that an email is about.
const ABOUT: &str = "email_about";

impl Hotel {
    /// Sends an email about a check-out that this caller may see, once for each token.
    pub(crate) async fn email_receipt(
        &self,
        caller: &Caller,
        id: &str,
        email: Email,
        token: &str,
    ) -> Result<String, ErrorCode> {
        let about = id.parse().map_err(|_| ErrorCode::ExecutionNotFound)?;
        let record = self.seen(caller, about).await;
        let known = record.is_some_and(|record| record.saga == CHECK_OUT);
        let own = caller.persona == Persona::Guest && email.to == caller.email;
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
            tracing::warn!(%error, "emails could not be counted");
            ErrorCode::Internal
        })?;
        let order = StartRequest {
            saga: SEND_EMAIL,
            caller: caller.key(),
            interface: "form".to_owned(),
            token: Some(token.to_owned()).filter(|token| !token.is_empty()),
            input_digest: format!("email about {id}"),
            input: json!({ "guest_email": email.to, "email": email, "of": id }),
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
                tracing::warn!(%error, "an email could not be queued");
                Err(ErrorCode::Internal)
            }
        }
    }
}
