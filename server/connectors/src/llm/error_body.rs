//! What a server says when it refuses: OpenAI's `{"error": {message, param, code}}` and the other
//! forms that servers and proxies have, down to a web page and nothing at all.

use std::time::Duration;

use dewy_domain::ports::ModelError;
use serde_json::Value;

/// Maximum length of a reason, in characters.
const MAX_REASON: usize = 300;
/// Depth to which errors within errors are read.
const MAX_DEPTH: u8 = 6;

/// A refusal, in whatever form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ErrorBody {
    /// The server's words, shortened.
    pub reason: String,
    /// Paths of the members it names: `max_tokens`, `tools[0].strict`.
    pub named: Vec<String>,
    /// Status that the body tells: the only one of an error within a stream.
    status: Option<u16>,
    /// Codes and types: `insufficient_quota`, `rate_limit_error`.
    codes: Vec<String>,
    /// How long to wait.
    after: Option<Duration>,
    /// It is a web page.
    pub is_page: bool,
    /// It has the form of Google's own servers.
    pub is_googles: bool,
}

impl ErrorBody {
    pub(super) fn parse(text: &str) -> Self {
        let mut body = Self::default();
        let trimmed = text.trim();
        let mut reasons = Vec::new();
        match serde_json::from_str::<Value>(trimmed) {
            Ok(value) => {
                let outer = value.get(0).unwrap_or(&value);
                body.is_googles = outer["error"]["status"] == "INVALID_ARGUMENT";
                body.read(&value, &mut reasons, MAX_DEPTH);
            }
            Err(_) if trimmed.starts_with('<') => {
                body.is_page = true;
                let title = between(trimmed, "<title>", "</title>").unwrap_or("a web page");
                reasons.push(format!("web page: {}", title.trim()));
            }
            Err(_) => reasons.push(trimmed.to_owned()),
        }
        reasons.retain(|reason| !reason.is_empty());
        reasons.dedup();
        let words = reasons.join("; ");
        let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
        body.reason = match line.as_str() {
            "" => "no reason was given".to_owned(),
            line => line.chars().take(MAX_REASON).collect(),
        };
        body
    }

    /// Whether a chunk of a stream is an error.
    pub(super) fn is_told_by(chunk: &Value) -> bool {
        let told = |name: &str| chunk.get(name).is_some_and(|error| !is_nothing(error));
        let failed = chunk["type"] == "response.failed" || chunk["status"] == "failed";
        chunk["object"] == "error"
            || chunk["type"] == "error"
            || failed
            || told("error")
            || (told("detail") && !told("choices"))
    }

    fn read(&mut self, value: &Value, reasons: &mut Vec<String>, depth: u8) {
        if depth == 0 {
            return;
        }
        match value {
            Value::String(text) => match serde_json::from_str::<Value>(text) {
                Ok(inner) if inner.is_object() || inner.is_array() => {
                    self.read(&inner, reasons, depth - 1);
                }
                _ => reasons.push(text.clone()),
            },
            Value::Array(items) => {
                for item in items {
                    self.read(item, reasons, depth - 1);
                }
            }
            Value::Object(members) => {
                for name in ["code", "status", "type"] {
                    self.note_code(&members.get(name).cloned().unwrap_or_default());
                }
                self.named.extend(
                    members
                        .get("param")
                        .and_then(Value::as_str)
                        .map(str::to_owned),
                );
                // FastAPI's path: ["body", "max_tokens"]
                let path = members
                    .get("loc")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten();
                let path: Vec<&str> = path
                    .filter_map(Value::as_str)
                    .filter(|part| *part != "body")
                    .collect();
                if !path.is_empty() {
                    self.named.push(path.join("."));
                    reasons.push(path.join("."));
                }
                if let Some(seconds) = members.get("retryDelay").and_then(Value::as_str) {
                    let seconds = seconds.trim_end_matches('s').parse().ok();
                    self.after =
                        seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                }
                for name in [
                    "response", "error", "message", "msg", "detail", "details", "errors",
                    "metadata", "raw",
                ] {
                    if let Some(inner) = members.get(name) {
                        self.read(inner, reasons, depth - 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn note_code(&mut self, code: &Value) {
        let number = code.as_u64().or_else(|| code.as_str()?.parse().ok());
        match (
            number.and_then(|code| u16::try_from(code).ok()),
            code.as_str(),
        ) {
            (Some(status @ 400..=599), _) => self.status = self.status.or(Some(status)),
            (None, Some(name)) => self.codes.push(name.to_lowercase()),
            _ => {}
        }
    }

    /// Whether it names this member of the request, in a path or in its words. An ordinary word
    /// must be quoted there.
    pub(super) fn names(&self, member: &str) -> bool {
        let first = |path: &String| path.split(['.', '[']).next() == Some(member);
        if self.named.iter().any(first) {
            return true;
        }
        let ordinary = !member.contains('_');
        let mut places = self.reason.match_indices(member);
        places.any(|(at, _)| {
            let before = self
                .reason
                .get(..at)
                .and_then(|text| text.chars().next_back());
            let after = self
                .reason
                .get(at + member.len()..)
                .and_then(|text| text.chars().next());
            let quoted = |c: Option<char>| c.is_some_and(|c| "\"'`".contains(c));
            let within = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            match ordinary {
                true => quoted(before) && quoted(after),
                false => !within(before) && !within(after),
            }
        })
    }

    /// The error of a response with this status, which counts before anything in the body.
    pub(super) fn error(&self, status: u16, after: Option<Duration>) -> ModelError {
        let reason = self.reason.clone();
        let after = after.or(self.after);
        match status {
            400 if self.has_code("content_filter") || self.has_code("content_policy_violation") => {
                ModelError::Refused {
                    status: 200,
                    reason,
                }
            }
            429 if self.has_code("insufficient_quota") => ModelError::Refused { status, reason },
            429 | 503 | 529 => ModelError::Busy {
                status,
                reason,
                after,
            },
            408 | 409 | 425 | 500.. => ModelError::Failed { status, reason },
            status => ModelError::Refused { status, reason },
        }
    }

    /// The error of a stream that had begun with status 200.
    pub(super) fn error_in_stream(&self) -> ModelError {
        let any = |codes: &[&str]| codes.iter().any(|code| self.has_code(code));
        let status = self.status.or_else(|| {
            if any(&[
                "rate_limit_exceeded",
                "rate_limit_error",
                "too_many_requests",
                "insufficient_quota",
            ]) {
                Some(429)
            } else if any(&["overloaded_error", "unavailable", "service_unavailable"]) {
                Some(503)
            } else if any(&[
                "server_error",
                "internal_error",
                "internal_server_error",
                "api_error",
            ]) {
                Some(500)
            } else if any(&["invalid_request_error", "invalid_prompt", "badrequesterror"]) {
                Some(400)
            } else {
                None
            }
        });
        match status {
            Some(status) => self.error(status, None),
            None => ModelError::Broken(self.reason.clone()),
        }
    }

    fn has_code(&self, code: &str) -> bool {
        self.codes.iter().any(|known| known == code)
    }
}

/// Whether a member says nothing: beside their answers some servers send empty errors.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(begin)?;
    rest.split_once(end).map(|(inside, _)| inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_an_error_gives_its_reason() {
        for (body, reason) in [
            (
                r#"{"error":{"message":"No such model","type":"x","param":null,"code":"model_not_found"}}"#,
                "No such model",
            ),
            (
                r#"{"error":"model 'x' not found, try pulling it first"}"#,
                "model 'x' not found, try pulling it first",
            ),
            (r#"{"error":"bad","code":400}"#, "bad"),
            (r#"{"detail":"Not Found"}"#, "Not Found"),
            (
                r#"{"detail":[{"loc":["body","user"],"msg":"Extra inputs are not permitted","input":{"a":1}}]}"#,
                "user; Extra inputs are not permitted",
            ),
            (
                r#"{"message":"Unauthorized","request_id":"7"}"#,
                "Unauthorized",
            ),
            (
                r#"{"object":"error","message":"too long","type":"BadRequestError","code":400}"#,
                "too long",
            ),
            (
                r#"{"object":"error","message":{"detail":[{"loc":["body","x"],"msg":"no"}]}}"#,
                "x; no",
            ),
            (
                r#"{"object":"error","message":"{\"detail\":[{\"loc\":[\"body\",\"x\"],\"msg\":\"no\"}]}"}"#,
                "x; no",
            ),
            (
                r#"[{"error":{"code":400,"message":"bad key","status":"INVALID_ARGUMENT"}}]"#,
                "bad key",
            ),
            (
                r#"{"error":{"message":"Provider returned error","metadata":{"raw":"{\"error\":\"full\"}"}}}"#,
                "Provider returned error; full",
            ),
            (
                "<html><head><title>502 Bad Gateway</title></head></html>",
                "web page: 502 Bad Gateway",
            ),
            ("upstream connect error", "upstream connect error"),
            ("", "no reason was given"),
            ("{}", "no reason was given"),
        ] {
            assert_eq!(ErrorBody::parse(body).reason, reason, "{body}");
        }
        assert_eq!(
            ErrorBody::parse(&"x".repeat(10_000)).reason.len(),
            MAX_REASON
        );
    }

    #[test]
    fn members_are_named_in_paths_and_words() {
        let names = |body: &str, member: &str| ErrorBody::parse(body).names(member);
        let detail = r#"{"detail":[{"loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]}"#;
        assert!(names(detail, "max_completion_tokens") && !names(detail, "max_tokens"));
        assert!(names(
            r#"{"error":{"param":"reasoning.effort","message":"no"}}"#,
            "reasoning"
        ));
        assert!(names("Unknown name \"user\": Cannot find field", "user"));
        assert!(!names("the last message must be of a user", "user"));
        assert!(names("max_tokens is too large: 1500", "max_tokens"));
    }

    #[test]
    fn the_status_counts_before_the_body() {
        let body = ErrorBody::parse(
            r#"{"error":{"code":"insufficient_quota","message":"pay","details":[{"retryDelay":"27s"}]}}"#,
        );
        assert!(matches!(
            body.error(429, None),
            ModelError::Refused { status: 429, .. }
        ));
        let after = Some(Duration::from_secs(27));
        assert!(
            matches!(body.error(503, None), ModelError::Busy { after: told, .. } if told == after)
        );
        assert!(matches!(
            body.error(500, None),
            ModelError::Failed { status: 500, .. }
        ));
        assert!(matches!(
            body.error(301, None),
            ModelError::Refused { status: 301, .. }
        ));
        let chunk =
            serde_json::json!({ "error": { "code": 429, "message": "slow" }, "choices": [] });
        assert!(ErrorBody::is_told_by(&chunk));
        let error = ErrorBody::parse(&chunk.to_string()).error_in_stream();
        assert!(matches!(error, ModelError::Busy { status: 429, .. }));
        assert!(!ErrorBody::is_told_by(
            &serde_json::json!({ "choices": [], "error": null })
        ));
    }
}
