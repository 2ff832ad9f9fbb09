//! Reads, one SOQL query each.

use dewy_domain::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    ports::{CheckOutRecordsQuery, StayQuery, StaySelection},
    room_number::RoomNumber,
    upstream_request::Call,
    vocabulary::BookingStatus,
};

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::Requests;
use crate::salesforce::{
    composite::{json_call, query_path},
    soql,
};

const OPPORTUNITY: &str =
    "Id, StageName, Amount, CloseDate, Payment_ID__c, LastModifiedDate, LastModifiedById";

const BOOKING: &str = "Id, Name, Status__c, Check_In_Date__c, Check_Out_Date__c, Primary_Guest__c, Primary_Guest__r.Email, \
    External_ID__c, LastModifiedDate, LastModifiedById, Room__c, Room__r.Id, Room__r.Room_Number__c, Room__r.Status__c, \
    Room__r.Current_Guest__c, Room__r.LastModifiedDate, Room__r.LastModifiedById";

/// More contacts than an email has; whoever is not among the oldest is nobody's.
const MAX_CONTACTS: usize = 200;

pub(super) const LINE: &str = "Id, Name, Transaction_Type__c, Amount__c, Status__c, Transaction_Date__c, External_ID__c, \
    Stripe_Transaction_ID__c, CreatedDate, CreatedById";

impl Requests {
    /// Queried from the opportunity, so that its bookings and lines are children of one row: all
    /// bookings, because the folio may be shared with one that doesn't match.
    pub(crate) fn stays(&self, query: &StayQuery) -> Call {
        self.query(&self.stays_soql(query))
    }

    pub(super) fn stays_soql(&self, query: &StayQuery) -> String {
        folios(&self.guests_stay(query))
    }

    /// Several such queries in one.
    pub(crate) fn stays_each(&self, queries: &[StayQuery]) -> Call {
        let each: Vec<String> = queries
            .iter()
            .map(|query| format!("({})", self.guests_stay(query)))
            .collect();
        self.folios(&each.join(" OR "))
    }

    fn guests_stay(&self, query: &StayQuery) -> String {
        let mut fits = Vec::new();
        if let Some(guest) = &query.guest {
            fits.push(soql::of_guest(
                guest,
                "Primary_Guest__r.Email",
                "Primary_Guest__c",
            ));
        }
        fits.push(match &query.booking_number {
            Some(number) => format!("Name = {}", soql::text(number)),
            None => format!("Status__c {}", self.wanted(query.wanted)),
        });
        if let Some(number) = &query.room_number {
            fits.push(format!("Room__r.Room_Number__c = {}", soql::text(number)));
        }
        fits.join(" AND ")
    }

    pub(crate) fn in_house(&self, room_number: &RoomNumber) -> Call {
        self.folios(&format!(
            "Room__r.Room_Number__c = {} AND Status__c {}",
            soql::text(room_number),
            self.wanted(StaySelection::InHouse)
        ))
    }

    /// All checked-in stays, with whole folios.
    pub(crate) fn stays_in_house(&self, limit: u32) -> Call {
        self.query(&format!(
            "{} LIMIT {limit}",
            folios(&format!(
                "Status__c {}",
                self.wanted(StaySelection::InHouse)
            ))
        ))
    }

    pub(crate) fn stays_by_number(&self, numbers: &[BookingNumber]) -> Call {
        self.folios(&soql::among("Name", numbers))
    }

    fn folios(&self, fits: &str) -> Call {
        self.query(&folios(fits))
    }

    fn wanted(&self, wanted: StaySelection) -> String {
        let in_house = self.literal(&BookingStatus::CheckedIn);
        match wanted {
            StaySelection::InHouse => format!("= {in_house}"),
            StaySelection::Arriving => format!(
                "IN ({}, {in_house})",
                self.literal(&BookingStatus::Reserved)
            ),
        }
    }

    /// Current rows of one check-out.
    pub(crate) fn trace(&self, query: &CheckOutRecordsQuery) -> Call {
        self.query(&trace(&query.opportunity_id, &query.booking_id))
    }

    /// Contacts with this email, oldest first.
    pub(crate) fn contacts(&self, email: &EmailAddress) -> Call {
        self.query(&format!(
            "SELECT Id, FirstName, LastName, Phone, MobilePhone FROM Contact WHERE Email = {} ORDER BY CreatedDate, Id LIMIT {MAX_CONTACTS}",
            soql::text(email)
        ))
    }

    pub(crate) fn describe(&self, object: &str) -> Call {
        get("describe", format!("{}/describe", self.object(object)))
    }

    pub(crate) fn account(&self, id: &str) -> Call {
        self.query(&format!(
            "SELECT Id FROM Account WHERE Id = {}",
            soql::text(id)
        ))
    }

    pub(crate) fn query(&self, soql: &str) -> Call {
        get(
            "query",
            query_path(&self.api_version, &self.access.visible(soql)),
        )
    }
}

impl Requests {
    /// A read without the fields that are known to be hidden by now.
    pub(crate) fn visible(&self, call: &Call) -> Call {
        let mut call = call.clone();
        if self.access.hidden().is_empty() {
            return call;
        }
        if call.method == "GET" {
            call.path = self.visible_query(&call.path).unwrap_or(call.path);
            return call;
        }
        let Ok(mut body) = serde_json::from_str::<Value>(&call.body) else {
            return call;
        };
        let parts = body["compositeRequest"].as_array_mut();
        for part in parts.into_iter().flatten() {
            let path = part["url"].as_str().and_then(|url| self.visible_query(url));
            if let Some(path) = path {
                part["url"] = Value::from(path);
            }
        }
        call.body = body.to_string();
        call
    }

    fn visible_query(&self, path: &str) -> Option<String> {
        let (_, soql) = path.split_once("/query?q=")?;
        let soql = percent_decode_str(soql).decode_utf8().ok()?;
        Some(query_path(&self.api_version, &self.access.visible(&soql)))
    }
}

pub(super) fn get(operation: &str, path: String) -> Call {
    Call {
        headers: Vec::new(),
        ..json_call(operation, "GET", path, String::new())
    }
}

/// Whole folios with at least one matching booking.
fn folios(fits: &str) -> String {
    format!(
        "SELECT {OPPORTUNITY}, (SELECT {BOOKING} FROM Bookings__r ORDER BY Name), \
         (SELECT {LINE} FROM Payment_Transactions__r ORDER BY Name) \
         FROM Opportunity WHERE Id IN (SELECT Opportunity__c FROM Booking__c WHERE {fits}) ORDER BY Id"
    )
}

/// Reservation: the folio of the matching booking, with all its bookings, and the fields needed to
/// create or change one.
pub(super) fn reservation(fits: &str) -> String {
    format!(
        "SELECT {OPPORTUNITY}, (SELECT {BOOKING}, Number_of_Guests__c, Special_Requests__c, Room__r.Room_Type__c, \
         Room__r.Floor__c, Room__r.Nightly_Rate__c, Room__r.Max_Occupancy__c, Room__r.Bed_Configuration__c, Room__r.View_Type__c, \
         Room__r.Accessible__c FROM Bookings__r ORDER BY Name), (SELECT {LINE} FROM Payment_Transactions__r ORDER BY Name) \
         FROM Opportunity WHERE Id IN (SELECT Opportunity__c FROM Booking__c WHERE {fits})"
    )
}

/// SOQL of a trace; also the last part of a check-out.
pub(super) fn trace(opportunity: &str, booking: &str) -> String {
    format!(
        "SELECT {OPPORTUNITY}, (SELECT {BOOKING} FROM Bookings__r WHERE Id = {}), \
         (SELECT {LINE} FROM Payment_Transactions__r ORDER BY Name) FROM Opportunity WHERE Id = {}",
        soql::text(booking),
        soql::text(opportunity)
    )
}
