//! Texts, and what became of them: what Twilio refuses at once, and what it reports later.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_connectors::{Twilio, twilio::callback::StatusReport};
use dewy_domain::{
    ports::{Clock, SentText, TextEnd, TextMessages, TextRefusals},
    text_refusal::TextRefusal,
    text_status::TextStatus,
    upstream_request::{Call, Outcome},
};
use dewy_saga::StoreError;
use dewy_store::{Store, TextOutcome, TextReport};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;
use url::form_urlencoded;

use crate::config::installation_key::InstallationKey;

/// Texts of one server. The store knows numbers only by keyed hashes.
#[derive(Clone, Debug)]
pub struct TextDelivery {
    /// The carrier.
    pub twilio: Arc<Twilio>,
    pub store: Store,
    /// Key of the hashes.
    pub installation_key: InstallationKey,
    pub clock: Arc<dyn Clock>,
    /// Canceled at shutdown: nobody waits for a text any more.
    pub stopping: CancellationToken,
}

impl TextDelivery {
    /// Notes what was reported about a message; false when it says nothing new.
    ///
    /// # Errors
    /// When the store fails; a repetition does no harm.
    pub async fn note(&self, report: &StatusReport) -> Result<bool, StoreError> {
        let Some(status) = report.status else {
            return Ok(false);
        };
        let new = self
            .store
            .record_text_status(&TextReport {
                sid: Some(&report.sid),
                recipient: &self.recipient(&report.to),
                status,
                error_code: report.error_code,
                at: self.clock.now(),
            })
            .await?;
        if new {
            self.twilio.note_report(status, report.error_code);
            if status.never_arrived() {
                tracing::warn!(
                    sid = report.sid,
                    status = status.name(),
                    code = report.error_code,
                    "a text was not delivered"
                );
            }
        }
        Ok(new)
    }

    /// What is known about a message.
    pub async fn known(&self, sid: &str) -> Option<TextOutcome> {
        self.store.text_status(sid).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the status of a text could not be read");
            None
        })
    }

    /// Asks the carrier about a message to this number.
    pub async fn ask(&self, sid: &str, to: &str) -> Option<TextOutcome> {
        let sent = self.twilio.text_by_sid(sid).await.answered().ok()?;
        let report = StatusReport {
            sid: sent.sid,
            to: to.to_owned(),
            status: TextStatus::named(&sent.status),
            error_code: sent.error_code,
        };
        if let Err(error) = self.note(&report).await {
            tracing::warn!(%error, "the status of a text could not be stored");
        }
        Some((report.status?, report.error_code))
    }

    /// Whether the last text to this number is known not to have arrived.
    pub async fn last_never_arrived(&self, phone: &str) -> bool {
        let last = self.last(phone).await;
        last.is_some_and(|(status, _)| status.never_arrived())
    }

    async fn last(&self, phone: &str) -> Option<TextOutcome> {
        let last = self.store.last_text(&self.recipient(phone)).await;
        last.unwrap_or_else(|error| {
            tracing::warn!(%error, "the last text to a number could not be read");
            None
        })
    }

    fn recipient(&self, phone: &str) -> [u8; 32] {
        let parts = [phone.as_bytes()];
        self.installation_key.hash("recipient of texts", &parts)
    }

    /// Notes a text that was taken, or refused at once: what became of earlier ones counts no more.
    async fn note_sent(
        &self,
        call: &Call,
        sid: Option<&str>,
        status: Option<TextStatus>,
        error_code: Option<u32>,
    ) {
        let Some(status) = status else { return };
        let to = form_urlencoded::parse(call.body.as_bytes()).find(|(name, _)| name == "To");
        let Some((_, to)) = to else { return };
        let report = TextReport {
            sid,
            recipient: &self.recipient(&to),
            status,
            error_code,
            at: self.clock.now(),
        };
        if let Err(error) = self.store.record_text_status(&report).await {
            tracing::warn!(%error, "what became of a text could not be stored");
        }
    }
}

#[async_trait]
impl TextMessages for TextDelivery {
    fn text(&self, to: &str, body: &str, valid_for: Duration) -> Call {
        self.twilio.text(to, body, valid_for)
    }

    async fn send_text(&self, call: &Call) -> Outcome<SentText> {
        let reply = self.twilio.send_text(call).await;
        match &reply {
            Outcome::Done(sent) => {
                let status = TextStatus::named(&sent.status);
                self.note_sent(call, Some(&sent.sid), status, None).await;
            }
            Outcome::Refused(error) => {
                let code = error.code.strip_prefix("twilio_");
                let code = code.and_then(|code| code.parse().ok());
                self.note_sent(call, None, Some(TextStatus::Failed), code)
                    .await;
            }
            _ => {}
        }
        reply
    }

    fn refuses_us(&self) -> bool {
        self.twilio.refuses_us()
    }

    async fn reported_end(&self, sid: &str) -> Option<TextEnd> {
        let end = self.store.text_end(sid).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the end of a text could not be read");
            None
        });
        end.map(|((status, error_code), at)| TextEnd {
            status,
            error_code,
            at,
        })
    }

    async fn text_by_sid(&self, sid: &str) -> Outcome<SentText> {
        self.twilio.text_by_sid(sid).await
    }

    async fn texts_since(&self, to: &str, since: Timestamp) -> Outcome<Vec<SentText>> {
        self.twilio.texts_since(to, since).await
    }
}

#[async_trait]
impl TextRefusals for TextDelivery {
    async fn refusal(&self, phone: &str) -> Option<TextRefusal> {
        let (status, code) = self.last(phone).await?;
        code.filter(|_| status.never_arrived())
            .and_then(TextRefusal::of_code)
    }
}
