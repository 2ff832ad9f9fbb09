//! What the org says about itself.

use serde_json::{Value, json};

use super::route::VERSIONS;
use super::schema::{Computed, Field, Kind, OBJECTS, Object, Restricted};

/// Calls the org allows in 24 hours.
pub const DAILY_CALLS: u64 = 100_000;

/// The versions that are answered.
#[must_use]
pub fn versions() -> Value {
    VERSIONS
        .map(
            |v| json!({"label": format!("v{v}"), "url": format!("/services/data/v{v}.0"), "version": format!("{v}.0")}),
        )
        .collect()
}

/// The quota.
#[must_use]
pub fn limits(used: u64) -> Value {
    json!({"DailyApiRequests": {"Max": DAILY_CALLS, "Remaining": DAILY_CALLS.saturating_sub(used)}})
}

/// What a version offers, and where.
#[must_use]
pub fn index(base: &str) -> Value {
    ["sobjects", "query", "composite", "limits"]
        .iter()
        .map(|r| ((*r).to_owned(), json!(format!("{base}/{r}"))))
        .collect()
}

/// One object in short, as a look at its own path shows it.
#[must_use]
pub fn brief(object: &Object) -> Value {
    json!({"objectDescribe": head(object), "recentItems": []})
}

/// Every object, in short.
#[must_use]
pub fn global(base: &str) -> Value {
    let objects: Vec<Value> = OBJECTS
        .iter()
        .map(|o| {
            let mut shown = head(o);
            let at = format!("{base}/sobjects/{}", o.name);
            shown["urls"] =
                json!({"sobject": at, "describe": format!("{at}/describe"), "rowTemplate": format!("{at}/{{ID}}")});
            shown
        })
        .collect();
    json!({"encoding": "UTF-8", "maxBatchSize": 200, "sobjects": objects})
}

/// One object with its fields and child relationships.
#[must_use]
pub fn object(object: &'static Object) -> Value {
    let mut shown = head(object);
    shown["fields"] = object.columns().map(|(f, _)| field(f, object)).collect();
    shown["childRelationships"] = OBJECTS
        .iter()
        .flat_map(|child| child.fields.iter().filter_map(move |f| Some((child, f, f.reference()?))))
        .filter(|(_, _, r)| r.to == object.name && !r.children.is_empty())
        .map(|(child, f, r)| json!({"childSObject": child.name, "field": f.name, "relationshipName": r.children}))
        .collect();
    shown
}

fn head(object: &Object) -> Value {
    let custom = object.name.ends_with("__c");
    let label = object.name.strip_suffix("__c").unwrap_or(object.name).replace('_', " ");
    json!({
        "name": object.name, "label": label, "labelPlural": format!("{label}s"), "keyPrefix": object.prefix,
        "custom": custom, "queryable": true, "retrieveable": true, "searchable": true,
        "createable": !object.read_only, "updateable": !object.read_only, "deletable": !object.read_only,
    })
}

fn field(field: &Field, object: &Object) -> Value {
    let system = !object.fields.iter().any(|f| f.name == field.name);
    let (kind, length, digits) = kind(field.kind);
    let picklist: Vec<Value> = match field.kind {
        Kind::Picklist(values, _) => values
            .iter()
            .map(|v| json!({"value": v, "label": v, "active": true, "defaultValue": field.default == Some(*v)}))
            .collect(),
        _ => Vec::new(),
    };
    let reference = field.reference();
    json!({
        "name": field.name,
        "label": field.label(),
        "type": kind,
        "length": length,
        "precision": digits.0 + digits.1,
        "scale": digits.1,
        "custom": field.name.ends_with("__c"),
        "nillable": !field.required && !system && kind != "boolean",
        "externalId": field.external,
        "idLookup": field.external || field.name == "Id",
        "unique": field.unique,
        "caseSensitive": field.case_sensitive,
        "autoNumber": matches!(field.kind, Kind::AutoNumber(..)),
        "calculated": matches!(field.kind, Kind::Computed(Computed::BookingNights | Computed::OpportunityNights)),
        "createable": field.createable() && !system && !object.read_only,
        "updateable": field.updateable() && !system && !object.read_only,
        "filterable": kind != "textarea",
        "sortable": kind != "textarea",
        "defaultedOnCreate": field.default.is_some() || system || kind == "boolean",
        "defaultValue": field.default,
        "restrictedPicklist": matches!(field.kind, Kind::Picklist(_, Restricted::Yes)),
        "picklistValues": picklist,
        "referenceTo": reference.map(|r| vec![r.to]).unwrap_or_default(),
        "relationshipName": reference.map(|r| r.parent),
    })
}

/// Type, length, digits before and after the point.
fn kind(kind: Kind) -> (&'static str, usize, (u32, u32)) {
    match kind {
        Kind::Id => ("id", 18, (0, 0)),
        Kind::Text(length) => ("string", length, (0, 0)),
        Kind::LongText(length) => ("textarea", length, (0, 0)),
        Kind::Email => ("email", 80, (0, 0)),
        Kind::Phone => ("phone", 40, (0, 0)),
        Kind::Url => ("url", 255, (0, 0)),
        Kind::Bool | Kind::Computed(Computed::CaseClosed | Computed::OpportunityClosed | Computed::OpportunityWon) => {
            ("boolean", 0, (0, 0))
        }
        Kind::Number(whole, scale) => ("double", 0, (whole, scale)),
        Kind::Currency(whole, scale) => ("currency", 0, (whole, scale)),
        Kind::Date => ("date", 0, (0, 0)),
        Kind::DateTime => ("datetime", 0, (0, 0)),
        Kind::Picklist(..) => ("picklist", 255, (0, 0)),
        Kind::Reference(_) => ("reference", 18, (0, 0)),
        Kind::AutoNumber(..) => ("string", 30, (0, 0)),
        Kind::Computed(Computed::FullName) => ("string", 121, (0, 0)),
        Kind::Computed(Computed::BookingNights | Computed::OpportunityNights) => ("double", 0, (18, 0)),
    }
}
