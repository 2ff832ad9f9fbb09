//! The org's three users: the program, the people at the desk, and whoever set the org up.

use jiff::Timestamp;

use super::cell::Cell;
use super::id::SfId;
use super::schema::Object;
use super::world::{Record, Stamp, World};

/// The user that API calls write as.
#[must_use]
pub fn integration() -> SfId {
    SfId::new("005", 1)
}

/// The user behind foreign edits.
#[must_use]
pub fn front_desk() -> SfId {
    SfId::new("005", 2)
}

/// The user who wrote the seed.
#[must_use]
pub fn setup() -> SfId {
    SfId::new("005", 3)
}

/// Writes the users into a new org.
pub fn settle(world: &mut World, at: Timestamp) {
    let Some(object) = Object::named("User") else { return };
    let people = [
        ("integration@dewy.example", "Dewy", "Integration"),
        ("frontdesk.salesforce@dewy.example", "Front Desk", "(Salesforce)"),
        ("setup@dewy.example", "Org", "Setup"),
    ];
    for (username, first, last) in people {
        let id = world.next_id(object);
        let stamp = Stamp { at, by: setup() };
        let cells = object.fields.iter().map(|f| match f.name {
            "Username" | "Email" => Cell::text(username),
            "FirstName" => Cell::text(first),
            "LastName" => Cell::text(last),
            "IsActive" => Cell::Bool(true),
            _ => Cell::Null,
        });
        let cells = cells.collect();
        world.put(object, Record { id, created: stamp, modified: stamp, cells });
    }
}
