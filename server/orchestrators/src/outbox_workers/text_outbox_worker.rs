//! The outbox worker: starts one execution per row, in the guest's language, and then deletes the
//! row.

use crate::{
    hotel::{hotel_service::Hotel, start_by_clock::by_clock},
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
            // The reference identifies the message at the carrier, and a guest can quote it.
            let reference = text.of.get(text.of.len().saturating_sub(6)..);
            let words = self.text_for(&text.guest_email, &text.body).await;
            text.body = format!("{words} Ref {}.", reference.unwrap_or_default()).into();
            let input = engine_conversions::value(&text);
            let order = by_clock(send_text::SEND_TEXT, "hotel:outbox", row.key.clone(), input);
            if self.start_once(order).await.is_err() {
                // Later: the row stays.
                return posted;
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
