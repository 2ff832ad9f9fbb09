//! Metadata of the org: every member that clients read from a real org, with the value of such an
//! org.

mod field;

use serde_json::{Value, json};

use super::org_records::OrgRecords;
use super::route::VERSIONS;
use super::schema::{OBJECTS, Object, OnDelete, label};

#[must_use]
pub fn versions() -> Value {
    VERSIONS
        .map(
            |v| json!({"label": format!("v{v}"), "url": format!("/services/data/v{v}.0"), "version": format!("{v}.0")}),
        )
        .collect()
}

/// Quota.
#[must_use]
pub fn limits(used: u64, allowed: u64) -> Value {
    json!({"DailyApiRequests": {"Max": allowed, "Remaining": allowed.saturating_sub(used)}})
}

/// Resources of a version.
#[must_use]
pub fn index(base: &str) -> Value {
    ["sobjects", "query", "composite", "limits"]
        .iter()
        .map(|r| ((*r).to_owned(), json!(format!("{base}/{r}"))))
        .collect()
}

/// Short description of an object, as at its own path.
#[must_use]
pub fn brief(object: &Object, base: &str) -> Value {
    json!({"objectDescribe": head(object, base), "recentItems": []})
}

/// Short description of every object.
#[must_use]
pub fn global(base: &str) -> Value {
    let objects: Vec<Value> = OBJECTS.iter().map(|o| head(o, base)).collect();
    json!({"encoding": "UTF-8", "maxBatchSize": 200, "sobjects": objects})
}

/// Object with its fields and child relationships.
#[must_use]
pub fn object(records: &OrgRecords, object: &'static Object, base: &str) -> Value {
    let mut shown = head(object, base);
    shown["fields"] = object
        .columns()
        .filter(|(f, _)| records.has(f) && records.permissions.shows(object, f))
        .map(|(f, _)| {
            let mut shown = field::describe(f, object);
            if !records.permissions.lets_write(object, f) {
                shown["createable"] = json!(false);
                shown["updateable"] = json!(false);
            }
            shown
        })
        .collect();
    shown["childRelationships"] = OBJECTS
        .iter()
        .flat_map(|child| child.fields.iter().filter_map(move |f| Some((child, f, f.reference()?))))
        .filter(|(_, _, r)| r.to == object.name && !r.children.is_empty())
        .map(|(child, f, r)| {
            json!({
                "cascadeDelete": r.on_delete == OnDelete::Cascade, "childSObject": child.name,
                "deprecatedAndHidden": false, "field": f.name, "junctionIdListNames": [], "junctionReferenceTo": [],
                "relationshipName": r.children, "restrictedDelete": r.on_delete == OnDelete::Restrict,
            })
        })
        .collect();
    let more = json!({
        "actionOverrides": [], "compactLayoutable": true, "listviewable": null, "lookupLayoutable": null,
        "namedLayoutInfos": [], "networkScopeFieldName": null,
        // The only record type, because the org defines none.
        "recordTypeInfos": [{
            "active": true, "available": true, "defaultRecordTypeMapping": true, "developerName": "Master",
            "master": true, "name": "Master", "recordTypeId": "012000000000000AAA",
            "urls": {"layout": format!("{base}/sobjects/{}/describe/layouts/012000000000000AAA", object.name)},
        }],
        "searchLayoutable": true,
        "supportedScopes": [{"label": format!("All {}s", label(object.name)), "name": "everything"}],
    });
    merged(shown, more)
}

/// Merges the members of two objects.
fn merged(mut all: Value, more: Value) -> Value {
    if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
        all.extend(more);
    }
    all
}

fn head(object: &Object, base: &str) -> Value {
    let writeable = !object.read_only;
    let at = format!("{base}/sobjects/{}", object.name);
    json!({
        "activateable": false, "createable": writeable, "custom": object.name.ends_with("__c"), "customSetting": false,
        "deepCloneable": false, "deletable": writeable, "deprecatedAndHidden": false, "feedEnabled": false,
        "hasSubtypes": false, "idEnabled": true, "isInterface": false, "isSubtype": false, "keyPrefix": object.prefix,
        "label": label(object.name), "labelPlural": format!("{}s", label(object.name)), "layoutable": true,
        "mergeable": matches!(object.name, "Account" | "Contact" | "Case"), "mruEnabled": true, "name": object.name,
        "queryable": true, "replicateable": true, "retrieveable": true, "searchable": true, "triggerable": writeable,
        "undeletable": writeable, "updateable": writeable,
        "urls": {"sobject": at, "describe": format!("{at}/describe"), "rowTemplate": format!("{at}/{{ID}}")},
    })
}
