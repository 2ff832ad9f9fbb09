//! Validates a message before it is parsed: media type, size, complete arrival, and that it is one
//! JSON object.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, Method, StatusCode, header};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, value::RawValue};

use super::{BODY_LIMIT, accepted_formats::Accepted};
use crate::tool_calls::{json_rpc_error::json_rpc_error, repeated_field::repeated_field};

/// Maximum time for a body to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// Answers with JSON-RPC errors where rmcp would answer in plain text. With `sessions`, rmcp has a GET
/// stream, and sessions are deleted.
pub async fn validate(State(sessions): State<bool>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        if sessions {
            return next.run(request).await;
        }
        let words = "send each message with POST: this server has no sessions and no GET stream";
        let refusal = refuse(StatusCode::METHOD_NOT_ALLOWED, -32600, words);
        return ([(header::ALLOW, "POST")], refusal).into_response();
    }
    let accepted = Accepted::of(request.headers());
    let answer = match read(request, accepted).await {
        Ok((request, id)) => in_json(next.run(request).await, id).await,
        Err(refusal) => refusal,
    };
    accepted.convert(answer).await
}

/// Request with its whole body and the message's id, or the error response.
async fn read(request: Request, accepted: Accepted) -> Result<(Request, Value), Response> {
    let (mut parts, body) = request.into_parts();
    let content_type = parts
        .headers
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok())
        .unwrap_or_default();
    if !content_type
        .split(';')
        .next()
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    {
        return Err(refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            -32600,
            "send Content-Type: application/json",
        ));
    }
    if accepted == Accepted::Neither {
        let words = "accept application/json or text/event-stream";
        return Err(refuse(StatusCode::NOT_ACCEPTABLE, -32600, words));
    }
    let declared = parts
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > BODY_LIMIT) {
        return Err(too_large());
    }
    let bytes = match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(bytes)) => bytes,
        // `to_bytes` adds only the limit error; if the body broke off, there is nobody to answer.
        Ok(Err(_)) => return Err(too_large()),
        Err(_) => {
            return Err(refuse(
                StatusCode::REQUEST_TIMEOUT,
                -32600,
                "the body did not arrive in time",
            ));
        }
    };
    // Checks only the form; rmcp parses the content once.
    let id = match serde_json::from_slice::<&RawValue>(&bytes) {
        Ok(message) if message.get().starts_with('{') => envelope(message)
            .map_err(|(id, words)| json_rpc_error(StatusCode::BAD_REQUEST, &id, -32600, words))?,
        Ok(_) => {
            let words = "send one JSON-RPC message as an object; batches are not supported";
            return Err(refuse(StatusCode::BAD_REQUEST, -32600, words));
        }
        Err(_) => {
            return Err(refuse(
                StatusCode::BAD_REQUEST,
                -32700,
                "the body is not JSON",
            ));
        }
    };
    if let Some(name) = repeated_field(&bytes) {
        let words = format!("{name} was sent twice; send it once");
        return Err(json_rpc_error(StatusCode::BAD_REQUEST, &id, -32600, &words));
    }
    // rmcp requires both formats by name.
    parts.headers.insert(
        header::ACCEPT,
        HeaderValue::from_static("application/json, text/event-stream"),
    );
    parts.extensions.insert(accepted);
    Ok((Request::from_parts(parts, Body::from(bytes)), id))
}

/// Fields that make an object a message.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// Deserializes a field that is present, `null` included.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Id of the message, null if it has none; or the reason why it isn't a message.
fn envelope(message: &RawValue) -> Result<Value, (Value, &'static str)> {
    let broken = |_| {
        (
            Value::Null,
            "the message is not a JSON-RPC 2.0 message: each field may occur once",
        )
    };
    let found: Envelope<'_> = serde_json::from_str(message.get()).map_err(broken)?;
    let id = match found.id.map(|id| serde_json::from_str::<Value>(id.get())) {
        None => Value::Null,
        Some(Ok(id)) if id.is_string() || id.is_i64() || id.is_u64() => id,
        Some(_) => return Err((Value::Null, "id must be a string or an integer")),
    };
    let begins = |field: Option<&RawValue>, with: char| {
        field.is_none_or(|field| field.get().starts_with(with))
    };
    if found
        .jsonrpc
        .is_none_or(|version| version.get() != "\"2.0\"")
    {
        return Err((id, "jsonrpc must be \"2.0\""));
    }
    if !begins(found.method, '"') {
        return Err((id, "method must be a string"));
    }
    if found.method.is_some() && !begins(found.params, '{') && !begins(found.params, 'n') {
        return Err((id, "params must be an object"));
    }
    Ok(id)
}

/// Converts rmcp's plain-text refusals to JSON-RPC: a message it could not read is a bad request,
/// not a bad media type.
async fn in_json(response: Response, id: Value) -> Response {
    let kind = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    if !response.status().is_client_error()
        || kind.is_some_and(|kind| kind.starts_with("application/json"))
    {
        return response;
    }
    let (parts, body) = response.into_parts();
    if parts.status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return json_rpc_error(
            StatusCode::BAD_REQUEST,
            &id,
            -32600,
            "the message is not a JSON-RPC request of this protocol",
        );
    }
    let words = to_bytes(body, BODY_LIMIT).await.unwrap_or_default();
    let words = String::from_utf8_lossy(&words);
    let words = if words.is_empty() {
        parts.status.canonical_reason().unwrap_or("refused")
    } else {
        &words
    };
    let mut answer = json_rpc_error(parts.status, &id, -32600, words);
    for (name, value) in parts
        .headers
        .iter()
        .filter(|(name, _)| !matches!(**name, header::CONTENT_TYPE | header::CONTENT_LENGTH))
    {
        answer.headers_mut().insert(name, value.clone());
    }
    answer
}

fn too_large() -> Response {
    refuse(
        StatusCode::PAYLOAD_TOO_LARGE,
        -32600,
        "the body is larger than 256 KiB",
    )
}

/// JSON-RPC error response without the id of a message.
pub(super) fn refuse(status: StatusCode, code: i64, message: &str) -> Response {
    json_rpc_error(status, &Value::Null, code, message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(message: &str) -> Result<Value, (Value, &'static str)> {
        envelope(serde_json::from_str(message).unwrap())
    }

    #[test]
    fn only_json_rpc_messages_are_accepted() {
        assert_eq!(
            of(r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#),
            Ok(json!(7))
        );
        assert_eq!(
            of(r#"{"jsonrpc":"2.0","id":"a","method":"x","params":{}}"#),
            Ok(json!("a"))
        );
        assert_eq!(
            of(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
            Ok(Value::Null)
        );
        assert_eq!(of(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Ok(json!(1)));
        for (message, id) in [
            ("{}", Value::Null),
            (r#"{"id":3,"method":"tools/list"}"#, json!(3)),
            (
                r#"{"jsonrpc":"1.0","id":3,"method":"tools/list"}"#,
                json!(3),
            ),
            (r#"{"jsonrpc":"2.0","id":3,"method":5}"#, json!(3)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, Value::Null),
            (r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#, Value::Null),
            (
                r#"{"jsonrpc":"2.0","id":3,"method":"x","params":[1]}"#,
                json!(3),
            ),
            (
                r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":3,"method":"x"}"#,
                Value::Null,
            ),
        ] {
            assert_eq!(of(message).map_err(|(id, _)| id), Err(id), "{message}");
        }
    }
}
