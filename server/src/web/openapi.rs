//! OpenAPI 3.1 description of the REST interface, generated from the catalog and the error table.

mod errors;
mod operation;

use axum::{
    Router,
    body::Bytes,
    response::{IntoResponse, Response},
    routing::get,
};
use dewy_domain::{caller::Persona, error_code::ErrorCode, tool_catalog};
use http::{Method, header};
use serde_json::{Map, Value, json};

use self::operation::operation;
use crate::tool_calls::tool_response::refusal;

const PATH: &str = "/api/openapi.json";
/// The document changes only with a release.
const CACHE_ONE_MINUTE: &str = "public, max-age=60";

const ABOUT: &str = "The hotel's tools over HTTP, the same tools that its pages, its concierge, and its MCP endpoints call. Each is a \
    POST with the tool's input as a JSON object. A bearer token identifies the caller and determines which tools exist; create one \
    with `dewy token create` or on the staff page *Tokens*. \n\n\
    A tool that writes requires an `Idempotency-Key`: any text that is unique for each new request. Sending it again with the same \
    input returns the outcome of the first request, and nothing runs twice. Programs that can't set headers can send it as \
    `idempotency_token` in the body instead. \n\n\
    202 means that the request is still running: call `get_execution` with the `execution_id`, not before `Retry-After` seconds. \
    Every error says in `next` what to do and in `retry_safe` whether the same request may be sent again. \n\n\
    Dates are in the hotel's calendar; money is in cents.";

/// `GET /api/openapi.json`.
pub fn router(public_url: &str) -> Router {
    let text = Bytes::from(document(public_url).to_string());
    let answer = move || {
        let headers = [
            (header::CONTENT_TYPE, "application/json"),
            (header::CACHE_CONTROL, CACHE_ONE_MINUTE),
        ];
        let text = text.clone();
        async move { (headers, text) }
    };
    Router::new().route(PATH, get(answer).fallback(other_method))
}

async fn other_method() -> Response {
    let allowed = format!("{}, {}", Method::GET, Method::HEAD);
    (
        [(header::ALLOW, allowed)],
        refusal(ErrorCode::MethodNotAllowed, Persona::Guest),
    )
        .into_response()
}

/// The document; the same for everybody and on every call.
#[must_use]
pub fn document(public_url: &str) -> Value {
    let mut paths = Map::new();
    let (mut schemas, mut examples) = (Map::new(), Map::new());
    schemas.insert("Error".to_owned(), errors::schema());
    for persona in [Persona::Guest, Persona::Staff] {
        examples.extend(errors::examples(persona));
        for tool in tool_catalog::all()
            .iter()
            .filter(|tool| tool.personas.contains(&persona))
        {
            let path = format!("/api/{}/{}", persona.name(), tool.name);
            paths.insert(path, json!({ "post": operation(tool, persona) }));
            schemas.insert(format!("{}_answer", tool.name), tool.output_schema());
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Dewy Resort",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": public_url }],
        "security": [{ "bearer": [] }],
        "tags": [
            { "name": Persona::Guest.name(), "description": "For a guest, with a token bound to their email address." },
            { "name": Persona::Staff.name(), "description": "For staff; the available tools depend on the role." },
        ],
        "paths": paths,
        "components": {
            "securitySchemes": { "bearer": {
                "type": "http", "scheme": "bearer",
                "description": "A guest's token is not valid under /api/staff, and vice versa.",
            } },
            "parameters": { "IdempotencyKey": {
                "name": "Idempotency-Key", "in": "header", "required": true,
                "description": "Any text that is unique to this request. Send the same one again to get the outcome; nothing runs twice. \
                    If idempotency_token is in the body as well, both must be equal.",
                "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]([ -~]*[!-~])?$" },
                "example": "order-2026-03-10-0001",
            } },
            "headers": {
                "RequestId": { "description": "The request's ID in the hotel's log.", "schema": { "type": "string" } },
                "RetryAfter": { "description": "Seconds to wait.", "schema": { "type": "integer", "minimum": 1 } },
                "Allow": { "description": "The allowed method.", "schema": { "type": "string" } },
                "Challenge": { "description": "The required kind of credential.", "schema": { "type": "string" } },
            },
            "schemas": schemas,
            "examples": examples,
        },
    })
}
