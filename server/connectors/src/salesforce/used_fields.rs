//! Every field of an org that we use, and what we can do without it. Administrators hide fields from
//! a user; Salesforce then refuses the whole request that names one.

/// How a field is used; an API user with read-only access sees it anyway, so the permission is
/// checked too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    /// Written when a record is created.
    Make,
    /// Written when a record is changed.
    Change,
    MakeAndChange,
}

/// Whether we can do without a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// No read and no write makes sense without it.
    Required,
    /// Lists and pages are shown without it, but the hotel can't work for long: guests are known by
    /// it, or check-in and check-out depend on it.
    Core,
    /// Lists and pages are shown without it; a write that sets it needs it.
    Shown,
    /// Left out of reads and writes.
    Optional,
}

use Need::{Core, Optional, Required, Shown};
use Use::{Change, Make, MakeAndChange, Read};

/// Name of a field, how it is used, and whether we can do without it.
pub(super) type UsedField = (&'static str, Use, Need);

/// Every object and field named by a request, apart from those that every object has.
pub(super) const USED: [(&str, &[UsedField]); 8] = [
    (
        "Contact",
        &[
            ("Contact_Type__c", Make, Optional),
            ("Email", Make, Core),
            ("Employee_ID__c", Read, Optional),
            ("FirstName", Make, Core),
            ("LastName", Make, Required),
            ("Loyalty_Number__c", Read, Optional),
            ("MobilePhone", Make, Optional),
            ("Phone", Read, Optional),
            ("Unique_Email__c", MakeAndChange, Core),
        ],
    ),
    (
        "Opportunity",
        &[
            ("Amount", MakeAndChange, Required),
            ("Arrival_Date__c", MakeAndChange, Optional),
            ("CloseDate", MakeAndChange, Required),
            ("Departure_Date__c", MakeAndChange, Optional),
            ("Name", Make, Required),
            ("Payment_ID__c", Change, Optional),
            ("StageName", MakeAndChange, Required),
        ],
    ),
    (
        "Hotel_Room__c",
        &[
            ("Accessible__c", Read, Optional),
            ("Bed_Configuration__c", Read, Optional),
            ("Current_Guest__c", Change, Core),
            ("Floor__c", Read, Optional),
            ("Max_Occupancy__c", Read, Optional),
            ("Nightly_Rate__c", Read, Optional),
            ("Room_Number__c", Read, Required),
            ("Room_Type__c", Read, Optional),
            ("Square_Footage__c", Change, Optional),
            ("Status__c", Change, Required),
            ("View_Type__c", Read, Optional),
        ],
    ),
    (
        "Booking__c",
        &[
            ("Check_In_Date__c", MakeAndChange, Required),
            ("Check_Out_Date__c", MakeAndChange, Required),
            ("External_ID__c", MakeAndChange, Required),
            ("Name", Read, Required),
            ("Number_of_Guests__c", MakeAndChange, Optional),
            ("Opportunity__c", Make, Required),
            ("Primary_Guest__c", MakeAndChange, Required),
            ("Room__c", MakeAndChange, Required),
            ("Special_Requests__c", MakeAndChange, Shown),
            ("Status__c", MakeAndChange, Required),
        ],
    ),
    (
        "Case",
        &[
            ("Booking__c", Make, Shown),
            ("CaseNumber", Read, Required),
            ("ContactId", MakeAndChange, Shown),
            ("Description", MakeAndChange, Shown),
            ("External_ID__c", MakeAndChange, Required),
            ("IsClosed", Read, Required),
            ("Origin", Make, Optional),
            ("Priority", MakeAndChange, Shown),
            ("Room__c", MakeAndChange, Shown),
            ("Status", Change, Required),
            ("Subject", MakeAndChange, Shown),
            ("Type", MakeAndChange, Shown),
        ],
    ),
    (
        "CaseComment",
        &[
            ("CommentBody", Make, Required),
            ("ParentId", Make, Required),
        ],
    ),
    (
        "Payment_Transaction__c",
        &[
            ("Amount__c", MakeAndChange, Required),
            ("External_ID__c", Make, Required),
            ("Last_4_Digits__c", MakeAndChange, Optional),
            ("Name", Read, Required),
            ("Opportunity__c", Make, Required),
            ("Payment_Method__c", Make, Optional),
            ("Receipt_URL__c", MakeAndChange, Optional),
            ("Status__c", MakeAndChange, Required),
            ("Stripe_Transaction_ID__c", MakeAndChange, Required),
            ("Transaction_Date__c", Make, Required),
            ("Transaction_Type__c", Make, Required),
        ],
    ),
    (
        "SMS_Notification__c",
        &[
            ("Delivered_Date__c", Change, Optional),
            ("Direction__c", Make, Optional),
            ("Error_Code__c", Change, Optional),
            ("Message_Body__c", Make, Required),
            ("Opportunity__c", Make, Required),
            ("Sent_Date__c", Make, Optional),
            ("Status__c", MakeAndChange, Optional),
            ("To_Phone_Number__c", Make, Required),
            ("Twilio_Message_SID__c", Make, Required),
        ],
    ),
];

/// Parents in the queries: name of the relationship, its object, the lookup field there, and the
/// parent's object.
const PARENTS: [(&str, &str, &str, &str); 7] = [
    ("Room__r", "Booking__c", "Room__c", "Hotel_Room__c"),
    (
        "Primary_Guest__r",
        "Booking__c",
        "Primary_Guest__c",
        "Contact",
    ),
    (
        "Opportunity__r",
        "Booking__c",
        "Opportunity__c",
        "Opportunity",
    ),
    ("Room__r", "Case", "Room__c", "Hotel_Room__c"),
    ("Booking__r", "Case", "Booking__c", "Booking__c"),
    ("Contact", "Case", "ContactId", "Contact"),
    (
        "Opportunity__r",
        "Payment_Transaction__c",
        "Opportunity__c",
        "Opportunity",
    ),
];

/// Child lists in the queries, their objects, and a field there that looks up the parent.
const CHILDREN: [(&str, &str, &str); 4] = [
    ("Bookings__r", "Booking__c", "Opportunity__c"),
    ("Bookings__r", "Booking__c", "Primary_Guest__c"),
    (
        "Payment_Transactions__r",
        "Payment_Transaction__c",
        "Opportunity__c",
    ),
    ("CaseComments", "CaseComment", "ParentId"),
];

/// A used field, by its object's and its own name in any letter case.
pub(super) fn used(object: &str, field: &str) -> Option<(&'static str, UsedField)> {
    let (object, fields) = USED
        .into_iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(object))?;
    let found = fields
        .iter()
        .find(|(known, ..)| known.eq_ignore_ascii_case(field))?;
    Some((object, *found))
}

pub(super) fn parent(object: &str, relationship: &str) -> Option<(&'static str, &'static str)> {
    PARENTS
        .into_iter()
        .find(|(name, of, ..)| *name == relationship && *of == object)
        .map(|(_, _, lookup, parent)| (lookup, parent))
}

/// Lookup fields that a relationship follows, each with its object: of a parent in the queries, or of
/// a child list.
pub(super) fn lookups(relationship: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let parents = PARENTS
        .into_iter()
        .filter(move |(name, ..)| *name == relationship);
    let children = CHILDREN
        .into_iter()
        .filter(move |(list, ..)| *list == relationship);
    parents
        .map(|(_, object, lookup, _)| (object, lookup))
        .chain(children.map(|(_, object, lookup)| (object, lookup)))
}

/// Object of what follows `FROM`: itself, or that of a child list.
pub(super) fn object_of(name: &str) -> &str {
    CHILDREN
        .into_iter()
        .find(|(list, ..)| *list == name)
        .map_or(name, |(_, object, _)| object)
}
