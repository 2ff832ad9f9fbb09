//! Converts JSON to field values, with the errors of a real org.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::decimal::Decimal;
use super::error::{ApiError, ApiResult};
use super::field_value::{FieldValue, read_date, read_moment};
use super::id::SfId;
use super::org_records::OrgRecords;
use super::schema::{Column, Field, Kind, Object, Restricted};

/// Values to write.
pub type Changes = Vec<(usize, &'static Field, FieldValue)>;

/// Whether a record is created or updated; the writable fields differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// New record.
    Create,
    /// Existing record.
    Update,
}

/// Parses the fields of a body. Ignores `attributes`.
///
/// # Errors
/// Unknown and read-only fields, values of the wrong type or length or outside the picklist,
/// invalid references.
pub fn changes(
    records: &OrgRecords,
    object: &'static Object,
    body: &Map<String, Value>,
    intent: Intent,
) -> ApiResult<Changes> {
    let mut found = Changes::new();
    for (name, value) in body.iter().filter(|(n, _)| *n != "attributes") {
        if let Some(change) = by_external_id(records, object, name, value, intent)? {
            found.push(change);
            continue;
        }
        let (field, column) = object
            .field(name)
            .filter(|(field, _)| records.has(field))
            .ok_or_else(|| ApiError::no_column(name, object.name))?;
        if matches!(field.kind, Kind::Id) {
            let message = "The Id field should not be specified in the sobject data.";
            return Err(ApiError::field("INVALID_FIELD", message, "Id"));
        }
        let index = writeable(field, column, intent)?;
        let cell = cell(field, value)?;
        check_reference(records, field, &cell)?;
        found.push((index, field, cell));
    }
    Ok(found)
}

fn writeable(field: &Field, column: Column, intent: Intent) -> ApiResult<usize> {
    let allowed = match intent {
        Intent::Create => field.createable(),
        Intent::Update => field.updateable(),
    };
    match column {
        Column::Own(index) if allowed => Ok(index),
        _ => Err(ApiError::not_writeable(field.name)),
    }
}

/// `"Primary_Guest__r": {"Unique_Email__c": "…"}`: reference by the other record's external id.
fn by_external_id(
    records: &OrgRecords,
    object: &'static Object,
    name: &str,
    value: &Value,
    intent: Intent,
) -> ApiResult<Option<(usize, &'static Field, FieldValue)>> {
    let (Some((_, column, parent)), Value::Object(key)) = (object.parent(name), value) else {
        return Ok(None);
    };
    let Some((field, _)) = object.columns().find(|(_, c)| *c == column) else {
        return Ok(None);
    };
    let index = writeable(field, column, intent)?;
    let mut keys = key.iter().filter(|(n, _)| *n != "attributes");
    let (Some((key, wanted)), None) = (keys.next(), keys.next()) else {
        return Err(ApiError::bad(
            "INVALID_FIELD",
            format!("{name} must name exactly one external id field"),
        ));
    };
    let (key, column) = parent
        .field(key)
        .filter(|(f, _)| f.external)
        .ok_or_else(|| {
            ApiError::bad(
                "INVALID_FIELD",
                format!("{key} is not an external id field of {}", parent.name),
            )
        })?;
    let wanted = cell(key, wanted)?;
    let found = records
        .containing(parent, key, column, &wanted)
        .next()
        .map(|r| r.id)
        .ok_or_else(|| {
            let message = format!(
                "Foreign key external ID: {} not found for field {} in entity {}",
                show(&wanted),
                key.name,
                parent.name
            );
            ApiError::bad("INVALID_FIELD", message)
        })?;
    Ok(Some((index, field, FieldValue::Id(found))))
}

/// External id with this name.
///
/// # Errors
/// 404.
pub fn external(object: &'static Object, name: &str) -> ApiResult<(&'static Field, Column)> {
    let external = object.field(name).filter(|(field, _)| field.external);
    external.ok_or_else(|| ApiError::no_external(name))
}

/// Text of a value, for messages.
#[must_use]
pub fn show(cell: &FieldValue) -> String {
    match cell.to_json() {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn check_reference(records: &OrgRecords, field: &Field, cell: &FieldValue) -> ApiResult<()> {
    let (Some(reference), Some(id)) = (field.reference(), cell.as_id()) else {
        return Ok(());
    };
    let Some(object) = Object::of_prefix(id.prefix()).filter(|o| o.name == reference.to) else {
        return Err(wrong_id(field, id.as_str()));
    };
    if records.get(object, id).is_some() {
        return Ok(());
    }
    let (code, message) = if records.deleted.contains(&id) {
        ("ENTITY_IS_DELETED", "entity is deleted")
    } else {
        ("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")
    };
    Err(ApiError::field(code, message, field.name))
}

fn wrong_id(field: &Field, shown: &str) -> ApiError {
    let message = format!("{}: id value of incorrect type: {shown}", field.label());
    ApiError::field("MALFORMED_ID", message, field.name)
}

/// Value converted to its field's type.
///
/// # Errors
/// If the value doesn't fit the field.
pub fn cell(field: &Field, value: &Value) -> ApiResult<FieldValue> {
    if value.is_null() {
        return Ok(if matches!(field.kind, Kind::Bool) {
            FieldValue::Bool(false)
        } else {
            FieldValue::Null
        });
    }
    match field.kind {
        Kind::Text(most) | Kind::LongText(most) => limited(field, value, most),
        Kind::Phone => limited(field, value, 40),
        Kind::Url => limited(field, value, 255),
        Kind::Email => email(field, value),
        Kind::Picklist(values, restricted) => picklist(field, value, values, restricted),
        Kind::Bool => match value {
            Value::Bool(yes) => Ok(FieldValue::Bool(*yes)),
            Value::String(text) if text == "true" || text == "false" => {
                Ok(FieldValue::Bool(text == "true"))
            }
            other => Err(unreadable("boolean", other)),
        },
        Kind::Number(whole, scale) | Kind::Currency(whole, scale) => {
            number(field, value, whole, scale)
        }
        Kind::Date => value
            .as_str()
            .and_then(read_date)
            .map(FieldValue::Date)
            .ok_or_else(|| unreadable("date", value)),
        Kind::DateTime => {
            // Whole seconds: milliseconds are accepted and dropped.
            let whole = |at: Timestamp| Timestamp::from_second(at.as_second()).ok();
            let moment = value.as_str().and_then(read_moment).and_then(whole);
            moment
                .map(FieldValue::DateTime)
                .ok_or_else(|| unreadable("datetime", value))
        }
        Kind::Reference(_) => match value.as_str() {
            Some("") => Ok(FieldValue::Null),
            text => text
                .and_then(SfId::parse)
                .map(FieldValue::Id)
                .ok_or_else(|| {
                    let shown = text.map_or_else(|| value.to_string(), str::to_owned);
                    wrong_id(field, &shown)
                }),
        },
        Kind::Id | Kind::AutoNumber(..) | Kind::Computed(_) => {
            Err(unreadable("read-only field", value))
        }
    }
}

fn text_of(value: &Value) -> ApiResult<String> {
    match value {
        Value::String(text) => Ok(text.trim().to_owned()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(yes) => Ok(yes.to_string()),
        other => Err(unreadable("string", other)),
    }
}

fn limited(field: &Field, value: &Value, most: usize) -> ApiResult<FieldValue> {
    let text = text_of(value)?;
    // Salesforce counts UTF-16 units, as Java does.
    if text.encode_utf16().count() > most {
        let message = format!(
            "{}: data value too large: {text} (max length={most})",
            field.label()
        );
        return Err(ApiError::field("STRING_TOO_LONG", message, field.name));
    }
    Ok(FieldValue::text(&text))
}

fn email(field: &Field, value: &Value) -> ApiResult<FieldValue> {
    let cell = limited(field, value, 80)?;
    let fits = cell.as_text().is_none_or(|text| {
        let parts = text.split_once('@').filter(|(name, _)| !name.is_empty());
        parts.is_some_and(|(_, host)| {
            host.contains('.') && !host.contains('@') && !host.starts_with('.')
        }) && !text.contains(char::is_whitespace)
    });
    if fits {
        return Ok(cell);
    }
    let message = format!("{}: invalid email address: {}", field.label(), show(&cell));
    Err(ApiError::field(
        "INVALID_EMAIL_ADDRESS",
        message,
        field.name,
    ))
}

fn picklist(
    field: &Field,
    value: &Value,
    values: &[&str],
    restricted: Restricted,
) -> ApiResult<FieldValue> {
    let text = text_of(value)?;
    if text.is_empty() || restricted == Restricted::No {
        return limited(field, value, 255);
    }
    // The case of the picklist wins, as in a real org.
    match values.iter().find(|v| v.eq_ignore_ascii_case(&text)) {
        Some(listed) => Ok(FieldValue::text(listed)),
        None => {
            let message = format!(
                "{}: bad value for restricted picklist field: {text}",
                field.label()
            );
            Err(ApiError::field(
                "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
                message,
                field.name,
            ))
        }
    }
}

fn number(field: &Field, value: &Value, whole: u32, scale: u32) -> ApiResult<FieldValue> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.is_empty() => return Ok(FieldValue::Null),
        Value::String(text) => text.clone(),
        other => return Err(unreadable("double", other)),
    };
    let number = Decimal::parse(&text)
        .ok_or_else(|| unreadable("double", value))?
        .rescale(scale);
    if number.fits(whole) {
        return Ok(FieldValue::Number(number));
    }
    let message = format!(
        "{}: value outside of valid range on numeric field: {text}",
        field.label()
    );
    Err(ApiError::field(
        "NUMBER_OUTSIDE_VALID_RANGE",
        message,
        field.name,
    ))
}

fn unreadable(kind: &str, value: &Value) -> ApiError {
    let (token, shown) = match value {
        Value::String(text) => ("VALUE_STRING", text.clone()),
        Value::Number(number) => ("VALUE_NUMBER", number.to_string()),
        Value::Object(_) => ("START_OBJECT", String::new()),
        Value::Array(_) => ("START_ARRAY", String::new()),
        other => ("VALUE", other.to_string()),
    };
    let message = format!(
        "Cannot deserialize instance of {kind} from {token} value {shown} or request may be missing a required field"
    );
    ApiError::bad("JSON_PARSER_ERROR", message)
}
