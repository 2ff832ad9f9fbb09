//! Salesforce's errors and their meaning.

use dewy_domain::{
    ports::HttpResponse,
    upstream_request::{Fault, Outcome, System},
    vocabulary::FaultCode,
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    access_alarms,
    exchange_result::{Response, malformed_response, retry_after_ms, successful_body},
    redacted_message::redacted_message,
    salesforce::field_access,
};

/// Maximum length of a stored validation message.
const MAX_MESSAGE_LENGTH: usize = 300;

/// One error in a response's array. Its message may repeat a value or a whole query;
/// [`redacted_message`] removes those.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct OrgError {
    #[serde(rename = "errorCode", alias = "statusCode")]
    pub(super) code: String,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    fields: Vec<String>,
    #[serde(default, rename = "duplicateResult")]
    duplicates: Option<Duplicates>,
}

/// Result of a duplicate rule; only ids and the rule's name are read.
#[derive(Clone, Debug, Deserialize)]
struct Duplicates {
    #[serde(default, rename = "duplicateRule")]
    rule: String,
    #[serde(default, rename = "matchResults")]
    results: Vec<Matches>,
}

#[derive(Clone, Debug, Deserialize)]
struct Matches {
    #[serde(default, rename = "matchRecords")]
    records: Vec<Match>,
}

#[derive(Clone, Debug, Deserialize)]
struct Match {
    record: Matched,
}

#[derive(Clone, Debug, Deserialize)]
struct Matched {
    #[serde(rename = "Id")]
    id: String,
}

/// One row of a collection's response.
#[derive(Debug, Deserialize)]
pub(super) struct Saved {
    success: bool,
    #[serde(default)]
    errors: Vec<OrgError>,
}

/// Body of a successful response; anything else is classified by the table.
pub(super) fn body(response: &Response) -> Outcome<&[u8]> {
    successful_body(response, failure)
}

fn failure<T>(response: &HttpResponse) -> Outcome<T> {
    let faults: Option<Vec<OrgError>> = serde_json::from_slice(&response.body).ok();
    let fault = faults.and_then(|faults| faults.into_iter().next());
    match meaning(response.status, fault.as_ref(), "the request") {
        Outcome::TryLater(t) => Outcome::TryLater(Fault {
            retry_after_ms: retry_after_ms(response),
            ..t
        }),
        other => other,
    }
}

/// Salesforce's message. A rule's message was written by an administrator of the org and contains
/// no record values.
fn org_message(fault: &OrgError) -> Option<String> {
    let of_a_rule = fault.code == "FIELD_CUSTOM_VALIDATION_EXCEPTION"
        || fault.code == "CANNOT_EXECUTE_FLOW_TRIGGER"
        || fault.code.starts_with("INSUFFICIENT_ACCESS");
    let words = if of_a_rule {
        fault.message.chars().take(MAX_MESSAGE_LENGTH).collect()
    } else {
        redacted_message(&fault.message)
    };
    Some(words).filter(|words| !words.is_empty())
}

/// Meaning of a status with an error, for a whole request or a part of a composite.
pub(super) fn meaning<T>(status: u16, fault: Option<&OrgError>, what: &str) -> Outcome<T> {
    let code = fault
        .map(|f| f.code.as_str())
        .filter(|code| !code.is_empty());
    let error = |code: &str| {
        let fields = fault.map(|f| f.fields.clone()).unwrap_or_default();
        let mut details = json!({ "subrequest": what, "status": status, "error_code": fault.map(|f| &f.code), "fields": fields });
        if let Some(hidden) =
            fault.and_then(|f| field_access::named_in(&f.code, &f.message, &f.fields))
        {
            details["hidden"] = hidden;
        }
        let said = fault.and_then(org_message);
        if let Some(said) = &said {
            details["message"] = json!(said);
        }
        if let Some(found) = fault.and_then(|f| f.duplicates.as_ref()) {
            let records = found
                .results
                .iter()
                .flat_map(|result| &result.records)
                .map(|found| &found.record.id);
            details["rule"] = json!(found.rule);
            details["records"] = records.cloned().collect();
        }
        let words = match said {
            Some(said) => format!("{what} was answered with {status} {code}: {said}"),
            None => format!("{what} was answered with {status} {code}"),
        };
        Fault {
            details,
            ..Fault::new(code, words)
        }
    };
    match (status, code) {
        (401, _) => Outcome::TryLater(error("INVALID_SESSION_ID")),
        (412, _) => Outcome::Refused(error(FaultCode::GuardFailed.as_str())),
        (429, _) => Outcome::TryLater(error(code.unwrap_or("too_many_requests"))),
        (
            400..500,
            Some(code @ ("UNABLE_TO_LOCK_ROW" | "REQUEST_LIMIT_EXCEEDED" | "QUERY_TIMEOUT")),
        ) => Outcome::TryLater(error(code)),
        (503, Some(code @ "SERVER_UNAVAILABLE")) => Outcome::TryLater(error(code)),
        (500.., _) => Outcome::Unknown(error(&format!("http_{status}"))),
        (400..500, Some(code)) => access_alarms::refusal(System::Salesforce, error(code)),
        _ => malformed_response(format_args!(
            "{what}: status {status} without Salesforce's own error"
        )),
    }
}

/// All-or-none create: reports the row that failed, not those rolled back with it.
pub(super) fn saved(rows: &[Saved]) -> Outcome<()> {
    if rows.iter().all(|row| row.success) {
        return Outcome::Done(());
    }
    let mut faults = rows
        .iter()
        .filter(|row| !row.success)
        .flat_map(|row| &row.errors);
    let own = faults
        .clone()
        .find(|fault| fault.code != "ALL_OR_NONE_OPERATION_ROLLED_BACK");
    match own.or_else(|| faults.next()) {
        Some(fault) => meaning(400, Some(fault), "a line"),
        None => malformed_response("a row that failed without a reason"),
    }
}
