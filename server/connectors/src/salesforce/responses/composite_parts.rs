//! Parts of a composite's response. Its own status is 200 even when everything was rolled back, so
//! the parts decide.

use dewy_domain::{
    upstream_request::{Fault, Outcome},
    vocabulary::FaultCode,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{json, value::RawValue};

use super::{
    Found,
    error_body::{OrgError, meaning},
    list_rows, object,
    stay_rows::RecordId,
};
use crate::exchange_result::{Response, malformed_response};

/// Error of every part but the failing one after a rollback, and of a reference to a row that was
/// not found.
const HALTED: &str = "PROCESSING_HALTED";

#[derive(Debug, Deserialize)]
struct CompositeResponse {
    #[serde(rename = "compositeResponse")]
    parts: Vec<Part>,
}

/// Response of one subrequest.
#[derive(Debug, Deserialize)]
pub(crate) struct Part {
    #[serde(rename = "referenceId")]
    pub(super) reference: String,
    #[serde(rename = "httpStatusCode")]
    status: u16,
    pub(super) body: Option<Box<RawValue>>,
}

/// Rows that one part found, if all can be read.
pub(super) fn found_rows<T: DeserializeOwned>(parts: &[Part], reference: &str) -> Option<Vec<T>> {
    body::<Found<T>>(parts, reference)?.all().ok()
}

pub(super) fn created_id(parts: &[Part], reference: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct CreatedRow {
        id: RecordId,
    }
    body::<CreatedRow>(parts, reference).map(|row| row.id.0)
}

/// Body of one part, if it can be parsed.
pub(super) fn body<T: DeserializeOwned>(parts: &[Part], reference: &str) -> Option<T> {
    let part = parts.iter().find(|part| part.reference == reference)?;
    serde_json::from_str(part.body.as_ref()?.get()).ok()
}

impl Part {
    fn fault(&self) -> Option<OrgError> {
        let faults: Vec<OrgError> = serde_json::from_str(self.body.as_ref()?.get()).ok()?;
        faults.into_iter().next()
    }
}

/// All parts, if all of them took effect.
pub(crate) fn composite(response: &Response) -> Outcome<Vec<Part>> {
    independent_parts(response).and_then(verdict)
}

pub(super) fn rows<T: DeserializeOwned>(
    parts: &[Part],
    reference: &str,
    read: fn(Found<T>) -> Result<Vec<T>, Fault>,
) -> Outcome<Vec<T>> {
    let Some(part) = parts.iter().find(|part| part.reference == reference) else {
        return malformed_response(format_args!("a composite without the part {reference}"));
    };
    if !(200..300).contains(&part.status) {
        return meaning(part.status, part.fault().as_ref(), reference);
    }
    list_rows(
        part.body.as_ref().map_or("", |body| body.get()).as_bytes(),
        read,
    )
}

/// All parts, each with its own status.
pub(super) fn independent_parts(response: &Response) -> Outcome<Vec<Part>> {
    object::<CompositeResponse>(response).and_then(|answer| match answer.parts.is_empty() {
        false => Outcome::Done(answer.parts),
        true => malformed_response("a composite without parts"),
    })
}

fn verdict(parts: Vec<Part>) -> Outcome<Vec<Part>> {
    let failed: Vec<(&Part, Option<OrgError>)> = parts
        .iter()
        .filter(|p| !(200..300).contains(&p.status))
        .map(|p| (p, p.fault()))
        .collect();
    let is_halted = |fault: &Option<OrgError>| fault.as_ref().is_some_and(|f| f.code == HALTED);
    if let Some((part, fault)) = failed.iter().find(|(_, fault)| !is_halted(fault)) {
        return meaning(part.status, fault.as_ref(), &part.reference);
    }
    // Only halted parts: a reference pointed at a row that the guard did not find. That part says
    // so in its own message.
    let own_words = |fault: &Option<OrgError>| {
        fault
            .as_ref()
            .is_some_and(|f| !f.message.contains("rolled back"))
    };
    match failed
        .iter()
        .find(|(_, fault)| own_words(fault))
        .or_else(|| failed.first())
    {
        None => Outcome::Done(parts),
        Some((part, _)) => {
            let details = json!({ "subrequest": part.reference, "status": part.status, "error_code": HALTED });
            let words = format!("{} was halted: a guard found nothing", part.reference);
            Outcome::Refused(Fault {
                details,
                ..Fault::new(FaultCode::GuardFailed, words)
            })
        }
    }
}
