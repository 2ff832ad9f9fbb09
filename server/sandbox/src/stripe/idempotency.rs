//! Idempotency table: keeps the first response of a key for at least 24 hours.

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::error_body::Refusal;
use super::{Call, Stripe, form_encoding};

const KEY_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
const TABLE: &str = "_idempotency";

/// Fingerprint bound to a key: endpoint and parameters, independent of their order or spelling.
#[must_use]
pub fn fingerprint(request: &HttpRequest) -> String {
    let path = super::route::path(&request.url);
    format!(
        "{} {path} {}",
        request.method,
        sorted(Value::Object(form_encoding::decode(&request.body)))
    )
}

/// The order of keys must not depend on how `serde_json` was built.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<(String, Value)> = map
                .into_iter()
                .map(|(name, inner)| (name, sorted(inner)))
                .collect();
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(pairs.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

impl Stripe {
    /// Stored response of a key, or the reason why it can't be used for this request.
    pub(super) fn remembered(
        &mut self,
        key: &str,
        print: &str,
        now: Timestamp,
    ) -> Option<Result<HttpResponse, Refusal>> {
        let entry = self.ledger.get(TABLE, key)?;
        let stored: Timestamp = entry["stored"].as_str()?.parse().ok()?;
        if now.duration_since(stored) >= KEY_LIFETIME {
            self.ledger.remove(TABLE, key);
            return None;
        }
        if entry["print"] != print {
            return Some(Err(Refusal::other_parameters(key)));
        }
        let mut headers = vec![
            ("idempotent-replayed".to_owned(), "true".to_owned()),
            (
                "original-request".to_owned(),
                entry["request"].as_str().unwrap_or_default().to_owned(),
            ),
        ];
        if let Some(retry) = entry["retry"].as_str() {
            headers.push(("stripe-should-retry".to_owned(), retry.to_owned()));
        }
        let status = entry["status"]
            .as_u64()
            .and_then(|code| u16::try_from(code).ok())
            .unwrap_or(500);
        let body = entry["body"]
            .as_str()
            .unwrap_or_default()
            .as_bytes()
            .to_vec();
        Some(Ok(HttpResponse {
            status,
            headers,
            body,
        }))
    }

    /// Stores the first response of a key.
    pub(super) fn remember(
        &mut self,
        key: &str,
        print: &str,
        response: &HttpResponse,
        call: &Call,
    ) {
        self.ledger.put(
            TABLE,
            json!({
                "id": key,
                "print": print,
                "status": response.status,
                "body": String::from_utf8_lossy(&response.body),
                "retry": response.header("stripe-should-retry"),
                "request": call.request_id,
                "stored": call.now.to_string(),
            }),
        );
    }
}
