//! `/composite/sobjects`: up to 200 records with one verb; errors of single records are in the
//! response.
//!
//! ```text
//! …/sobjects               POST · PATCH · DELETE    records of any object
//! …/sobjects/X             GET · POST               records of one object, read by their ids (up to 2,000)
//! …/sobjects/X/{field}     PATCH                    upserts by an external id
//! ```

use serde_json::{Map, Value, json};

use super::Org;
use super::call::Call;
use super::call_result::CallResult;
use super::error::{ApiError, ApiResult};
use super::field_input;
use super::id::SfId;
use super::org_records::Stamp;
use super::save_record::Save;
use super::schema::{Column, Field, Object};

const MAX_RECORDS: usize = 200;
/// Maximum number of ids in a body; a URL has less room.
const MAX_READ: usize = 2000;

/// Result for one record: its id, and for upserts whether it was created.
type Done = ApiResult<(SfId, Option<bool>)>;

/// Runs a collection.
///
/// # Errors
/// 400 if the collection itself is invalid; errors of single records are in the response.
pub fn run(org: &mut Org, call: &Call, stamp: Stamp) -> ApiResult<CallResult> {
    match call.method.as_str() {
        "POST" | "PATCH" => many(org, records(call)?, all_or_none(call), |org, record| {
            write(org, &call.method, record, &Save::of(call, stamp)).map(|id| (id, None))
        }),
        "DELETE" => {
            let ids: Vec<&str> = call
                .target
                .param("ids")
                .unwrap_or_default()
                .split(',')
                .filter(|i| !i.is_empty())
                .collect();
            need_few(ids.len(), MAX_RECORDS)?;
            let all_or_none = call.target.param("allOrNone") == Some("true");
            many(org, &ids, all_or_none, |org, id| {
                delete(org, id).map(|id| (id, None))
            })
        }
        other => Err(ApiError::method(other, "POST, PATCH, DELETE")),
    }
}

/// Upserts records of one object by an external id.
///
/// # Errors
/// 404 if the field is not an external id, 400 if the collection itself is invalid.
pub fn upsert(
    org: &mut Org,
    call: &Call,
    object: &'static Object,
    field: &str,
    stamp: Stamp,
) -> ApiResult<CallResult> {
    let key = field_input::external(object, field)?;
    many(org, records(call)?, all_or_none(call), |org, record| {
        upsert_one(org, object, key, record, &Save::of(call, stamp))
    })
}

/// Reads records of one object: in the order of the ids, null for missing ones.
///
/// # Errors
/// 400 for unknown fields, or no fields.
pub fn retrieve(org: &Org, call: &Call, object: &'static Object) -> ApiResult<CallResult> {
    let list = |name: &str| -> Vec<&str> {
        let given = call
            .target
            .param(name)
            .into_iter()
            .flat_map(|list| list.split(','));
        let sent = call
            .body
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        given
            .chain(sent)
            .map(str::trim)
            .filter(|one| !one.is_empty())
            .collect()
    };
    let (ids, fields) = (list("ids"), list("fields"));
    if fields.is_empty() {
        return Err(ApiError::bad(
            "MISSING_ARGUMENT",
            "Missing required parameter: fields",
        ));
    }
    need_few(ids.len(), MAX_READ)?;
    let base = call.target.base();
    let shown = ids.into_iter().map(|id| {
        let record = SfId::parse(id).and_then(|id| org.records.get(object, id));
        record.map_or(Ok(Value::Null), |record| {
            org.shown(&base, object, record, Some(&fields))
        })
    });
    Ok(CallResult::new(200, shown.collect::<ApiResult<_>>()?))
}

/// Applies an operation to each record, and rolls back if one fails and all were required.
fn many<T>(
    org: &mut Org,
    all: &[T],
    all_or_none: bool,
    each: impl Fn(&mut Org, &T) -> Done,
) -> ApiResult<CallResult> {
    let before = org.records.clone();
    let results: Vec<Done> = all.iter().map(|one| each(org, one)).collect();
    let rolled_back = all_or_none && results.iter().any(Result::is_err);
    if rolled_back {
        org.records = before;
    }
    let shown = results.into_iter().map(|result| match result {
        Err(error) => json!({"success": false, "errors": [error.item()]}),
        Ok(_) if rolled_back => {
            let message =
                "Record rolled back because not all records were valid and the request was using AllOrNone header";
            json!({"success": false, "errors": [ApiError::bad("ALL_OR_NONE_OPERATION_ROLLED_BACK", message).item()]})
        }
        Ok((id, None)) => json!({"id": id.as_str(), "success": true, "errors": []}),
        Ok((id, Some(created))) => json!({"id": id.as_str(), "success": true, "errors": [], "created": created}),
    });
    Ok(CallResult::new(200, shown.collect()))
}

fn records(call: &Call) -> ApiResult<&[Value]> {
    let list = call.body.get("records").and_then(Value::as_array);
    let list = list.ok_or_else(|| {
        ApiError::bad(
            "JSON_PARSER_ERROR",
            "records is required and must be a list",
        )
    })?;
    need_few(list.len(), MAX_RECORDS)?;
    Ok(list)
}

fn all_or_none(call: &Call) -> bool {
    call.body
        .get("allOrNone")
        .and_then(Value::as_bool)
        .unwrap_or(false)
}

fn need_few(count: usize, most: usize) -> ApiResult<()> {
    match count {
        0 => Err(ApiError::bad(
            "INVALID_INPUT",
            "at least one record is required",
        )),
        _ if count <= most => Ok(()),
        _ => Err(ApiError::bad(
            "EXCEEDED_MAX_SIZE_REQUEST",
            format!("at most {most} records are allowed"),
        )),
    }
}

/// Object named by a record.
fn object_of(record: &Value) -> ApiResult<&'static Object> {
    let kind = record.pointer("/attributes/type").and_then(Value::as_str);
    kind.and_then(Object::named).ok_or_else(|| {
        ApiError::bad(
            "INVALID_TYPE",
            "every record needs attributes with the type of an existing object",
        )
    })
}

fn write(org: &mut Org, method: &str, record: &Value, save: &Save) -> ApiResult<SfId> {
    let object = object_of(record)?;
    let mut fields: Map<String, Value> = record.as_object().cloned().unwrap_or_default();
    if method == "POST" {
        return org.insert(object, &fields, save);
    }
    let id = take(&mut fields, "id").and_then(|v| v.as_str().and_then(SfId::parse));
    let id = id.ok_or_else(|| {
        ApiError::field(
            "MISSING_ARGUMENT",
            "Id not specified in an update call",
            "Id",
        )
    })?;
    org.change(object, id, &fields, save)?;
    Ok(id)
}

fn upsert_one(
    org: &mut Org,
    object: &'static Object,
    (field, column): (&'static Field, Column),
    record: &Value,
    save: &Save,
) -> Done {
    if object_of(record)?.name != object.name {
        return Err(ApiError::bad(
            "INVALID_TYPE",
            format!("every record must be of the type {}", object.name),
        ));
    }
    let mut fields: Map<String, Value> = record.as_object().cloned().unwrap_or_default();
    let value = take(&mut fields, field.name).filter(|value| !value.is_null() && *value != "");
    let value = value.ok_or_else(|| {
        ApiError::field(
            "MISSING_ARGUMENT",
            format!("{} not specified", field.name),
            field.name,
        )
    })?;
    let key = field_input::cell(field, &value)?;
    let found: Vec<SfId> = org
        .records
        .containing(object, field, column, &key)
        .map(|r| r.id)
        .collect();
    match found.as_slice() {
        [] => {
            fields.insert(field.name.to_owned(), value);
            org.insert(object, &fields, save).map(|id| (id, Some(true)))
        }
        [id] => org
            .change(object, *id, &fields, save)
            .map(|()| (*id, Some(false))),
        _ => {
            let ids: Vec<&str> = found.iter().map(SfId::as_str).collect();
            let message = format!(
                "{}: more than one record found for external id field: [{}]",
                field.name,
                ids.join(", ")
            );
            Err(ApiError::field(
                "DUPLICATE_EXTERNAL_ID",
                message,
                field.name,
            ))
        }
    }
}

/// Removes a member, ignoring the case of its name.
fn take(fields: &mut Map<String, Value>, name: &str) -> Option<Value> {
    let name = fields
        .keys()
        .find(|key| key.eq_ignore_ascii_case(name))
        .cloned()?;
    fields.remove(&name)
}

fn delete(org: &mut Org, id: &str) -> ApiResult<SfId> {
    let id = SfId::parse(id)
        .ok_or_else(|| ApiError::bad("MALFORMED_ID", format!("malformed id {id}")))?;
    let object = Object::of_prefix(id.prefix())
        .ok_or_else(|| ApiError::bad("MALFORMED_ID", format!("bad id {id}")))?;
    org.records.delete(object, id)?;
    Ok(id)
}
