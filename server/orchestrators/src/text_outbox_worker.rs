//! The outbox worker: starts one execution per row, in the guest's language, and then deletes the
//! row.

use dewy_saga::{Accepted, StartRequest};

use crate::{engine_conversions::text, hotel_service::Hotel, outbox::KIND, send_text};

/// Maximum number of rows per batch.
const BATCH: usize = 50;

impl Hotel {
    /// Starts executions for the texts that are owed; returns the number of rows deleted.
    pub async fn post_texts(&self) -> usize {
        let journal = self.engine.journal();
        let rows = match journal.projections(KIND, None, BATCH).await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::warn!(%error, "the outbox could not be read");
                return 0;
            }
        };
        let mut posted = 0;
        for row in rows {
            let mut input = row.body;
            let email = text(&input, "guest_email").to_owned();
            input["body"] = self.text_for(&email, text(&input, "body")).await.into();
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
                Accepted::Started(_) | Accepted::Known(_) | Accepted::Mismatch(_) => {}
                // Later: the row stays.
                Accepted::Overloaded | Accepted::Failed(_) => return posted,
            }
            if let Err(error) = journal.drop_projection(KIND, &row.key).await {
                tracing::warn!(%error, "a queued text stays in the outbox; it will not be sent twice");
                return posted;
            }
            posted += 1;
        }
        posted
    }
}
