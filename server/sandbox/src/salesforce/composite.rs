//! `/composite`: up to 25 calls in one, with references between them, all or none.
//!
//! ```text
//! parts ──▶ collate? ──▶ for each: resolve references ──▶ execute ──▶ 200 with every part's own status
//!                              any failure, allOrNone ──▶ rollback, all others PROCESSING_HALTED
//! ```

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::call::Call;
use super::call_result::CallResult;
use super::composite_part::Part;
use super::composite_reference;
use super::error::{ApiError, ApiResult};
use super::org_records::Stamp;
use super::route::{Resource, Target};
use super::{Org, collate_subrequests};

const MAX_PARTS: usize = 25;
const MAX_QUERIES: usize = 5;
const FIELDS: [&str; 3] = ["allOrNone", "collateSubrequests", "compositeRequest"];
const PART_FIELDS: [&str; 5] = ["method", "url", "referenceId", "body", "httpHeaders"];
/// Headers of the composite; a part may not set them.
const FORBIDDEN: [&str; 3] = ["accept", "authorization", "content-type"];

/// Whether every part only reads. Such a composite counts as a query, because faults on composites
/// are meant for writes.
pub fn only_reads(body: &[u8]) -> bool {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let parts = body["compositeRequest"].as_array();
    parts.is_some_and(|parts| !parts.is_empty() && parts.iter().all(|part| part["method"] == "GET"))
}

/// Runs a composite.
///
/// # Errors
/// 400 if the composite itself is invalid; errors of a part are in the response.
pub fn run(org: &mut Org, call: &Call, stamp: Stamp) -> ApiResult<CallResult> {
    let parts = read(&call.body)?;
    let collate = flag(&call.body, "collateSubrequests", true)?;
    let all_or_none = flag(&call.body, "allOrNone", false)?;
    let order = if collate {
        collate_subrequests::order(&parts)
    } else {
        (0..parts.len()).collect()
    };
    let before = org.records.clone();
    let mut answers: Vec<Option<CallResult>> = vec![None; parts.len()];
    let mut known = BTreeMap::new();
    let mut failed = None;
    let mut writes_left = order
        .iter()
        .filter(|at| parts[**at].method != "GET")
        .count();
    for at in order {
        writes_left -= usize::from(parts[at].method != "GET");
        // Each row is stamped with the time of its own write, not the composite's.
        let stamp = Stamp {
            at: org.settings.stamps.of(stamp.at, writes_left),
            ..stamp
        };
        let answer = part(org, &parts[at], &known, stamp).unwrap_or_else(CallResult::from);
        let ok = answer.status < 300;
        if let (true, Some(body)) = (ok, &answer.body) {
            known.insert(parts[at].id.as_str(), body.clone());
        }
        answers[at] = Some(answer);
        if !ok && all_or_none {
            failed = Some(at);
            break;
        }
    }
    if let Some(at) = failed {
        org.records = before;
        let own = answers[at].take();
        answers.fill(None);
        answers[at] = own;
    }
    let shown = parts.iter().zip(answers).map(|(part, answer)| {
        let answer = answer.unwrap_or_else(|| halted().into());
        let headers: Map<String, Value> =
            answer.location.map(|l| ("Location".to_owned(), json!(l))).into_iter().collect();
        json!({"body": answer.body, "httpHeaders": headers, "httpStatusCode": answer.status, "referenceId": part.id})
    });
    Ok(CallResult::new(
        200,
        json!({"compositeResponse": shown.collect::<Vec<_>>()}),
    ))
}

fn halted() -> ApiError {
    let message =
        "The transaction was rolled back since another operation in the same transaction failed.";
    ApiError::bad("PROCESSING_HALTED", message)
}

fn part(
    org: &mut Org,
    part: &Part,
    known: &BTreeMap<&str, Value>,
    stamp: Stamp,
) -> ApiResult<CallResult> {
    if let Some((name, _)) = part
        .headers
        .iter()
        .find(|(n, _)| FORBIDDEN.contains(&n.as_str()))
    {
        return Err(ApiError::bad(
            "INVALID_HTTP_HEADER",
            format!("The header {name} is not allowed in a subrequest"),
        ));
    }
    let url = composite_reference::fill_url(&part.url, known)?;
    let body = composite_reference::fill_body(&part.body, known)?;
    let target = Target::read(&url)
        .filter(|_| part.url.starts_with('/'))
        .ok_or_else(ApiError::no_resource)?;
    if matches!(
        target.resource,
        Resource::Token | Resource::Soap | Resource::Composite
    ) {
        let message = format!("The resource {url} is not supported in a composite request");
        return Err(ApiError::bad("UNSUPPORTED_SUBREQUEST", message));
    }
    org.execute(
        &Call {
            method: part.method.clone(),
            target,
            headers: part.headers.clone(),
            body,
        },
        stamp,
    )
}

fn wrong(message: impl Into<String>) -> ApiError {
    ApiError::bad("JSON_PARSER_ERROR", message)
}

/// Option of the composite.
fn flag(body: &Value, name: &str, default: bool) -> ApiResult<bool> {
    match body.get(name) {
        None => Ok(default),
        Some(Value::Bool(given)) => Ok(*given),
        Some(other) => Err(wrong(format!("{name} must be true or false, not {other}"))),
    }
}

/// Refuses misspelled fields, which would otherwise do nothing.
fn only_known_fields(object: &Value, known: &[&str]) -> ApiResult<()> {
    let names = object.as_object().into_iter().flat_map(Map::keys);
    match names
        .into_iter()
        .find(|name| !known.contains(&name.as_str()))
    {
        Some(name) => Err(wrong(format!("Unrecognized field \"{name}\""))),
        None => Ok(()),
    }
}

fn read(body: &Value) -> ApiResult<Vec<Part>> {
    only_known_fields(body, &FIELDS)?;
    let list = body.get("compositeRequest").and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong("compositeRequest is required and must be a list"))?;
    if list.is_empty() {
        return Err(ApiError::bad(
            "INVALID_INPUT",
            "compositeRequest must hold at least one subrequest",
        ));
    }
    if list.len() > MAX_PARTS {
        return Err(ApiError::bad(
            "LIMIT_EXCEEDED",
            format!("A composite request may hold at most {MAX_PARTS} subrequests"),
        ));
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut queries = 0;
    for entry in list {
        only_known_fields(entry, &PART_FIELDS)?;
        let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
        let (Some(method), Some(url), Some(id)) =
            (text("method"), text("url"), text("referenceId"))
        else {
            return Err(wrong("every subrequest needs method, url and referenceId"));
        };
        need_good_name(&id, &parts)?;
        let target = Target::read(&url);
        queries += usize::from(target.is_some_and(|t| t.resource.is_costly()));
        let headers = entry
            .get("httpHeaders")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        let headers = headers.iter().map(|(n, v)| {
            (
                n.to_ascii_lowercase(),
                v.as_str().unwrap_or_default().to_owned(),
            )
        });
        let body = entry.get("body").cloned().unwrap_or(Value::Null);
        parts.push(Part {
            id,
            method: method.to_ascii_uppercase(),
            url,
            body,
            headers: headers.collect(),
        });
    }
    if queries > MAX_QUERIES {
        let message = format!(
            "A composite request may hold at most {MAX_QUERIES} query and collection subrequests"
        );
        return Err(ApiError::bad("LIMIT_EXCEEDED", message));
    }
    Ok(parts)
}

fn need_good_name(id: &str, earlier: &[Part]) -> ApiResult<()> {
    let charset = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !charset || !id.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        let message = format!(
            "Provided referenceId ('{id}') must start with a letter or a number, and it can contain only letters, \
             numbers and underscores ('_')."
        );
        return Err(ApiError::bad("INVALID_INPUT", message));
    }
    if earlier.iter().any(|p| p.id == id) {
        return Err(ApiError::bad(
            "INVALID_INPUT",
            format!("referenceId '{id}' is used more than once"),
        ));
    }
    Ok(())
}
