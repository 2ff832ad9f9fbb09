//! The outbox worker for receipts: has each one written in the guest's language, starts its email, and
//! then deletes the row. A check-out never waits for it.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    caller::{Caller, Interface},
    error_code::ErrorCode,
    ports::{ReceiptWriter, SignedIn},
};
use dewy_saga::{ExecutionId, State, journal::BesideRow};
use tokio_util::sync::CancellationToken;

use crate::{engine_conversions, hotel_service::Hotel, outbox::RECEIPT};

/// Maximum number of rows per batch.
const BATCH: usize = 50;

/// Pause after one could not be written: Salesforce is down, for example.
const PAUSE: Duration = Duration::from_secs(30);

impl Hotel {
    /// Emails the receipts that are owed until canceled.
    pub async fn email_receipts(
        self: Arc<Self>,
        writer: Arc<dyn ReceiptWriter>,
        stop: CancellationToken,
    ) {
        if !self.mail {
            return;
        }
        let posting = async {
            loop {
                let pause = match self.post_receipts(writer.as_ref()).await {
                    Ok(()) => self.settings.poll,
                    Err(code) => {
                        tracing::warn!(code = code.code(), "a receipt is emailed later");
                        PAUSE
                    }
                };
                self.clock.sleep(pause).await;
            }
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = posting => {}
        }
    }

    /// Starts the emails of the receipts that are owed; the last error of those that have to wait.
    async fn post_receipts(&self, writer: &dyn ReceiptWriter) -> Result<(), ErrorCode> {
        let journal = self.engine.journal();
        let rows = journal.projections(RECEIPT, None, BATCH).await;
        let mut result = Ok(());
        for row in rows.map_err(|_| ErrorCode::Internal)? {
            let posted = match self.post_receipt(&row, writer).await {
                Ok(()) => journal.drop_beside(RECEIPT, &row.key).await,
                Err(code) => {
                    result = Err(code);
                    continue;
                }
            };
            // It stays in the outbox, and is not sent twice
            result = result.and(posted.map_err(|_| ErrorCode::Internal));
        }
        result
    }

    /// Starts the email, unless there is one, or no receipt any more.
    async fn post_receipt(
        &self,
        row: &BesideRow,
        writer: &dyn ReceiptWriter,
    ) -> Result<(), ErrorCode> {
        let email = engine_conversions::text(&row.body, "guest_email");
        let Ok(id) = engine_conversions::text(&row.body, "of").parse::<ExecutionId>() else {
            return Ok(());
        };
        let unreadable = |_| ErrorCode::Internal;
        let journal = self.engine.journal();
        match journal.load(id).await.map_err(unreadable)? {
            Some(record) if record.state == State::Completed => {}
            // Reopened: a late effect turned up
            Some(record) if !record.state.has_ended() => {
                return Err(ErrorCode::OperationInProgress);
            }
            _ => return Ok(()),
        }
        if !self.emails_about(id).await.map_err(unreadable)?.is_empty() {
            return Ok(());
        }
        let contact = self.crm.contact(email).await.answered();
        let contact = contact.map_err(|_| ErrorCode::UpstreamUnavailable)?;
        let guest = SignedIn {
            caller: Caller::guest(email, Interface::Clock),
            first_name: contact
                .as_ref()
                .map(|one| one.first_name.clone())
                .unwrap_or_default(),
            last_name: contact.map(|one| one.last_name).unwrap_or_default(),
        };
        let language = self.language_of(email).await;
        let id = id.to_string();
        match writer.write(&guest, &id, language.as_deref()).await? {
            Some(email) => self.send_receipt(&guest.caller, &id, email).await.map(drop),
            None => Ok(()),
        }
    }
}
