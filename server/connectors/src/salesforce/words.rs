//! The stage and status names of one org: Salesforce ships none of them, so every org may have its own.

use serde::{Deserialize, Serialize};

/// Names as they stand in the org's picklists. The defaults are the reference org's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CrmWords {
    /// `Booking__c.Status__c` before arrival.
    pub booking_reserved: String,
    /// `Booking__c.Status__c` of a guest in the house.
    pub booking_checked_in: String,
    /// `Booking__c.Status__c` after departure.
    pub booking_checked_out: String,
    /// `Booking__c.Status__c` of a booking called off.
    pub booking_cancelled: String,
    /// `Booking__c.Status__c` of a guest who never came.
    pub booking_no_show: String,
    /// `Hotel_Room__c.Status__c` of a room ready to be taken.
    pub room_vacant: String,
    /// `Hotel_Room__c.Status__c` of a room with a guest.
    pub room_occupied: String,
    /// `Hotel_Room__c.Status__c` after a guest left.
    pub room_cleaning: String,
    /// `Opportunity.StageName` of a booking made.
    pub stage_confirmed: String,
    /// `Opportunity.StageName` of a guest in the house.
    pub stage_checked_in: String,
    /// `Opportunity.StageName` of a stay paid and over.
    pub stage_won: String,
    /// `Opportunity.StageName` of a booking called off.
    pub stage_lost: String,
    /// `Payment_Transaction__c.Payment_Method__c` of a card payment.
    pub method_card: String,
}

impl Default for CrmWords {
    fn default() -> Self {
        Self {
            booking_reserved: "Reserved".to_owned(),
            booking_checked_in: "Checked In".to_owned(),
            booking_checked_out: "Checked Out".to_owned(),
            booking_cancelled: "Cancelled".to_owned(),
            booking_no_show: "No Show".to_owned(),
            room_vacant: "Vacant".to_owned(),
            room_occupied: "Occupied".to_owned(),
            room_cleaning: "Cleaning".to_owned(),
            stage_confirmed: "Booking Confirmed".to_owned(),
            stage_checked_in: "Checked In".to_owned(),
            stage_won: "Closed Won".to_owned(),
            stage_lost: "Closed Lost".to_owned(),
            method_card: "Credit Card".to_owned(),
        }
    }
}
