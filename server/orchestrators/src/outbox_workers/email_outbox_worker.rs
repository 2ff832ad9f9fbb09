//! The outbox worker for emails: renders each receipt or confirmation in the guest's language, starts
//! its email execution, and then deletes the row. A check-out or booking never waits for it. One that
//! can't be emailed becomes an execution that records why.

use std::{collections::BTreeMap, sync::Arc};

use dewy_domain::{
    caller::{Caller, Interface},
    email_address::EmailAddress,
    error_code::ErrorCode,
    guest_identity::GuestIdentity,
    ports::{EmailWriter, SignedIn},
};
use dewy_saga::{
    ExecutionId, State,
    journal::{ExecutionRecord, ProjectionRow},
};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::{
        engine_conversions,
        outbox::{self, CONFIRMATION, OwedEmail, RECEIPT},
    },
    sagas::send_email::NO_MAIL,
};

/// Maximum number of rows read at once.
const MAX_ROWS: usize = 1000;

/// Emails that have to wait, by key, and until when.
type Waiting = BTreeMap<String, Timestamp>;

impl Hotel {
    /// Sends the emails that are owed until canceled.
    pub async fn run_email_outbox(
        self: Arc<Self>,
        writer: Arc<dyn EmailWriter>,
        stop: CancellationToken,
    ) {
        let posting = async {
            let mut waiting = [RECEIPT, CONFIRMATION].map(|kind| (kind, Waiting::new()));
            loop {
                for (kind, waiting) in &mut waiting {
                    self.post_emails(kind, writer.as_ref(), waiting).await;
                }
                self.clock.sleep(self.settings.poll).await;
            }
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = posting => {}
        }
    }

    /// Starts the emails of this kind that are owed, oldest first. One that can't be written now waits
    /// alone.
    async fn post_emails(&self, kind: &str, writer: &dyn EmailWriter, waiting: &mut Waiting) {
        let journal = self.engine.journal();
        // An unreadable outbox is read again
        let rows = journal.projections(kind, None, MAX_ROWS).await;
        let rows = rows.unwrap_or_default();
        waiting.retain(|key, _| rows.iter().any(|row| row.key == *key));
        for row in rows.into_iter().rev() {
            let now = self.clock.now();
            if waiting.get(&row.key).is_some_and(|until| now < *until) {
                continue;
            }
            let posted = match self.post_email(&row, writer).await {
                // It stays in the outbox, and is not sent twice
                Ok(()) => journal.drop_projection(kind, &row.key).await.is_ok(),
                Err(code) => {
                    tracing::warn!(key = row.key, code = code.code(), "an email is sent later");
                    false
                }
            };
            if !posted {
                let age = now.duration_since(row.updated_at);
                waiting.insert(row.key, now + outbox::pause_at(age));
            }
        }
    }

    /// Starts the email, unless there is one, or nothing to say any more.
    async fn post_email(
        &self,
        row: &ProjectionRow,
        writer: &dyn EmailWriter,
    ) -> Result<(), ErrorCode> {
        let Some(OwedEmail { guest_email, of }) = engine_conversions::read(&row.body) else {
            return Ok(());
        };
        let Ok(id) = of.parse::<ExecutionId>() else {
            return Ok(());
        };
        let email = &guest_email;
        let unreadable = |_| ErrorCode::Internal;
        let journal = self.engine.journal();
        let record = match journal.load(id).await.map_err(unreadable)? {
            Some(record) if record.state == State::Completed => record,
            // Reopened: a late effect turned up
            Some(record) if !record.state.has_ended() => {
                return Err(ErrorCode::OperationInProgress);
            }
            _ => return Ok(()),
        };
        let guest = guest_of_email(&record, email);
        if !self.emails_about(id).await.map_err(unreadable)?.is_empty() {
            return Ok(());
        }
        if !self.has_mail_server {
            return self.record_unsent_receipt(&guest, id, NO_MAIL).await;
        }
        let contacts = self.crm.contacts(email).await.answered();
        let contacts = contacts.map_err(|_| ErrorCode::UpstreamUnavailable)?;
        let own = engine_conversions::contact_of(&record);
        let contact = contacts
            .into_iter()
            .find(|one| own.as_ref().is_none_or(|own| one.id == *own));
        let reader = SignedIn {
            caller: Caller::one_guest(&guest, Interface::Clock),
            first_name: contact
                .as_ref()
                .map(|one| one.first_name.clone())
                .unwrap_or_default(),
            last_name: contact.map(|one| one.last_name).unwrap_or_default(),
        };
        let language = self.language_of(email).await;
        let about = id.to_string();
        match writer.write(&reader, &about, language.as_deref()).await {
            Ok(Some(email)) => {
                let sent = self.send_receipt(&reader.caller, &about, email);
                sent.await.map(drop)
            }
            Ok(None) => Ok(()),
            Err(code) if code.retry_safe() || code.status() >= 500 => Err(code),
            Err(code) => {
                self.record_unsent_receipt(&guest, id, code.for_staff())
                    .await
            }
        }
    }
}

/// The guest whose email it is: the one who acted, or for staff whoever has the address.
fn guest_of_email(record: &ExecutionRecord, email: &EmailAddress) -> GuestIdentity {
    let by = record
        .caller
        .strip_prefix("guest:")
        .map(GuestIdentity::from);
    by.filter(|guest| guest.email() == email)
        .unwrap_or_else(|| GuestIdentity::whoever_has(email.clone()))
}
