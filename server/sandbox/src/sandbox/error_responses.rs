//! Error responses in each system's own format.

use dewy_domain::ports::{HttpRequest, HttpResponse};
use serde_json::{Value, json};

use crate::json_response::with_charset as answer;

const HALTED: &str =
    "The transaction was rolled back since another operation in the same transaction failed.";
const LOCKED: &str = "unable to obtain exclusive access to this record or 1 records";

fn salesforce_error(status: u16, code: &str, message: &str) -> HttpResponse {
    answer(status, &json!([{"message": message, "errorCode": code}]))
}

/// Salesforce's error for an injected `status`.
pub fn salesforce(status: u16) -> HttpResponse {
    match status {
        401 => salesforce_error(401, "INVALID_SESSION_ID", "Session expired or invalid"),
        403 => request_limit(),
        404 => salesforce_error(404, "NOT_FOUND", "The requested resource does not exist"),
        412 => salesforce_error(412, "PRECONDITION_FAILED", "The precondition failed"),
        503 => salesforce_error(
            503,
            "SERVER_UNAVAILABLE",
            "We are temporarily unavailable. Try again in a little while.",
        ),
        500.. => salesforce_error(
            status,
            "UNKNOWN_EXCEPTION",
            "An unexpected error occurred. Please include this ErrorId if you contact support: 1036809274-97362",
        ),
        _ => salesforce_error(
            status,
            "INVALID_FIELD",
            "The request could not be understood",
        ),
    }
}

/// The token endpoint's error for an injected `status`: OAuth's format, in which 400 may be
/// temporary.
pub fn salesforce_token(status: u16) -> HttpResponse {
    match status {
        400 => answer(
            400,
            &json!({"error": "unknown_error", "error_description": "retry your request"}),
        ),
        401 => answer(
            401,
            &json!({"error": "invalid_client", "error_description": "invalid client credentials"}),
        ),
        other => salesforce(other),
    }
}

/// The daily call limit is exhausted.
pub fn request_limit() -> HttpResponse {
    let mut response = salesforce_error(
        403,
        "REQUEST_LIMIT_EXCEEDED",
        "TotalRequests Limit exceeded.",
    );
    response.headers.push((
        "sforce-limit-info".to_owned(),
        "api-usage=100000/100000".to_owned(),
    ));
    response
}

/// Row lock error: in a composite only one part has it, and the rest is halted.
pub fn unable_to_lock_row(request: &HttpRequest, composite: bool) -> HttpResponse {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let Some(parts) = body["compositeRequest"].as_array().filter(|_| composite) else {
        return answer(
            400,
            &json!([{"message": LOCKED, "errorCode": "UNABLE_TO_LOCK_ROW", "fields": []}]),
        );
    };
    let victim = parts
        .iter()
        .position(|part| part["method"] != "GET")
        .unwrap_or(0);
    let answers: Vec<Value> = parts
        .iter()
        .enumerate()
        .map(|(place, part)| {
            let (code, message) =
                if place == victim { ("UNABLE_TO_LOCK_ROW", LOCKED) } else { ("PROCESSING_HALTED", HALTED) };
            json!({
                "body": [{"errorCode": code, "message": message}], "httpHeaders": {}, "httpStatusCode": 400,
                "referenceId": part["referenceId"],
            })
        })
        .collect();
    answer(200, &json!({"compositeResponse": answers}))
}

/// Unknown path.
pub fn not_here() -> HttpResponse {
    answer(
        404,
        &json!({"error": {"message": "Not found", "type": "not_found"}}),
    )
}

/// Response with status 200 and a truncated body.
pub fn truncated_body(mut response: HttpResponse) -> HttpResponse {
    response.status = 200;
    response.body.truncate(response.body.len() / 2);
    if response.body.is_empty() {
        response.body.extend_from_slice(b"{\"");
    }
    response
        .headers
        .retain(|(name, _)| name != "content-length");
    response
}

#[cfg(test)]
mod tests {
    use super::{salesforce, truncated_body, unable_to_lock_row};
    use dewy_domain::ports::HttpRequest;
    use serde_json::{Value, json};

    #[test]
    fn a_truncated_body_is_invalid_json() {
        for body in ["", "{}", "{\"a\":1}", "[{\"id\":\"x\"}]"] {
            let response = truncated_body(super::HttpResponse {
                status: 201,
                headers: Vec::new(),
                body: body.into(),
            });
            assert_eq!(response.status, 200);
            assert!(
                serde_json::from_slice::<Value>(&response.body).is_err(),
                "{body}"
            );
        }
    }

    #[test]
    fn a_locked_row_halts_its_composite() {
        let body = json!({"compositeRequest": [{"method": "GET", "referenceId": "q"}, {"method": "PATCH", "referenceId": "b"}]});
        let request = HttpRequest {
            method: "POST".into(),
            url: String::new(),
            headers: Vec::new(),
            body: body.to_string().into(),
        };
        let response = unable_to_lock_row(&request, true);
        let body: Value = serde_json::from_slice(&response.body).unwrap();
        assert_eq!(response.status, 200);
        assert_eq!(
            body["compositeResponse"][0]["body"][0]["errorCode"],
            "PROCESSING_HALTED"
        );
        assert_eq!(
            body["compositeResponse"][1]["body"][0]["errorCode"],
            "UNABLE_TO_LOCK_ROW"
        );
        assert_eq!(body["compositeResponse"][1]["referenceId"], "b");
    }

    #[test]
    fn token_errors_use_oauth_codes() {
        let text = |status| String::from_utf8(super::salesforce_token(status).body).unwrap();
        assert!(text(400).contains("unknown_error") && text(401).contains("invalid_client"));
        assert!(text(503).contains("SERVER_UNAVAILABLE"));
    }

    #[test]
    fn only_503_means_the_system_is_unavailable() {
        let text = |status| String::from_utf8(salesforce(status).body).unwrap();
        assert!(text(503).contains("SERVER_UNAVAILABLE"));
        assert!(!text(500).contains("SERVER_UNAVAILABLE"));
    }
}
