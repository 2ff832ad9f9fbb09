//! Emails about an execution: one per check-out or booking, sent automatically afterward; a receipt also
//! when the guest asks for it.
//!
//! ```text
//! check-out or booking ends ──► row of the outbox ──► email_outbox_worker.rs ─┐
//! the guest's button, where nothing was sent ──────────────────┴─► send_email execution (token: receipt and attempt)
//! ```

use dewy_domain::{
    caller::{Caller, Interface, Persona},
    error_code::ErrorCode,
    guest_identity::GuestIdentity,
    ports::{Email, EmailStatus},
    tool_catalog::CreateBooking,
};
use dewy_saga::{
    ExecutionId, StartRequest, StartResult, State, StoreError,
    journal::{ExecutionFilter, ExecutionRecord},
};

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::{engine_conversions, outbox},
    sagas::{
        check_out::CHECK_OUT,
        send_email::{self, EmailInput, SEND_EMAIL},
    },
};

/// Maximum number of attempts; a new one is made only after the previous one was refused.
const MAX_ATTEMPTS: usize = 5;

/// Label of the execution that an email is about.
const ABOUT_LABEL: &str = "email_about";

impl Hotel {
    /// Starts the email about a check-out or booking that this caller may see, unless it was sent or is
    /// on its way.
    pub(crate) async fn send_receipt(
        &self,
        caller: &Caller,
        id: &str,
        email: Email,
    ) -> Result<String, ErrorCode> {
        let about = self.own_act(caller, id).await;
        let about = about
            .filter(|_| self.has_mail_server && caller.email == *email.to && !caller.read_only);
        let about = about.ok_or(ErrorCode::ExecutionNotFound)?;
        let before = self.emails_about(about).await.map_err(|error| {
            tracing::warn!(%error, "emails could not be counted");
            ErrorCode::Internal
        })?;
        if let Some(last) = before
            .first()
            .filter(|last| state(last) != EmailStatus::Refused)
        {
            return Ok(last.id.to_string());
        }
        if before.len() >= MAX_ATTEMPTS {
            return Err(ErrorCode::RateLimited);
        }
        let input = EmailInput {
            guest_email: email.to.clone().into(),
            email: Some(email),
            unsent: None,
            of: id.to_owned(),
        };
        self.start_email(caller, about, before.len(), input).await
    }

    pub(crate) async fn record_unsent_receipt(
        &self,
        guest: &GuestIdentity,
        about: ExecutionId,
        why: &str,
    ) -> Result<(), ErrorCode> {
        let caller = Caller::one_guest(guest, Interface::Clock);
        let input = EmailInput {
            guest_email: guest.email().clone(),
            email: None,
            unsent: Some(why.to_owned()),
            of: about.to_string(),
        };
        self.start_email(&caller, about, 0, input).await.map(drop)
    }

    async fn start_email(
        &self,
        caller: &Caller,
        about: ExecutionId,
        attempt: usize,
        input: EmailInput,
    ) -> Result<String, ErrorCode> {
        let order = StartRequest {
            saga: SEND_EMAIL,
            caller: caller.key(),
            interface: caller.interface.name().to_owned(),
            // Whoever asks at the same moment asks for the same attempt
            token: Some(format!("{about}:receipt:{attempt}")),
            input_digest: format!("email about {about}"),
            input: engine_conversions::value(&input),
            labels: vec![(ABOUT_LABEL.to_owned(), about.to_string())],
        };
        match self.engine.start(order).await {
            StartResult::Started(id) | StartResult::Mismatch(id) => Ok(id.to_string()),
            StartResult::Known(record) => Ok(record.id.to_string()),
            StartResult::Overloaded => Err(ErrorCode::Overloaded),
            StartResult::Failed(error) => {
                tracing::warn!(%error, "an email could not be queued");
                Err(ErrorCode::Internal)
            }
        }
    }

    /// Delivery status of the email about an execution.
    pub(crate) async fn receipt_email_of(&self, caller: &Caller, id: &str) -> EmailStatus {
        if !self.has_mail_server {
            return EmailStatus::Off;
        }
        let Some(about) = self.own_act(caller, id).await else {
            return EmailStatus::Off;
        };
        let found = async {
            if let Some(last) = self.emails_about(about).await?.first() {
                return Ok(state(last));
            }
            let journal = self.engine.journal();
            for kind in [outbox::RECEIPT, outbox::CONFIRMATION] {
                if !journal.projections(kind, Some(about), 1).await?.is_empty() {
                    return Ok(EmailStatus::OnItsWay);
                }
            }
            Ok::<_, StoreError>(EmailStatus::Unsent)
        };
        found.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the email with a receipt could not be looked up");
            EmailStatus::Off
        })
    }

    /// A guest's own check-out or booking.
    async fn own_act(&self, caller: &Caller, id: &str) -> Option<ExecutionId> {
        let about = id.parse().ok()?;
        let record = self.visible_record(caller, about).await?;
        let emailed = [CHECK_OUT, CreateBooking::NAME].contains(&record.saga.as_str());
        let own = caller.persona == Persona::Guest && emailed;
        own.then_some(about)
    }

    /// Emails about an execution, newest first.
    pub(crate) async fn emails_about(
        &self,
        id: ExecutionId,
    ) -> Result<Vec<ExecutionRecord>, StoreError> {
        let filter = ExecutionFilter {
            labels: vec![(ABOUT_LABEL.to_owned(), id.to_string())],
            limit: MAX_ATTEMPTS,
            ..ExecutionFilter::default()
        };
        self.engine.journal().list(&filter).await
    }
}

/// Delivery status of one attempt.
fn state(email: &ExecutionRecord) -> EmailStatus {
    match email.state {
        State::Completed if send_email::is_sent(email) => EmailStatus::Sent,
        state if state.has_ended() => EmailStatus::Refused,
        _ => EmailStatus::OnItsWay,
    }
}
