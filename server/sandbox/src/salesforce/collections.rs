//! `/composite/sobjects`: up to 200 records with one verb.

use serde_json::{Map, Value, json};

use super::Org;
use super::answer::Answer;
use super::call::Call;
use super::error::{ApiError, ApiResult};
use super::id::SfId;
use super::schema::Object;
use super::world::Stamp;

const MOST_RECORDS: usize = 200;

/// Runs a collection.
///
/// # Errors
/// 400 if the collection itself is wrong; what goes wrong with a record is in the answer.
pub fn run(org: &mut Org, call: &Call, stamp: Stamp) -> ApiResult<Answer> {
    let before = org.world.clone();
    let (results, all_or_none) = match call.method.as_str() {
        "POST" | "PATCH" => {
            let list = call.body.get("records").and_then(Value::as_array);
            let list =
                list.ok_or_else(|| ApiError::bad("JSON_PARSER_ERROR", "records is required and must be a list"))?;
            need_few(list.len())?;
            let results: Vec<_> = list.iter().map(|r| write(org, &call.method, r, stamp)).collect();
            (results, call.body.get("allOrNone").and_then(Value::as_bool).unwrap_or(false))
        }
        "DELETE" => {
            let ids: Vec<&str> =
                call.target.param("ids").unwrap_or_default().split(',').filter(|i| !i.is_empty()).collect();
            need_few(ids.len())?;
            let results: Vec<_> = ids.iter().map(|id| delete(org, id)).collect();
            (results, call.target.param("allOrNone") == Some("true"))
        }
        other => return Err(ApiError::method(other, "POST, PATCH, DELETE")),
    };
    let rolled_back = all_or_none && results.iter().any(Result::is_err);
    if rolled_back {
        org.world = before;
    }
    let shown = results.into_iter().map(|result| match result {
        Err(error) => json!({"success": false, "errors": [error.item()]}),
        Ok(_) if rolled_back => {
            let message =
                "Record rolled back because not all records were valid and the request was using AllOrNone header";
            json!({"success": false, "errors": [ApiError::bad("ALL_OR_NONE_OPERATION_ROLLED_BACK", message).item()]})
        }
        Ok(id) => json!({"id": id.as_str(), "success": true, "errors": []}),
    });
    Ok(Answer::new(200, shown.collect()))
}

fn need_few(count: usize) -> ApiResult<()> {
    match count {
        0 => Err(ApiError::bad("INVALID_INPUT", "at least one record is required")),
        1..=MOST_RECORDS => Ok(()),
        _ => Err(ApiError::bad("EXCEEDED_MAX_SIZE_REQUEST", format!("at most {MOST_RECORDS} records are allowed"))),
    }
}

fn write(org: &mut Org, method: &str, record: &Value, stamp: Stamp) -> ApiResult<SfId> {
    let kind = record.pointer("/attributes/type").and_then(Value::as_str);
    let object = kind.and_then(Object::named).ok_or_else(|| {
        ApiError::bad("INVALID_TYPE", "every record needs attributes with the type of an existing object")
    })?;
    let mut fields: Map<String, Value> = record.as_object().cloned().unwrap_or_default();
    if method == "POST" {
        return org.world.create(object, &fields, stamp);
    }
    let key = fields.keys().find(|k| k.eq_ignore_ascii_case("id")).cloned();
    let id = key.and_then(|k| fields.remove(&k)).and_then(|v| v.as_str().and_then(SfId::parse));
    let id = id.ok_or_else(|| ApiError::field("MISSING_ARGUMENT", "Id not specified in an update call", "Id"))?;
    org.world.update(object, id, &fields, stamp)?;
    Ok(id)
}

fn delete(org: &mut Org, id: &str) -> ApiResult<SfId> {
    let id = SfId::parse(id).ok_or_else(|| ApiError::bad("MALFORMED_ID", format!("malformed id {id}")))?;
    let object = Object::of_prefix(id.prefix()).ok_or_else(|| ApiError::bad("MALFORMED_ID", format!("bad id {id}")))?;
    org.world.delete(object, id)?;
    Ok(id)
}
