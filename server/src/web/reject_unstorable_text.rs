//! Rejects text that the store can't hold, anywhere in a request: path, query, form.

use std::borrow::Cow;

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use dewy_domain::{caller::Persona, sentence::Sentence, storable_text, tool_answer::ToolError};
use dewy_languages::Language;
use http::{StatusCode, Uri};
use serde_json::Value;
use url::form_urlencoded;

use super::refusal_language;
use crate::tool_calls::{json_rpc_error::json_rpc_error, tool_response::answered};

/// Rejects a request whose URL can't be stored, naming the field.
pub async fn reject_unstorable_url(request: Request, next: Next) -> Response {
    let Some(field) = in_address(request.uri()) else {
        return next.run(request).await;
    };
    if request.uri().path().starts_with("/api/") {
        let message = format!("{field} {}", storable_text::UNSTORABLE);
        let error = ToolError::problem(field, message);
        return answered(&error.into(), Persona::Guest);
    }
    if request.uri().path().starts_with("/mcp") {
        let words = format!("{field} {}", storable_text::UNSTORABLE);
        return json_rpc_error(StatusCode::BAD_REQUEST, &Value::Null, -32600, &words);
    }
    refusal(&field, refusal_language::language(&request))
}

/// Error response for a person.
pub fn refusal(field: &str, language: Language) -> Response {
    let words = Sentence::named("problem", storable_text::UNSTORABLE);
    let words = words.told(|_| None, |id, values| language.translation(id, values));
    (StatusCode::BAD_REQUEST, format!("{field} {words}\n")).into_response()
}

fn in_address(uri: &Uri) -> Option<String> {
    // In a path only this can decode to it.
    if uri.path().contains("%00") {
        return Some("path".to_owned());
    }
    in_pairs(uri.query().unwrap_or_default().as_bytes())
}

/// First field of a query or a form that can't be stored.
pub fn in_pairs(encoded: &[u8]) -> Option<String> {
    let bad = |text: &Cow<'_, str>| !storable_text::is_storable(text);
    form_urlencoded::parse(encoded)
        .find(|(name, value)| bad(name) || bad(value))
        .map(|(name, _)| storable_text::storable(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unstorable_fields_are_named() {
        let found = |uri: &str| in_address(&uri.parse().unwrap());
        assert_eq!(found("/staff/payments?q=a%00b&r=1").as_deref(), Some("q"));
        assert_eq!(
            found("/staff/payments?q%00=b").as_deref(),
            Some("q\u{fffd}")
        );
        assert_eq!(found("/execution/exe_%00").as_deref(), Some("path"));
        assert_eq!(found("/staff/payments?q=%2500&r=%F0%9F%9B%8F%ff"), None);
        assert_eq!(in_pairs(b"email=a%00%40b&code=1").as_deref(), Some("email"));
        assert_eq!(in_pairs(b"words=two+lines%0D%0A%09"), None);
    }
}
