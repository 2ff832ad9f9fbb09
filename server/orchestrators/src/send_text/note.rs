//! The message written down in the CRM, by its sid: the same upsert however often.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    call::Reply,
    ports::{Crm, TextNote},
};
use dewy_saga::{Activity, Context, Fault, Outcome, Plan, Request};
use serde_json::json;

use super::sent;
use crate::{bridge, settings::Settings};

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
        let to = cx.progress.facts.as_ref().map(|f| f["to"].clone());
        let deadline_ms = u64::try_from(self.settings.salesforce_deadline.as_millis()).unwrap_or(u64::MAX);
        let payload =
            json!({ "sid": sent.sid, "to": to, "body": sent.body, "status": status(&sent.status), "at": sent.at });
        Some(Plan::Send(Request { key: Some(sent.sid), deadline_ms, payload }))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome {
        let text = |name: &str| request.payload[name].as_str().unwrap_or_default().to_owned();
        let Some(at) = bridge::read(&request.payload["at"]) else {
            return Outcome::Refused { fault: Fault::new("unreadable_journal", "the message's time cannot be read") };
        };
        let note = TextNote {
            sid: text("sid"),
            to: text("to"),
            body: text("body"),
            status: text("status"),
            at,
            opportunity_id: None,
        };
        match self.crm.note_text(&note).await {
            // An org may keep no messages; the guest has theirs.
            Reply::Refused(trouble) => {
                Outcome::Done { value: json!({ "note": format!("not written down: {}", trouble.code) }) }
            }
            other => bridge::outcome(other, |()| Outcome::Done { value: json!({ "id": note.sid }) }),
        }
    }

    /// An upsert says of itself what it said of its repetition.
    fn speaks_of_all(&self, _: &Fault) -> bool {
        true
    }
}

/// The carrier's status in the CRM's words.
fn status(carrier: &str) -> &'static str {
    match carrier {
        "delivered" => "Delivered",
        "undelivered" => "Undelivered",
        "failed" => "Failed",
        "sent" | "sending" => "Sent",
        _ => "Queued",
    }
}
