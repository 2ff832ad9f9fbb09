//! The outbox worker: starts one execution per row, in the guest's language, and then deletes the
//! row.

use dewy_saga::{StartRequest, StartResult};

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::{
        engine_conversions,
        outbox::{OwedText, TEXT},
    },
    sagas::send_text,
};

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
            let Some(mut text) = engine_conversions::read::<OwedText>(&row.body) else {
                tracing::error!(key = row.key, "a queued text can't be read");
                continue;
            };
            text.body = self.text_for(&text.guest_email, &text.body).await;
            let order = StartRequest {
                saga: send_text::SEND_TEXT,
                caller: "hotel:outbox".to_owned(),
                interface: "clock".to_owned(),
                token: Some(row.key.clone()),
                input_digest: row.key.clone(),
                input: engine_conversions::value(&text),
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
