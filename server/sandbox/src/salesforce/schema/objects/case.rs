//! `Case`: a request to staff.

use super::field_constructors::{default, external, f, open, to, unique};
use crate::salesforce::schema::{
    Computed, Field,
    Kind::{self, AutoNumber, LongText, Text},
    OnDelete,
};

pub(super) static FIELDS: &[Field] = &[
    f("CaseNumber", AutoNumber("", 8)),
    f("Subject", Text(255)),
    f("Description", LongText(32000)),
    default(
        "New",
        f(
            "Status",
            open(&["New", "In Progress", "Working", "Escalated", "Closed"]),
        ),
    ),
    default(
        "Medium",
        f("Priority", open(&["Low", "Medium", "High", "Urgent"])),
    ),
    f("Origin", open(&["Web", "Phone", "Email", "Internal"])),
    f(
        "Type",
        open(&[
            "Housekeeping",
            "Room Service",
            "Maintenance",
            "Concierge",
            "Facilities",
            "Service Request",
        ]),
    ),
    f(
        "ContactId",
        to("Contact", "Contact", "Cases", OnDelete::SetNull),
    ),
    f("IsClosed", Kind::Computed(Computed::CaseClosed)),
    f(
        "Booking__c",
        to("Booking__c", "Booking__r", "Cases__r", OnDelete::SetNull),
    ),
    unique(external(f("External_ID__c", Text(50)))),
    f(
        "Room__c",
        to("Hotel_Room__c", "Room__r", "Cases__r", OnDelete::SetNull),
    ),
];
