//! `Hotel_Room__c`: a room.

use super::{
    CURRENCY_FIELD,
    field_constructors::{default, external, f, only, required, to, unique},
};
use crate::salesforce::schema::{
    Field,
    Kind::{Bool, Currency, Number, Text},
    OnDelete,
};

pub(super) static FIELDS: &[Field] = &[
    f("Name", Text(80)),
    f("Accessible__c", Bool),
    f(
        "Bed_Configuration__c",
        only(&["1 King", "1 Queen", "2 Queens", "2 Doubles"]),
    ),
    f(
        "Current_Guest__c",
        to(
            "Contact",
            "Current_Guest__r",
            "Hotel_Rooms__r",
            OnDelete::SetNull,
        ),
    ),
    f("Floor__c", Number(2, 0)),
    f("Max_Occupancy__c", Number(1, 0)),
    f("Nightly_Rate__c", Currency(8, 2)),
    f(CURRENCY_FIELD, Text(3)),
    required(unique(external(f("Room_Number__c", Text(80))))),
    f(
        "Room_Type__c",
        only(&["Standard", "Deluxe", "Suite", "Penthouse"]),
    ),
    f("Square_Footage__c", Number(5, 0)),
    default(
        "Vacant",
        f(
            "Status__c",
            only(&[
                "Vacant",
                "Occupied",
                "Cleaning",
                "Maintenance",
                "Out of Service",
            ]),
        ),
    ),
    f(
        "View_Type__c",
        only(&["City", "Ocean", "Garden", "Mountain"]),
    ),
];
