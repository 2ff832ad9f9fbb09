//! `Opportunity`: the sale of a stay.

use super::{
    CURRENCY_FIELD,
    field_constructors::{external, f, open, required, to},
};
use crate::salesforce::schema::{
    Computed, Field,
    Kind::{self, Currency, Date, Text},
    OnDelete,
};

pub(super) static FIELDS: &[Field] = &[
    required(f("Name", Text(120))),
    required(f("StageName", open(STAGES))),
    f("Amount", Currency(16, 2)),
    f(CURRENCY_FIELD, Text(3)),
    required(f("CloseDate", Date)),
    f(
        "AccountId",
        to("Account", "Account", "Opportunities", OnDelete::SetNull),
    ),
    f("IsClosed", Kind::Computed(Computed::OpportunityClosed)),
    f("IsWon", Kind::Computed(Computed::OpportunityWon)),
    f("Arrival_Date__c", Date),
    f("Departure_Date__c", Date),
    external(f("Payment_ID__c", Text(100))),
    f(
        "Total_Nights__c",
        Kind::Computed(Computed::OpportunityNights),
    ),
];

static STAGES: &[&str] = &[
    "Prospecting",
    "Qualification",
    "Booking Confirmed",
    "Checked In",
    "Negotiation/Review",
    "Closed Won",
    "Closed Lost",
];
