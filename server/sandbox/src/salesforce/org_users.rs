//! Users of the org: the integration user, front desk staff, the setup user, and its automation.

use jiff::Timestamp;

use super::decimal::Decimal;
use super::field_value::FieldValue;
use super::id::SfId;
use super::org_records::{OrgRecords, Stamp};
use super::schema::Object;

/// User of API writes.
#[must_use]
pub fn integration() -> SfId {
    SfId::new("005", 1)
}

/// User of foreign edits.
#[must_use]
pub fn front_desk() -> SfId {
    SfId::new("005", 2)
}

/// User who wrote the seed.
#[must_use]
pub fn setup() -> SfId {
    SfId::new("005", 3)
}

/// User of asynchronous paths of flows.
#[must_use]
pub fn automated() -> SfId {
    SfId::new("005", 4)
}

pub fn add_users(records: &mut OrgRecords, at: Timestamp) {
    let Some(object) = Object::named("User") else {
        return;
    };
    let people = [
        ("integration@dewy.example", "Dewy", "Integration"),
        (
            "frontdesk.salesforce@dewy.example",
            "Front Desk",
            "(Salesforce)",
        ),
        ("setup@dewy.example", "Org", "Setup"),
        ("automatedprocess@dewy.example", "Automated", "Process"),
    ];
    for (username, first, last) in people {
        let stamp = Stamp { at, by: setup() };
        let cells = object.fields.iter().map(|f| match f.name {
            "Username" | "Email" => FieldValue::text(username),
            "FirstName" => FieldValue::text(first),
            "LastName" => FieldValue::text(last),
            "IsActive" => FieldValue::Bool(true),
            _ => FieldValue::Null,
        });
        let cells = cells.collect();
        records.add(object, cells, stamp);
    }
    describe_org(records, at);
}

/// Writes the org's own row.
fn describe_org(records: &mut OrgRecords, at: Timestamp) {
    let Some(object) = Object::named("Organization") else {
        return;
    };
    let cells = object.fields.iter().map(|f| match f.name {
        "Name" => FieldValue::text("Dewy Resort Hotel"),
        "DefaultLocaleSidKey" => FieldValue::text("en_US"),
        "OrganizationType" => FieldValue::text("Developer Edition"),
        "TimeZoneSidKey" => FieldValue::text("America/Los_Angeles"),
        _ => FieldValue::Bool(false),
    });
    let cells = cells.collect();
    records.add(object, cells, Stamp { at, by: setup() });
}

/// Replaces the org's currencies: the corporate currency and a second one, so that a client can
/// pick the wrong one.
pub fn set_currencies(records: &mut OrgRecords, corporate: Option<&str>, at: Timestamp) {
    records.currencies = corporate.map(Into::into);
    let Some(object) = Object::named("CurrencyType") else {
        return;
    };
    for id in records.table(object).keys().copied().collect::<Vec<_>>() {
        records.remove(object, id);
    }
    let Some(corporate) = corporate else { return };
    for code in [corporate, if corporate == "EUR" { "USD" } else { "EUR" }] {
        let cells = object.fields.iter().map(|f| match f.name {
            "IsoCode" => FieldValue::text(code),
            "IsCorporate" => FieldValue::Bool(code == corporate),
            "IsActive" => FieldValue::Bool(true),
            "DecimalPlaces" => FieldValue::Number(Decimal::new(2, 0)),
            _ => FieldValue::Number(Decimal::new(1, 0)),
        });
        let cells = cells.collect();
        records.add(object, cells, Stamp { at, by: setup() });
    }
}
