//! Objects of the reference org: its deployed fields, and the standard ones a hotel uses.
//!
//! Child relationships: Opportunity → `Bookings__r`, `Payment_Transactions__r`, `SMS_Notifications__r`; Contact →
//! `Bookings__r`, `Hotel_Rooms__r`, `Cases`; `Hotel_Room__c` → `Bookings__r`, `Cases__r`; `Booking__c` → `Cases__r`;
//! Case → `SMS_Notifications__r`, `CaseComments`; Account → `Contacts`, `Opportunities`.

mod account;
mod booking;
mod case;
mod case_comment;
mod contact;
mod currency_type;
mod field_constructors;
mod hotel_room;
mod opportunity;
mod organization;
mod payment_transaction;
mod sms_notification;
mod user;

use super::Object;

/// Currency of a record's amounts; exists only in an org with several currencies.
pub const CURRENCY_FIELD: &str = "CurrencyIsoCode";

/// Default currency of records created by a user.
pub const DEFAULT_CURRENCY_FIELD: &str = "DefaultCurrencyIsoCode";

/// Number of objects.
pub const COUNT: usize = 12;

/// All objects, parents before their children.
pub static OBJECTS: [Object; COUNT] = [
    Object {
        index: 0,
        name: "User",
        prefix: "005",
        fields: user::FIELDS,
        read_only: true,
    },
    Object {
        index: 1,
        name: "Account",
        prefix: "001",
        fields: account::FIELDS,
        read_only: false,
    },
    Object {
        index: 2,
        name: "Contact",
        prefix: "003",
        fields: contact::FIELDS,
        read_only: false,
    },
    Object {
        index: 3,
        name: "Hotel_Room__c",
        prefix: "a02",
        fields: hotel_room::FIELDS,
        read_only: false,
    },
    Object {
        index: 4,
        name: "Opportunity",
        prefix: "006",
        fields: opportunity::FIELDS,
        read_only: false,
    },
    Object {
        index: 5,
        name: "Booking__c",
        prefix: "a01",
        fields: booking::FIELDS,
        read_only: false,
    },
    Object {
        index: 6,
        name: "Case",
        prefix: "500",
        fields: case::FIELDS,
        read_only: false,
    },
    Object {
        index: 7,
        name: "Payment_Transaction__c",
        prefix: "a03",
        fields: payment_transaction::FIELDS,
        read_only: false,
    },
    Object {
        index: 8,
        name: "SMS_Notification__c",
        prefix: "a04",
        fields: sms_notification::FIELDS,
        read_only: false,
    },
    Object {
        index: 9,
        name: "CaseComment",
        prefix: "00a",
        fields: case_comment::FIELDS,
        read_only: false,
    },
    Object {
        index: 10,
        name: "Organization",
        prefix: "00D",
        fields: organization::FIELDS,
        read_only: true,
    },
    Object {
        index: 11,
        name: "CurrencyType",
        prefix: "01L",
        fields: currency_type::FIELDS,
        read_only: true,
    },
];
