//! Fingerprints that show whether two inputs of a tool are the same request, regardless of how they
//! are written.

use std::collections::BTreeMap;

use dewy_domain::{
    caller::{Caller, Persona},
    tool::{Source, Tool},
};
use jiff::civil::Date;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// Hash over the tool and its checked input. The order of keys does not matter, nor whether a
/// default, or a guest's own email, is given explicitly. Implied values are left out instead of
/// filled in, so that a release that adds a field or a default still recognizes the requests of the
/// release before.
///
/// With `today`, that date is implied too in fields that default to it: two requests under one
/// token are compared with the day of the first. The stored hash depends on no day, so that a
/// request that is repeated after midnight stays the same.
pub(crate) fn fingerprint(
    tool: &Tool,
    caller: &Caller,
    input: &Value,
    today: Option<Date>,
) -> String {
    let mut hash = Sha256::new();
    hash.update(tool.name.as_bytes());
    hash.update([0]);
    hash.update(canonical(&canonical_input(tool, caller, input, today)).as_bytes());
    hex::encode(hash.finalize())
}

/// The input without implied values and without what the dispatcher adds (`_by`).
fn canonical_input(tool: &Tool, caller: &Caller, input: &Value, today: Option<Date>) -> Value {
    let today = today.map(|day| json!(day));
    let implied = |name: &str, value: &Value| {
        name.starts_with('_')
            || tool
                .fields(caller.persona)
                .filter(|field| field.name == name)
                .any(|field| {
                    field.schema.get("default") == Some(value)
                        || (field.source == Source::Calendar && today.as_ref() == Some(value))
                        || (caller.persona == Persona::Guest
                            && field.source == Source::Session
                            && value.as_str() == Some(caller.email.as_str()))
                })
    };
    let fields = input.as_object().into_iter().flatten();
    let kept = fields.filter(|(name, value)| !implied(name, value));
    Value::Object(
        kept.map(|(name, value)| (name.clone(), value.clone()))
            .collect::<Map<_, _>>(),
    )
}

fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let sorted: BTreeMap<_, _> = map.iter().collect();
            let parts: Vec<_> = sorted
                .iter()
                .map(|(k, v)| format!("{}:{}", json!(k), canonical(v)))
                .collect();
            format!("{{{}}}", parts.join(","))
        }
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(canonical).collect::<Vec<_>>().join(",")
        ),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::{caller::Interface, tool_catalog};

    use super::*;

    fn of(tool: &str, input: &Value) -> String {
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Mcp);
        fingerprint(
            tool_catalog::find(&guest, tool).unwrap(),
            &guest,
            input,
            None,
        )
    }

    #[test]
    fn spelling_variants_are_the_same_request() {
        let request = "submit_guest_service_request";
        let plain = of(
            request,
            &json!({ "type": "Housekeeping", "description": "Towels" }),
        );
        for same in [
            json!({ "description": "Towels", "type": "Housekeeping" }),
            json!({ "description": "Towels", "type": "Housekeeping", "priority": "Medium" }),
            json!({ "description": "Towels", "type": "Housekeeping", "guest_email": "beth.gibbs@email.com" }),
            json!({ "description": "Towels", "type": "Housekeeping", "_by": { "key": "guest:beth.gibbs@email.com" } }),
        ] {
            assert_eq!(of(request, &same), plain, "{same}");
        }
        for other in [
            json!({ "type": "Housekeeping", "description": "Towels", "priority": "High" }),
            json!({ "type": "Housekeeping", "description": "towels" }),
            json!({ "type": "Housekeeping", "description": "Towels", "room_number": "302" }),
        ] {
            assert_ne!(of(request, &other), plain, "{other}");
        }
    }

    #[test]
    fn requests_of_earlier_releases_are_recognized() {
        // Recorded from the first release, for an input without implied values.
        let expected = hex::encode(Sha256::digest(
            b"submit_guest_service_request\0{\"description\":\"Towels\",\"type\":\"Housekeeping\"}",
        ));
        assert_eq!(
            of(
                "submit_guest_service_request",
                &json!({ "type": "Housekeeping", "description": "Towels" })
            ),
            expected
        );
    }
}
