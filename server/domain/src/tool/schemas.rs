//! JSON schemas of a tool, derived from its entry.

use serde_json::{Value, json};

use super::{Field, Source, Tool, known_or_named_guest};
use crate::caller::Persona;

impl Tool {
    /// Input schema for this persona over MCP and REST: a plain object without additional
    /// properties. For guests, fields the session knows are optional; `idempotency_token` is a
    /// field of writing tools.
    #[must_use]
    pub fn input_schema(&self, persona: Persona) -> Value {
        let mut schema = self.schema_of(persona, |source| {
            !matches!(source, Source::Form | Source::Consent)
        });
        if self.writes {
            schema["properties"]["idempotency_token"] = json!({
                "type": "string", "minLength": 1, "maxLength": 255,
                "description": "Unique per request; never acts twice."
            });
            if let Some(required) = schema["required"].as_array_mut() {
                required.push("idempotency_token".into());
            }
        }
        schema
    }

    /// Schema of the input that the dispatcher takes, beside a token.
    #[must_use]
    pub fn dispatch_schema(&self, persona: Persona) -> Value {
        self.schema_of(persona, |_| true)
    }

    fn schema_of(&self, persona: Persona, has: impl Fn(Source) -> bool) -> Value {
        let mut properties = serde_json::Map::new();
        let mut required = Vec::new();
        for field in self.fields(persona).filter(|field| has(field.source)) {
            properties.insert(field.name.to_owned(), field.schema.clone());
            if field.is_required(persona) {
                required.push(field.name);
            }
        }
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }

    /// Input schema for the model in chat. It never lets the model choose the caller, the amount,
    /// the card or the token.
    #[must_use]
    pub fn chat_schema(&self, persona: Persona) -> Value {
        let mut schema = self.input_schema(persona);
        let ours = |field: &&Field| match field.source {
            Source::Words | Source::Calendar | Source::Contact => false,
            Source::Session => persona == Persona::Guest,
            Source::Header | Source::Card | Source::Folio | Source::Form | Source::Consent => true,
        };
        let gone: Vec<&str> = self
            .input
            .iter()
            .filter(ours)
            .map(|field| field.name)
            .chain(["idempotency_token"])
            .collect();
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.retain(|name, _| !gone.contains(&name.as_str()));
        }
        if let Some(required) = schema["required"].as_array_mut() {
            required.retain(|name| !name.as_str().is_some_and(|name| gone.contains(&name)));
            // In chat every guest has an email: the model would rather leave it out than ask
            if persona == Persona::Staff && self.rules.contains(&known_or_named_guest()) {
                let named = ["guest_email", "guest_first_name", "guest_last_name"];
                required.splice(0..0, named.map(Value::from));
            }
        }
        schema
    }

    /// Schema of the whole answer: one flat object in which only `success` is always present.
    #[must_use]
    pub fn output_schema(&self) -> Value {
        let mut properties = json!({
            "success": { "type": "boolean" },
            "data": self.output,
            "error_code": { "type": "string" },
            "error_message": { "type": "string" },
            "next": { "type": "string", "description": "What to do now." },
            "retry_safe": { "type": "boolean" },
            "details": { "type": "object" }
        });
        if self.writes {
            properties["execution_id"] = json!({ "type": "string" });
            properties["replayed"] = json!({ "type": "boolean" });
            properties["pending"] = json!({
                "type": "object",
                "description": "Not finished yet: call get_execution after poll_after_ms. If next_action_url is present, a person must open it.",
                "properties": {
                    "execution_id": { "type": "string" }, "poll_after_ms": { "type": "integer" },
                    "next_action_url": { "type": "string" }, "note": { "type": "string" }
                }
            });
        }
        json!({ "type": "object", "properties": properties, "required": ["success"] })
    }
}
