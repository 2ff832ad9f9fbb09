//! Error schema, and the errors that an operation can return, with an example of each.

use std::collections::BTreeMap;

use dewy_domain::{
    caller::Persona,
    error_code::ErrorCode,
    tool::Tool,
    tool_answer::{ToolAnswer, ToolError},
};
use serde_json::{Map, Value, json};

/// Errors that any call can return.
const COMMON_ERRORS: [ErrorCode; 14] = [
    ErrorCode::ValidationFailed,
    ErrorCode::NotSignedIn,
    ErrorCode::UnknownTool,
    ErrorCode::MethodNotAllowed,
    ErrorCode::BodyTimeout,
    ErrorCode::TooLarge,
    ErrorCode::UnsupportedMediaType,
    ErrorCode::RateLimited,
    ErrorCode::Internal,
    ErrorCode::UpstreamUnavailable,
    ErrorCode::UpstreamRefused,
    ErrorCode::AccessRefused,
    ErrorCode::FieldHidden,
    ErrorCode::RecordIncomplete,
];

/// Further errors that any writing call can return.
const WRITE_ERRORS: [ErrorCode; 5] = [
    ErrorCode::IdempotencyMismatch,
    ErrorCode::OperationInProgress,
    ErrorCode::NeedsAttention,
    ErrorCode::SettledByStaff,
    ErrorCode::Overloaded,
];

pub fn schema() -> Value {
    let codes: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.code()).collect();
    json!({
        "type": "object",
        "required": ["success", "error_code", "error_message", "next", "retry_safe", "details"],
        "properties": {
            "success": { "type": "boolean", "const": false },
            "error_code": { "type": "string", "enum": codes, "description": "Stable; use it in programs." },
            "error_message": { "type": "string", "description": "For logs and developers." },
            "next": { "type": "string", "description": "What to do now." },
            "retry_safe": { "type": "boolean", "description": "Whether the same request may be sent again." },
            "details": {
                "type": "object",
                "description": "Additional facts. VALIDATION_FAILED lists every problem.",
                "properties": { "problems": { "type": "array", "items": {
                    "type": "object", "required": ["field", "message"],
                    "properties": { "field": { "type": "string" }, "message": { "type": "string" } } } } },
            },
            "execution_id": { "type": "string", "description": "The execution that failed, if one was started." },
            "replayed": { "type": "boolean", "description": "Whether an earlier request with the same token got this answer." },
        },
    })
}

/// Codes that a tool can return to this persona, grouped by status.
pub fn codes(tool: &Tool, persona: Persona) -> BTreeMap<u16, Vec<ErrorCode>> {
    let mut codes = COMMON_ERRORS.to_vec();
    if tool.writes {
        codes.extend(WRITE_ERRORS);
    }
    if persona == Persona::Guest
        && tool
            .fields(persona)
            .any(|field| field.name == "guest_email")
    {
        codes.push(ErrorCode::NotYourStay);
    }
    if persona == Persona::Guest && !tool.writes {
        codes.push(ErrorCode::QuotaReserved);
    }
    codes.extend(tool.errors);
    let mut by_status: BTreeMap<u16, Vec<ErrorCode>> = BTreeMap::new();
    // In the order of the table, without duplicates.
    for code in ErrorCode::ALL.iter().filter(|code| codes.contains(code)) {
        by_status.entry(code.status()).or_default().push(*code);
    }
    by_status
}

/// Examples of all codes with a persona's messages.
pub fn examples(persona: Persona) -> Map<String, Value> {
    ErrorCode::ALL
        .iter()
        .map(|code| (name(persona, *code), example(*code, persona)))
        .collect()
}

fn name(persona: Persona, code: ErrorCode) -> String {
    format!("{}_{}", persona.name(), code.code())
}

pub fn response(status: u16, codes: &[ErrorCode], persona: Persona) -> Value {
    let mut headers = json!({ "X-Request-Id": { "$ref": "#/components/headers/RequestId" } });
    let special = match status {
        401 => Some(("WWW-Authenticate", "Challenge")),
        405 => Some(("Allow", "Allow")),
        429 | 503 => Some(("Retry-After", "RetryAfter")),
        _ => None,
    };
    if let Some((header, name)) = special {
        headers[header] = json!({ "$ref": format!("#/components/headers/{name}") });
    }
    let reference = |code: &ErrorCode| json!({ "$ref": format!("#/components/examples/{}", name(persona, *code)) });
    let examples: Map<String, Value> = codes
        .iter()
        .map(|code| (code.code().to_owned(), reference(code)))
        .collect();
    let codes: Vec<&str> = codes.iter().map(|code| code.code()).collect();
    json!({
        "description": codes.join(", "),
        "headers": headers,
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" }, "examples": examples } },
    })
}

fn example(code: ErrorCode, persona: Persona) -> Value {
    let details = match code {
        ErrorCode::ValidationFailed => {
            json!({ "problems": [{ "field": "amount", "message": "amount is missing." }] })
        }
        ErrorCode::Overloaded => json!({ "retry_after_seconds": 2 }),
        ErrorCode::QuotaReserved => json!({ "retry_after_seconds": 900 }),
        ErrorCode::CheckoutPaused => {
            json!({ "charged": false, "retry_after_seconds": 60, "since": "2026-11-21T09:00:00Z" })
        }
        _ => Value::Null,
    };
    let answer = ToolAnswer::from(ToolError::with(code, details));
    let mut value = answer.body(persona);
    value["error_message"] = json!(code.for_program());
    json!({ "summary": code.for_program(), "value": value })
}
