//! The outbox worker: starts one execution per row, in the guest's language, and then deletes the
//! row.

use dewy_saga::{StartRequest, StartResult};

use crate::{engine_conversions::text_field, hotel_service::Hotel, outbox::TEXT, send_text};

/// Maximum number of rows per batch.
const BATCH: usize = 50;

impl Hotel {
    /// Starts executions for the texts that are owed; returns the number of rows deleted.
    pub async fn start_queued_texts(&self) -> usize {
        let journal = self.engine.journal();
        let rows = match journal.projections(TEXT, None, BATCH).await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::warn!(%error, "the outbox could not be read");
                return 0;
            }
        };
        let mut posted = 0;
        for row in rows {
            let mut input = row.body;
            let email = text_field(&input, "guest_email").to_owned();
            input["body"] = self
                .text_for(&email, text_field(&input, "body"))
                .await
                .into();
            let order = StartRequest {
                saga: send_text::SEND_TEXT,
                caller: "hotel:outbox".to_owned(),
                interface: "clock".to_owned(),
                token: Some(row.key.clone()),
                input_digest: row.key.clone(),
                input,
                labels: Vec::new(),
            };
            match self.engine.start(order).await {
                StartResult::Started(_) | StartResult::Known(_) | StartResult::Mismatch(_) => {}
                // Later: the row stays.
                StartResult::Overloaded | StartResult::Failed(_) => return posted,
            }
            if let Err(error) = journal.drop_projection(TEXT, &row.key).await {
                tracing::warn!(%error, "a queued text stays in the outbox; it will not be sent twice");
                return posted;
            }
            posted += 1;
        }
        posted
    }
}
