//! An org saved row by row is restored unchanged.

use std::collections::BTreeMap;

use crate::org_client::{OrgClient, TODAY, assert_code};
use dewy_sandbox::salesforce::Org;
use dewy_sandbox::stored_row::Row;
use serde_json::{Value, json};

fn save(org: &mut Org, disk: &mut BTreeMap<(String, String), String>) -> usize {
    let dirty = org.drain_dirty();
    let count = dirty.len();
    for row in dirty {
        match row.json {
            Some(json) => disk.insert((row.table, row.id), json),
            None => disk.remove(&(row.table, row.id)),
        };
    }
    count
}

fn load(disk: &BTreeMap<(String, String), String>) -> Org {
    let row = |((table, id), json): (&(String, String), &String)| Row {
        table: table.clone(),
        id: id.clone(),
        json: json.clone(),
    };
    Org::restore(disk.iter().map(row).collect())
}

#[test]
fn saved_and_restored() {
    let mut disk = BTreeMap::new();
    let mut desk = OrgClient::of(Org::seeded(1, TODAY));
    assert!(save(&mut desk.org, &mut disk) > 200);
    assert_eq!(load(&disk).state(), desk.org.state());

    let booking = desk.booking("BK-0045");
    assert_eq!(
        desk.call(
            "DELETE",
            &format!("/sobjects/Booking__c/{booking}"),
            &Value::Null
        )
        .0,
        204
    );
    let (_, made) = desk.call(
        "POST",
        "/sobjects/Case",
        &json!({"Subject": "o'x \\ \u{1F980}"}),
    );
    assert_eq!(
        save(&mut desk.org, &mut disk),
        3,
        "two rows and the org's own"
    );
    let before = desk.org.state();
    desk.org = load(&disk);
    assert_eq!(before, desk.org.state());
    assert_eq!(desk.org.drain_dirty(), []);

    let (status, gone) = desk.call(
        "GET",
        &format!("/sobjects/Booking__c/{booking}"),
        &Value::Null,
    );
    assert_code((status, &gone), 404, "ENTITY_IS_DELETED");
    let (_, next) = desk.call("POST", "/sobjects/Case", &json!({}));
    assert!(next["id"].as_str() > made["id"].as_str());
}
