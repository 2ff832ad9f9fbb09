//! `Contact`: a guest or another person.

use super::field_constructors::{external, f, only, required, to, unique};
use crate::salesforce::schema::{
    Computed, Field,
    Kind::{self, Email, Phone, Text},
    OnDelete,
};

pub(super) static FIELDS: &[Field] = &[
    f("FirstName", Text(40)),
    required(f("LastName", Text(80))),
    f("Name", Kind::Computed(Computed::FullName)),
    f("Email", Email),
    f("Phone", Phone),
    f("MobilePhone", Phone),
    f(
        "AccountId",
        to("Account", "Account", "Contacts", OnDelete::SetNull),
    ),
    f("Contact_Type__c", only(&["Guest", "Manager", "Vendor"])),
    f("Employee_ID__c", Text(20)),
    f("Loyalty_Number__c", Text(20)),
    f(
        "Preferred_Contact_Method__c",
        only(&["SMS", "Email", "Phone"]),
    ),
    Field {
        case_sensitive: true,
        ..unique(external(f("Unique_Email__c", Email)))
    },
];
