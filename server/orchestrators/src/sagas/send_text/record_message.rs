//! Records the message in the CRM under its sid, which is unique, so resending creates one row.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    ports::{Crm, SentTextRecord},
    vocabulary::FaultCode,
};
use dewy_saga::{Activity, Context, Fault, Outcome, Plan, Request};
use serde_json::json;

use super::{Noted, sent, to};
use crate::saga_parts::{engine_conversions, settings::Settings};

pub(super) struct Note {
    pub crm: Arc<dyn Crm>,
    pub settings: Settings,
}

#[async_trait]
impl Activity for Note {
    type Output = Noted;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(sent) = sent(&cx) else {
            return Some(Plan::Skip(json!({ "note": "nothing was sent" })));
        };
        let note = SentTextRecord {
            to: to(&cx).unwrap_or_default(),
            body: sent.body,
            status: status(&sent.status).to_owned(),
            at: sent.at,
            opportunity_id: None,
            sid: sent.sid,
        };
        let call = self.crm.record_text(&note);
        Some(Plan::Send(engine_conversions::request(
            &call,
            self.settings.salesforce_deadline,
            json!({ "id": note.sid }),
        )))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<Noted> {
        let written = || engine_conversions::stored_with_call(request).unwrap_or_default();
        let send = |call| async move { self.crm.send_record_text(&call).await };
        match engine_conversions::send(request, send).await {
            // An earlier delivery created the row.
            Outcome::Refused(fault) if fault.code == FaultCode::Duplicate => {
                Outcome::Done(written())
            }
            // An org may not store messages; the guest has theirs.
            Outcome::Refused(fault) => Outcome::Done(Noted {
                note: Some(format!("not written down: {}", fault.code)),
                id: None,
            }),
            sent => sent.and_then(|()| Outcome::Done(written())),
        }
    }

    /// A refusal of a repetition applies to the first request as well: an existing row is reported
    /// as such.
    fn is_replayed_refusal(&self, _: &Fault) -> bool {
        true
    }
}

/// Maps the carrier's status to the CRM's.
fn status(carrier: &str) -> &'static str {
    match carrier {
        "delivered" => "Delivered",
        "undelivered" => "Undelivered",
        "failed" => "Failed",
        "sent" | "sending" => "Sent",
        _ => "Queued",
    }
}
