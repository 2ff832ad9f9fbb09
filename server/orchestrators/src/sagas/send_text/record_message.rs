//! Records the message in the CRM under its sid, which is unique, so resending creates one row.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    ports::{Crm, SentTextRecord},
    upstream_request::Reply,
    vocabulary::FaultCode,
};
use dewy_saga::{Activity, Context, Fault, Outcome, Plan, Request};
use serde_json::json;

use super::{sent, to};
use crate::saga_parts::{engine_conversions, settings::Settings};

pub(super) struct Note {
    pub crm: Arc<dyn Crm>,
    pub settings: Settings,
}

#[async_trait]
impl Activity for Note {
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

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome {
        let call = match engine_conversions::call(request) {
            Ok(call) => call,
            Err(fault) => return Outcome::Refused { fault },
        };
        match self.crm.send_record_text(&call).await {
            // An earlier delivery created the row.
            Reply::Refused(error) if error.code == FaultCode::Duplicate => Outcome::Done {
                value: engine_conversions::stored_with_call(request).unwrap_or_default(),
            },
            // An org may not store messages; the guest has theirs.
            Reply::Refused(error) => Outcome::Done {
                value: json!({ "note": format!("not written down: {}", error.code) }),
            },
            other => engine_conversions::outcome(other, |()| Outcome::Done {
                value: engine_conversions::stored_with_call(request).unwrap_or_default(),
            }),
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
