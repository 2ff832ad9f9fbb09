//! Salesforce's refusals, and what they mean.

use dewy_domain::call::{Reply, Trouble};
use serde::Deserialize;
use serde_json::json;

use super::GUARD_FAILED;
use crate::heard::{Heard, garbage, retry_after, silence};

/// How much of a rule's message is kept.
const LONGEST_MESSAGE: usize = 300;

/// One error of an answer's array. Its message is not read into ours, but for a rule's: it may repeat a value or a whole query.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Fault {
    #[serde(rename = "errorCode", alias = "statusCode")]
    pub(super) code: String,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    fields: Vec<String>,
    #[serde(default, rename = "duplicateResult")]
    duplicates: Option<Duplicates>,
}

/// What a duplicate rule found; only ids and its own name are read.
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

/// One row of a collection's answer.
#[derive(Debug, Deserialize)]
pub(super) struct Saved {
    success: bool,
    #[serde(default)]
    errors: Vec<Fault>,
}

/// The body of a good answer; anything else by the table.
pub(super) fn body(heard: &Heard) -> Reply<&[u8]> {
    let response = match heard {
        Ok(response) => response,
        Err(error) => return silence(error),
    };
    if (200..300).contains(&response.status) {
        return Reply::Done(&response.body);
    }
    let faults: Option<Vec<Fault>> = serde_json::from_slice(&response.body).ok();
    let fault = faults.and_then(|faults| faults.into_iter().next());
    match meaning(response.status, fault.as_ref(), "the request") {
        Reply::TryLater(t) => Reply::TryLater(Trouble { retry_after: retry_after(response), ..t }),
        other => other,
    }
}

/// The words that an administrator of the org gave to a rule that refuses; they hold no record's values.
fn rule_message(fault: &Fault) -> Option<String> {
    let of_a_rule = fault.code == "FIELD_CUSTOM_VALIDATION_EXCEPTION"
        || fault.code == "CANNOT_EXECUTE_FLOW_TRIGGER"
        || fault.code.starts_with("INSUFFICIENT_ACCESS");
    of_a_rule.then(|| fault.message.chars().take(LONGEST_MESSAGE).collect())
}

/// What a status with an error means, for a whole request and for a part of a composite alike.
pub(super) fn meaning<T>(status: u16, fault: Option<&Fault>, what: &str) -> Reply<T> {
    let code = fault.map(|f| f.code.as_str());
    let trouble = |code: &str| {
        let fields = fault.map(|f| f.fields.clone()).unwrap_or_default();
        let mut details =
            json!({ "subrequest": what, "status": status, "error_code": fault.map(|f| &f.code), "fields": fields });
        if let Some(message) = fault.and_then(rule_message) {
            details["message"] = json!(message);
        }
        if let Some(found) = fault.and_then(|f| f.duplicates.as_ref()) {
            let records = found.results.iter().flat_map(|result| &result.records).map(|found| &found.record.id);
            details["rule"] = json!(found.rule);
            details["records"] = records.cloned().collect();
        }
        Trouble { details, ..Trouble::new(code, format!("{what} was answered with {status} {code}")) }
    };
    match (status, code) {
        (401, _) => Reply::TryLater(trouble("INVALID_SESSION_ID")),
        (412, _) => Reply::Refused(trouble(GUARD_FAILED)),
        (429, _) => Reply::TryLater(trouble(code.unwrap_or("too_many_requests"))),
        (400..500, Some(code @ ("UNABLE_TO_LOCK_ROW" | "REQUEST_LIMIT_EXCEEDED"))) => Reply::TryLater(trouble(code)),
        (503, Some(code @ "SERVER_UNAVAILABLE")) => Reply::TryLater(trouble(code)),
        (500.., _) => Reply::Unknown(trouble(&format!("http_{status}"))),
        (400..500, Some(code)) => Reply::Refused(trouble(code)),
        _ => garbage(format_args!("{what}: status {status} without Salesforce's own error")),
    }
}

/// An all-or-none create: the row that failed, not those rolled back with it.
pub(super) fn saved(rows: &[Saved]) -> Reply<()> {
    if rows.iter().all(|row| row.success) {
        return Reply::Done(());
    }
    let mut faults = rows.iter().filter(|row| !row.success).flat_map(|row| &row.errors);
    let own = faults.clone().find(|fault| fault.code != "ALL_OR_NONE_OPERATION_ROLLED_BACK");
    match own.or_else(|| faults.next()) {
        Some(fault) => meaning(400, Some(fault), "a line"),
        None => garbage("a row that failed without a reason"),
    }
}
