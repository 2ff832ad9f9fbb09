//! Ends of texts: what became of a sent text is written to its row in the CRM.
//!
//! ```text
//! send_text ends ─► row (sent_text, SM…) ─┐
//! the carrier reports (in any order) ─────┴─► end known? ─► Status__c, Delivered_Date__c, Error_Code__c ─► row dropped
//! ```
//! Only ends are written, and of several the first one counts, so that nothing moves backwards. The
//! write may be repeated: it sets the same values.

use dewy_domain::{
    ports::TextEnd,
    text_status::{TextStage, TextStatus},
    upstream_request::Outcome,
    vocabulary::FaultCode,
};
use jiff::{SignedDuration, Timestamp};

use crate::{hotel::hotel_service::Hotel, saga_parts::outbox::SENT_TEXT};

/// Maximum number of rows that are looked at. Each is dropped when its text has ended, and after a
/// few hours anyway.
const MAX_ROWS: usize = 10_000;

/// Age of a row whose carrier has reported no end, and is asked: the text isn't sent any more.
const ASK_AFTER: SignedDuration = SignedDuration::from_hours(5);

impl Hotel {
    /// Writes the ends that are known by now. A failure is tried again the next time.
    pub(crate) async fn record_ends_of_texts(&self) {
        let journal = self.engine.journal();
        let rows = match journal.projections(SENT_TEXT, None, MAX_ROWS).await {
            Ok(rows) => rows,
            Err(error) => return tracing::warn!(%error, "the sent texts could not be read"),
        };
        for row in rows {
            let end = match self.texts.reported_end(&row.key).await {
                Some(end) => Some(end),
                None if self.clock.now().duration_since(row.updated_at) < ASK_AFTER => continue,
                None => match self.asked_end(&row.key).await {
                    Ok(end) => end,
                    Err(Waits) => return,
                },
            };
            if let Some(end) = end
                && self.record_end(&row.key, &end).await.is_err()
            {
                return;
            }
            if let Err(error) = journal.drop_projection(SENT_TEXT, &row.key).await {
                return tracing::warn!(%error, "the end of a text is written again");
            }
        }
    }

    /// The end of a text that its carrier tells when it is asked; `None` if it never will.
    async fn asked_end(&self, sid: &str) -> Result<Option<TextEnd>, Waits> {
        match self.texts.text_by_sid(sid).await {
            Outcome::Done(text) => Ok(end(&text.status, text.error_code, self.clock.now())),
            Outcome::Refused(_) => Ok(None),
            _ => Err(Waits),
        }
    }

    async fn record_end(&self, sid: &str, end: &TextEnd) -> Result<(), Waits> {
        match self.crm.record_text_end(sid, end).await {
            Outcome::Done(()) => Ok(()),
            // The next time without the field that is hidden
            Outcome::Refused(error) if error.code == FaultCode::GuardFailed => Err(Waits),
            Outcome::Refused(error) => {
                tracing::warn!(
                    sid,
                    code = error.code,
                    "the end of a text was not written down"
                );
                Ok(())
            }
            _ => Err(Waits),
        }
    }
}

/// An outside system can't be reached; the row stays.
struct Waits;

fn end(status: &str, error_code: Option<u32>, at: Timestamp) -> Option<TextEnd> {
    let status = TextStatus::named(status)?;
    (status.stage() == TextStage::Final).then_some(TextEnd {
        status,
        error_code,
        at,
    })
}
