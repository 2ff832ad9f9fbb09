//! Description of a field.

use serde_json::{Value, json};

use super::super::schema::{Computed, Field, Kind, Object, OnDelete, Reference, Restricted};
use super::merged;

/// Every member that a client may read.
#[must_use]
pub fn describe(field: &Field, object: &Object) -> Value {
    let (kind, soap, length, digits) = field_type(field.kind);
    let system = !object.fields.iter().any(|f| f.name == field.name);
    let picklist: Vec<Value> = match field.kind {
        Kind::Picklist(values, _) => values
            .iter()
            .map(|v| {
                let default = field.default == Some(*v);
                json!({"active": true, "defaultValue": default, "label": v, "validFor": null, "value": v})
            })
            .collect(),
        _ => Vec::new(),
    };
    let reference = field.reference();
    let deletes = |what: OnDelete| reference.is_some_and(|r: &Reference| r.on_delete == what);
    let calculated = matches!(
        field.kind,
        Kind::Computed(Computed::BookingNights | Computed::OpportunityNights)
    );
    let (long, number) = (kind == "textarea", matches!(kind, "double" | "currency"));
    let own = json!({
        "aggregatable": !long && kind != "boolean",
        "autoNumber": matches!(field.kind, Kind::AutoNumber(..)),
        "byteLength": if matches!(kind, "id" | "reference") { length } else { length * 3 },
        "calculated": calculated,
        "cascadeDelete": deletes(OnDelete::Cascade),
        "caseSensitive": field.case_sensitive,
        "createable": field.createable() && !system && !object.read_only,
        "custom": field.name.ends_with("__c"),
        "defaultValue": field.default,
        "defaultedOnCreate": field.default.is_some() || system || kind == "boolean",
        "externalId": field.external,
        "extraTypeInfo": long.then_some("plaintextarea"),
        "filterable": !long,
        "groupable": !long && !number && !calculated && kind != "datetime",
        "idLookup": field.external || field.name == "Id",
        "label": field.label(),
        "length": length,
        "name": field.name,
        "nameField": matches!(field.name, "Name" | "CaseNumber"),
        "nillable": !field.required && !system && kind != "boolean",
        "permissionable": !field.required && !system,
        "picklistValues": picklist,
        "precision": digits.0 + digits.1,
        "referenceTo": reference.map(|r| vec![r.to]).unwrap_or_default(),
        "relationshipName": reference.map(|r| r.parent),
        "relationshipOrder": deletes(OnDelete::Cascade).then_some(0),
        "restrictedDelete": deletes(OnDelete::Restrict),
        "restrictedPicklist": matches!(field.kind, Kind::Picklist(_, Restricted::Yes)),
        "scale": digits.1,
        "searchPrefilterable": reference.is_some(),
        "soapType": soap,
        "sortable": !long,
        "type": kind,
        "unique": field.unique,
        "updateable": field.updateable() && !system && !object.read_only,
    });
    merged(own, plain())
}

/// Members common to every field of this org: none is encrypted, dependent, or polymorphic.
fn plain() -> Value {
    json!({
        "calculatedFormula": null,
        "compoundFieldName": null,
        "controllerName": null,
        "defaultValueFormula": null,
        "dependentPicklist": false,
        "deprecatedAndHidden": false,
        "digits": 0,
        "displayLocationInDecimal": false,
        "encrypted": false,
        "filteredLookupInfo": null,
        "highScaleNumber": false,
        "htmlFormatted": false,
        "inlineHelpText": null,
        "mask": null,
        "maskType": null,
        "namePointing": false,
        "polymorphicForeignKey": false,
        "queryByDistance": false,
        "referenceTargetField": null,
        "writeRequiresMasterRead": false,
    })
}

/// REST type, SOAP type (which REST reports as well), maximum length, digits before and after the
/// decimal point.
fn field_type(kind: Kind) -> (&'static str, &'static str, usize, (u32, u32)) {
    let text = |kind, length| (kind, "xsd:string", length, (0, 0));
    let small = |kind, soap| (kind, soap, 0, (0, 0));
    let number = |kind, digits| (kind, "xsd:double", 0, digits);
    match kind {
        Kind::Id => ("id", "tns:ID", 18, (0, 0)),
        Kind::Reference(_) => ("reference", "tns:ID", 18, (0, 0)),
        Kind::Text(length) => text("string", length),
        Kind::LongText(length) => text("textarea", length),
        Kind::Email => text("email", 80),
        Kind::Phone => text("phone", 40),
        Kind::Url => text("url", 255),
        Kind::Picklist(..) => text("picklist", 255),
        Kind::AutoNumber(..) => text("string", 30),
        Kind::Computed(Computed::FullName) => text("string", 121),
        Kind::Bool
        | Kind::Computed(
            Computed::CaseClosed | Computed::OpportunityClosed | Computed::OpportunityWon,
        ) => small("boolean", "xsd:boolean"),
        Kind::Date => small("date", "xsd:date"),
        Kind::DateTime => small("datetime", "xsd:dateTime"),
        Kind::Number(whole, scale) => number("double", (whole, scale)),
        Kind::Currency(whole, scale) => number("currency", (whole, scale)),
        Kind::Computed(Computed::BookingNights | Computed::OpportunityNights) => {
            number("double", (18, 0))
        }
    }
}
