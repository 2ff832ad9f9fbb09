//! Guests: search and create.

use dewy_domain::{
    guest::{FULL_PHONE, Guest, GuestQuery},
    reservation::NewGuest,
    upstream_request::Call,
};

use super::Requests;
use crate::salesforce::{
    Picklist,
    composite::{ALLOWED, DUPLICATES, json_call},
    fields::Fields,
    name_pattern::name_pattern,
    soql,
};

impl Requests {
    /// Matching guests by name. A contact with an employee number is not a guest, unless searched
    /// by exact email.
    pub(crate) fn guests(&self, query: &GuestQuery, limit: u32) -> Call {
        let over = self.over();
        let no_staff = if self.access.reads("Contact", "Employee_ID__c") {
            "Employee_ID__c = null AND "
        } else {
            ""
        };
        let fits = match query {
            GuestQuery::Email(guest) => {
                let email = soql::text(guest.email());
                let fits = format!("Email = {email} OR Unique_Email__c = {email}");
                match guest.contacts() {
                    [] => fits,
                    own => format!("({fits}) AND {}", soql::among("Id", own)),
                }
            }
            GuestQuery::Id(id) => format!("Id = {}", soql::text(id)),
            GuestQuery::EmailPart(part) => {
                format!("{no_staff}Email LIKE {}", soql::contains(part))
            }
            GuestQuery::Phone(digits) => {
                // Numbers are written in many formats, with and without country code: match the
                // last ten digits with anything between them.
                let start = digits.len().saturating_sub(FULL_PHONE);
                let spaced: Vec<String> = digits.chars().skip(start).map(String::from).collect();
                // Part of a number may occur anywhere in it
                let rest = if digits.len() < FULL_PHONE { "%" } else { "" };
                let like = format!("'%{}{rest}'", spaced.join("%"));
                let numbers = ["Phone", "MobilePhone"].into_iter();
                let numbers: Vec<String> = numbers
                    .filter(|field| self.access.reads("Contact", field))
                    .map(|field| format!("{field} LIKE {like}"))
                    .collect();
                if numbers.is_empty() {
                    "Id = null".to_owned()
                } else {
                    format!("{no_staff}({})", numbers.join(" OR "))
                }
            }
            GuestQuery::Name(vocabulary) => {
                format!("{no_staff}{}", name_pattern(vocabulary))
            }
            GuestQuery::Booking(numbers) => {
                let named = soql::among("Name", numbers);
                format!("Id IN (SELECT Primary_Guest__c FROM Booking__c WHERE {named})")
            }
            GuestQuery::BookingStart(number) => format!(
                "Id IN (SELECT Primary_Guest__c FROM Booking__c WHERE Name LIKE {})",
                soql::starts_with(number)
            ),
            GuestQuery::Room(number) => format!(
                "Id IN (SELECT Primary_Guest__c FROM Booking__c WHERE Room__r.Room_Number__c = {} AND Status__c NOT IN ({over}))",
                soql::text(number)
            ),
        };
        let order = if matches!(query, GuestQuery::Email(_)) {
            "CreatedDate, Id"
        } else {
            "LastName, FirstName, Id"
        };
        self.query(&format!(
            "SELECT Id, FirstName, LastName, Email, Phone, MobilePhone, Loyalty_Number__c, Unique_Email__c, LastModifiedDate, LastModifiedById, \
             (SELECT Id, Name, Status__c, Room__c, Room__r.Room_Number__c, Check_In_Date__c, Check_Out_Date__c FROM Bookings__r \
             WHERE Status__c NOT IN ({over}) ORDER BY Check_In_Date__c, Name) \
             FROM Contact WHERE {fits} ORDER BY {order} LIMIT {limit}"
        ))
    }

    /// Creates a contact with a unique email.
    pub(crate) fn make_guest(&self, guest: &NewGuest) -> Call {
        let path = self.object("Contact");
        let fields = self.access.writable("Contact", self.new_guest(guest));
        let mut call = json_call("create", "POST", path, fields.json());
        if self.allow_duplicates {
            call.headers
                .push((DUPLICATES.to_lowercase(), ALLOWED.to_owned()));
        }
        call
    }

    /// Writes the guest's unique email unchanged, so that the stamp moves.
    pub(crate) fn touch_guest(&self, guest: &Guest) -> Call {
        self.update("Contact", &guest.id, &guest.stamp, guest_touch(guest))
    }
}

/// Unedited field, written unchanged.
pub(super) fn guest_touch(guest: &Guest) -> Fields {
    match &guest.unique_email {
        Some(key) => Fields::new().text_or_null(
            "Unique_Email__c",
            Some(key.as_str()).filter(|key| !key.is_empty()),
        ),
        // Hidden, or journaled by a release that did not read it.
        None => Fields::new().text("LastName", &guest.last_name),
    }
}

impl Requests {
    /// Fields of a contact. A phone number that can't be dialed is kept as typed, for the front
    /// desk to read.
    pub(super) fn new_guest(&self, guest: &NewGuest) -> Fields {
        let phone = guest
            .phone
            .as_deref()
            .map(|typed| match self.country.read(typed) {
                Some(number) => number.stored(),
                None => typed.to_owned(),
            });
        Fields::new()
            .text("FirstName", &guest.first_name)
            .text("LastName", &guest.last_name)
            .text_if(
                "Email",
                (!guest.without_email).then_some(guest.email.as_str()),
            )
            .text("Unique_Email__c", &guest.email)
            .text_if("MobilePhone", phone.as_deref())
            .text_if("AccountId", self.guest_account.as_deref())
            .word(&self.vocabulary, Picklist::ContactType, &guest.kind)
    }
}
