//! The org's description has every member that clients declare.

use std::collections::BTreeSet;

use crate::org_client::{OrgClient, assert_fields, items};
use serde_json::{Value, json};

/// Members of an object in jsforce 3's list of all objects.
const OBJECT: &str = "activateable createable custom customSetting deepCloneable deletable deprecatedAndHidden \
    feedEnabled hasSubtypes idEnabled isInterface isSubtype keyPrefix label labelPlural layoutable mergeable mruEnabled \
    name queryable replicateable retrieveable searchable triggerable undeletable updateable urls";
/// … and those added by the object's own description.
const WHOLE: &str = "actionOverrides childRelationships compactLayoutable fields listviewable lookupLayoutable \
    namedLayoutInfos networkScopeFieldName recordTypeInfos searchLayoutable supportedScopes";
/// Members of a field.
const FIELD: &str = "aggregatable autoNumber byteLength calculated calculatedFormula cascadeDelete caseSensitive \
    compoundFieldName controllerName createable custom defaultValue defaultValueFormula defaultedOnCreate \
    dependentPicklist deprecatedAndHidden digits displayLocationInDecimal encrypted externalId extraTypeInfo filterable \
    filteredLookupInfo groupable highScaleNumber htmlFormatted idLookup inlineHelpText label length mask maskType name \
    nameField namePointing nillable permissionable picklistValues precision queryByDistance referenceTargetField \
    referenceTo relationshipName relationshipOrder restrictedDelete restrictedPicklist scale soapType sortable type \
    unique updateable writeRequiresMasterRead";
/// Members of a child relationship.
const CHILD: &str = "cascadeDelete childSObject deprecatedAndHidden field junctionIdListNames junctionReferenceTo \
    relationshipName restrictedDelete";

fn lacks<'a>(shown: &Value, members: &'a str) -> BTreeSet<&'a str> {
    let have = shown.as_object().unwrap();
    members
        .split_whitespace()
        .filter(|name| !have.contains_key(*name))
        .collect()
}

#[test]
fn with_every_member_that_clients_declare() {
    let mut desk = OrgClient::open();
    let (_, all) = desk.call("GET", "/sobjects", &Value::Null);
    for object in items(&all["sobjects"]) {
        assert!(
            lacks(object, OBJECT).is_empty(),
            "{:?}",
            lacks(object, OBJECT)
        );
        let path = format!("/sobjects/{}", object["name"].as_str().unwrap());
        let (_, whole) = desk.call("GET", &format!("{path}/describe"), &Value::Null);
        assert!(
            lacks(&whole, OBJECT).is_empty() && lacks(&whole, WHOLE).is_empty(),
            "{:?}",
            lacks(&whole, WHOLE)
        );
        for field in items(&whole["fields"]) {
            assert!(lacks(field, FIELD).is_empty(), "{:?}", lacks(field, FIELD));
        }
        for child in items(&whole["childRelationships"]) {
            assert!(lacks(child, CHILD).is_empty(), "{:?}", lacks(child, CHILD));
        }
        assert_eq!(
            desk.call("GET", &path, &Value::Null).1["objectDescribe"]["urls"],
            object["urls"]
        );
    }
}

#[test]
fn master_details_go_with_their_master() {
    let mut desk = OrgClient::open();
    let (_, booking) = desk.call("GET", "/sobjects/Booking__c/describe", &Value::Null);
    let field = |name: &str| {
        items(&booking["fields"])
            .iter()
            .find(|f| f["name"] == name)
            .unwrap()
    };
    let opportunity = field("Opportunity__c");
    assert_fields(
        opportunity,
        json!({ "cascadeDelete": true, "relationshipOrder": 0 }),
    );
    assert_eq!(field("Room__c")["restrictedDelete"], true);
    assert_fields(
        field("Room__c"),
        json!({ "soapType": "tns:ID", "byteLength": 18 }),
    );
    assert_eq!(
        (
            &field("Special_Requests__c")["extraTypeInfo"],
            &field("Name")["nameField"]
        ),
        (&json!("plaintextarea"), &json!(true))
    );
}
