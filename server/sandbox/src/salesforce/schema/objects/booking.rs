//! `Booking__c`: a room booked for some nights.

use super::{
    CURRENCY_FIELD,
    field_constructors::{default, external, f, only, required, to},
};
use crate::salesforce::schema::{
    Computed, Field,
    Kind::{self, AutoNumber, Date, LongText, Number, Text},
    OnDelete,
};

pub(super) static FIELDS: &[Field] = &[
    f("Name", AutoNumber("BK-", 4)),
    f(CURRENCY_FIELD, Text(3)),
    f("Check_In_Date__c", Date),
    f("Check_Out_Date__c", Date),
    external(f("External_ID__c", Text(50))),
    f("Number_of_Guests__c", Number(2, 0)),
    required(f(
        "Opportunity__c",
        to(
            "Opportunity",
            "Opportunity__r",
            "Bookings__r",
            OnDelete::Cascade,
        ),
    )),
    f(
        "Primary_Guest__c",
        to(
            "Contact",
            "Primary_Guest__r",
            "Bookings__r",
            OnDelete::Restrict,
        ),
    ),
    f(
        "Room__c",
        to(
            "Hotel_Room__c",
            "Room__r",
            "Bookings__r",
            OnDelete::Restrict,
        ),
    ),
    f("Special_Requests__c", LongText(32768)),
    default(
        "Reserved",
        f(
            "Status__c",
            only(&[
                "Reserved",
                "Checked In",
                "Checked Out",
                "Cancelled",
                "No Show",
            ]),
        ),
    ),
    f("Total_Nights__c", Kind::Computed(Computed::BookingNights)),
];
