//! Webhook endpoints and their subscriptions.

use serde_json::{Map, Value, json};

use super::error_body::Refusal;
use super::params::Params;
use super::vendor_params;
use super::{API_VERSION, Call, Stripe};

const TABLE: &str = "webhook_endpoints";

impl Stripe {
    pub(super) fn create_webhook_endpoint(
        &mut self,
        params: &Params,
        call: &Call,
    ) -> Result<Value, Refusal> {
        params.only("url enabled_events api_version description metadata connect")?;
        let url = params
            .text("url")?
            .ok_or_else(|| Refusal::needs("url"))?
            .to_owned();
        if url::Url::parse(&url).is_err() {
            return Err(
                Refusal::invalid("Invalid URL: URL must be publicly accessible.")
                    .code("url_invalid")
                    .param("url"),
            );
        }
        let kinds = match params.0.get("enabled_events") {
            Some(Value::Array(kinds)) if !kinds.is_empty() => kinds.clone(),
            _ => return Err(Refusal::needs("enabled_events")),
        };
        for (place, kind) in kinds.iter().enumerate() {
            if !kind.as_str().is_some_and(vendor_params::is_event) {
                let param = format!("enabled_events[{place}]");
                let message = format!("Invalid {param}: there is no event {kind}");
                return Err(Refusal::invalid(message).param(&param));
            }
        }
        let mut metadata = Map::new();
        params.merge_metadata(&mut metadata)?;
        let id = self.ledger.id("we_1", 23);
        let secret = self.ledger.id("whsec_", 32);
        let seq = self.ledger.next();
        let endpoint = json!({
            "id": id, "object": "webhook_endpoint", "api_version": params.text("api_version")?.unwrap_or(API_VERSION),
            "application": null, "created": call.now.as_second(), "description": params.text("description")?,
            "enabled_events": kinds, "livemode": false, "metadata": metadata, "status": "enabled", "url": url,
            "_secret": secret, "_seq": seq,
        });
        let mut answer = endpoint.clone();
        self.ledger.put(TABLE, endpoint);
        // Only this response ever contains it.
        answer["secret"] = json!(secret);
        Ok(answer)
    }

    pub(super) fn delete_webhook_endpoint(&mut self, id: &str) -> Result<Value, Refusal> {
        self.ledger
            .remove(TABLE, id)
            .ok_or_else(|| Refusal::not_found("webhook endpoint", id))?;
        Ok(json!({"id": id, "object": "webhook_endpoint", "deleted": true}))
    }

    /// Endpoints, to be kept across a reset.
    pub(crate) fn endpoints(&self) -> Vec<Value> {
        self.ledger.all(TABLE).cloned().collect()
    }

    /// Restores endpoints after a reset.
    pub(crate) fn keep_endpoints(&mut self, endpoints: Vec<Value>, before: &Self) {
        // Ids are never reused: callers remember payments and endpoints from before the reset.
        self.ledger.skip_to(&before.ledger);
        for endpoint in endpoints {
            self.ledger.put(TABLE, endpoint);
        }
    }
}
