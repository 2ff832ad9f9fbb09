//! Fields left out of responses, because Stripe may drop any field except an object's id.

use dewy_domain::ports::HttpResponse;
use serde_json::{Value, json};

use super::Stripe;

const TABLE: &str = "_omitted";

impl Stripe {
    /// Sets the fields to leave out of every response, each as `object.field`
    /// (`payment_intent.amount_received`).
    pub fn omit(&mut self, fields: &[String]) {
        self.ledger
            .put(TABLE, json!({ "id": "fields", "fields": fields }));
    }

    pub(super) fn omitted(&self) -> Vec<String> {
        let fields = self
            .ledger
            .get(TABLE, "fields")
            .and_then(|row| row["fields"].as_array());
        fields
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    }
}

/// Response without these fields, wherever such an object occurs in it.
pub(super) fn without(mut response: HttpResponse, fields: &[String]) -> HttpResponse {
    if fields.is_empty() {
        return response;
    }
    if let Ok(mut body) = serde_json::from_slice::<Value>(&response.body) {
        prune(&mut body, fields);
        response.body = body.to_string().into_bytes();
    }
    response
}

fn prune(value: &mut Value, fields: &[String]) {
    match value {
        Value::Object(map) => {
            let kind = map
                .get("object")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            let of_kind = fields
                .iter()
                .filter_map(|field| field.split_once('.'))
                .filter(|(of, _)| *of == kind);
            for (_, field) in of_kind {
                map.remove(field);
            }
            map.values_mut().for_each(|inner| prune(inner, fields));
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| prune(inner, fields)),
        _ => {}
    }
}
