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

use super::{Field, Object};

/// Currency of a record's amounts; exists only in an org with several currencies.
pub const CURRENCY_FIELD: &str = "CurrencyIsoCode";

/// Default currency of records created by a user.
pub const DEFAULT_CURRENCY_FIELD: &str = "DefaultCurrencyIsoCode";

pub const COUNT: usize = 12;

/// All objects, parents before their children.
pub static OBJECTS: [Object; COUNT] = [
    read_only(0, "User", "005", user::FIELDS),
    object(1, "Account", "001", account::FIELDS),
    object(2, "Contact", "003", contact::FIELDS),
    object(3, "Hotel_Room__c", "a02", hotel_room::FIELDS),
    object(4, "Opportunity", "006", opportunity::FIELDS),
    object(5, "Booking__c", "a01", booking::FIELDS),
    object(6, "Case", "500", case::FIELDS),
    object(
        7,
        "Payment_Transaction__c",
        "a03",
        payment_transaction::FIELDS,
    ),
    object(8, "SMS_Notification__c", "a04", sms_notification::FIELDS),
    object(9, "CaseComment", "00a", case_comment::FIELDS),
    read_only(10, "Organization", "00D", organization::FIELDS),
    read_only(11, "CurrencyType", "01L", currency_type::FIELDS),
];

const fn object(
    index: usize,
    name: &'static str,
    prefix: &'static str,
    fields: &'static [Field],
) -> Object {
    Object {
        index,
        name,
        prefix,
        fields,
        read_only: false,
    }
}

const fn read_only(
    index: usize,
    name: &'static str,
    prefix: &'static str,
    fields: &'static [Field],
) -> Object {
    let mut object = object(index, name, prefix, fields);
    object.read_only = true;
    object
}
