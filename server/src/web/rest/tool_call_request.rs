//! Request as a tool call.

use dewy_domain::{
    caller::Caller,
    tool::ToolCall,
    tool_answer::{Problem, ToolError},
    tool_catalog,
};
use http::{HeaderMap, HeaderName};
use serde_json::{Map, Value};

use crate::tool_calls::repeated_field::repeated_field;

/// Header that may carry the token.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Canonical spelling of the header.
const KEY: &str = "Idempotency-Key";
/// Name of the body field.
const TOKEN: &str = "idempotency_token";

/// Parses the request. The dispatcher handles unknown tools, so that they appear in the audit log.
pub fn tool_call(
    caller: &Caller,
    name: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<ToolCall, ToolError> {
    let mut input = input(body)?;
    // Only a writing tool has a token; a read may have an ordinary field of that name.
    let writes = tool_catalog::find(caller, name).is_some_and(|tool| tool.writes);
    let idempotency_token = if writes {
        token(headers, &mut input)?
    } else {
        None
    };
    Ok(ToolCall {
        tool: name.to_owned(),
        input: Value::Object(input),
        idempotency_token,
        wait: None,
    })
}

fn input(body: &[u8]) -> Result<Map<String, Value>, ToolError> {
    if body.is_empty() {
        return Ok(Map::new());
    }
    if let Some(name) = repeated_field(body) {
        let words = format!("{name} was sent twice; send it once.");
        return Err(fault(&[(name.as_str(), words)]));
    }
    match serde_json::from_slice(body) {
        Ok(Value::Object(input)) => Ok(input),
        Ok(_) => Err(fault(&[("", "The body must be a JSON object.".to_owned())])),
        Err(error) => Err(fault(&[("", format!("The body is not JSON: {error}."))])),
    }
}

/// The caller's token from the body or the header; if both are present, they must be equal.
fn token(headers: &HeaderMap, input: &mut Map<String, Value>) -> Result<Option<String>, ToolError> {
    let in_body = match input.remove(TOKEN) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text),
        Some(_) => {
            return Err(fault(&[(
                TOKEN,
                format!("{TOKEN} must be text of 1 to 255 characters."),
            )]));
        }
    };
    let mut in_header = None;
    for value in headers.get_all(IDEMPOTENCY_KEY) {
        let Ok(text) = value.to_str() else {
            return Err(fault(&[(KEY, format!("{KEY} must be plain ASCII."))]));
        };
        if in_header.replace(text).is_some_and(|before| before != text) {
            return Err(fault(&[(
                KEY,
                format!("{KEY} was sent twice with different values."),
            )]));
        }
    }
    match (in_body, in_header) {
        (Some(body), Some(header)) if body != header => {
            let words = format!(
                "{TOKEN} and the header {KEY} differ; send only one of them, or the same value in both."
            );
            Err(fault(&[(TOKEN, words.clone()), (KEY, words)]))
        }
        (Some(body), _) => Ok(Some(body)),
        (None, header) => Ok(header.map(str::to_owned)),
    }
}

fn fault(problems: &[(&str, String)]) -> ToolError {
    let problem = |(field, message): &(&str, String)| Problem {
        field: (*field).to_owned(),
        message: message.clone(),
    };
    ToolError::problems(&problems.iter().map(problem).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use dewy_domain::caller::Interface;
    use serde_json::json;

    use super::*;

    fn read(tool: &str, keys: &[&str], body: &str) -> Result<ToolCall, Vec<String>> {
        let mut headers = HeaderMap::new();
        for key in keys {
            headers.append(IDEMPOTENCY_KEY, key.parse().unwrap());
        }
        let beth = Caller::guest("beth@email.com", Interface::Rest);
        tool_call(&beth, tool, &headers, body.as_bytes()).map_err(|error| {
            let problems = error.details["problems"].as_array().unwrap().clone();
            problems
                .iter()
                .map(|p| p["field"].as_str().unwrap().to_owned())
                .collect()
        })
    }

    #[test]
    fn the_token_is_accepted_in_header_or_body() {
        let pay = "process_guest_checkout";
        for (keys, body, token) in [
            (&["a"][..], "{\"amount\":1}", Some("a")),
            (&[], "{\"amount\":1,\"idempotency_token\":\"b\"}", Some("b")),
            (
                &["c", "c"],
                "{\"amount\":1,\"idempotency_token\":\"c\"}",
                Some("c"),
            ),
            (&[], "{\"amount\":1}", None),
        ] {
            let call = read(pay, keys, body).unwrap();
            assert_eq!(call.idempotency_token.as_deref(), token);
            assert_eq!(call.input, json!({ "amount": 1 }));
        }
        let both = ["idempotency_token", "Idempotency-Key"]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(
            read(pay, &["a"], "{\"idempotency_token\":\"b\"}"),
            Err(both)
        );
        assert_eq!(
            read(pay, &["a", "b"], "{}"),
            Err(vec!["Idempotency-Key".to_owned()])
        );
        assert_eq!(
            read(pay, &[], "{\"idempotency_token\":7}"),
            Err(vec!["idempotency_token".to_owned()])
        );
        // A read may have its own field of that name.
        let asked = read("get_execution", &["a"], "{\"idempotency_token\":\"b\"}").unwrap();
        assert_eq!(
            (asked.idempotency_token, asked.input),
            (None, json!({ "idempotency_token": "b" }))
        );
    }

    #[test]
    fn non_object_bodies_are_refused() {
        for body in ["[]", "7", "null", "{", "{} {}", "\u{feff}{}"] {
            assert_eq!(
                read("get_folio", &[], body),
                Err(vec![String::new()]),
                "{body}"
            );
        }
        assert_eq!(read("get_folio", &[], "").unwrap().input, json!({}));
        let twice = r#"{"room_number": "302", "amount": 100, "room_number": "304"}"#;
        assert_eq!(
            read("post_charge", &[], twice),
            Err(vec!["room_number".to_owned()])
        );
    }
}
