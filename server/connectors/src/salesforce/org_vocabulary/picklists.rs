//! Picklist values of the hotel, and the org's picklists that contain them.

use dewy_domain::vocabulary::{
    BookingStatus, CaseOrigin, CasePriority, CaseStatus, CaseType, LineStatus, OpportunityStage,
    RoomStatus,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Picklist {
    BookingStatus,
    RoomStatus,
    Stage,
    /// Type of a folio line.
    LineType,
    /// Status of a folio line.
    LineStatus,
    Method,
    /// Delivery status of a message.
    TextStatus,
    /// Direction of a message.
    TextDirection,
    /// `Case.Status`.
    CaseStatus,
    /// `Case.Priority`.
    CasePriority,
    /// `Case.Type`.
    CaseType,
    /// `Case.Origin`.
    CaseOrigin,
    RoomType,
    Beds,
    View,
    /// Guest or staff.
    ContactType,
}

impl Picklist {
    /// API names of object and field.
    #[must_use]
    pub const fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::BookingStatus => ("Booking__c", "Status__c"),
            Self::RoomStatus => ("Hotel_Room__c", "Status__c"),
            Self::Stage => ("Opportunity", "StageName"),
            Self::LineType => ("Payment_Transaction__c", "Transaction_Type__c"),
            Self::LineStatus => ("Payment_Transaction__c", "Status__c"),
            Self::Method => ("Payment_Transaction__c", "Payment_Method__c"),
            Self::TextStatus => ("SMS_Notification__c", "Status__c"),
            Self::TextDirection => ("SMS_Notification__c", "Direction__c"),
            Self::CaseStatus => ("Case", "Status"),
            Self::CasePriority => ("Case", "Priority"),
            Self::CaseType => ("Case", "Type"),
            Self::CaseOrigin => ("Case", "Origin"),
            Self::RoomType => ("Hotel_Room__c", "Room_Type__c"),
            Self::Beds => ("Hotel_Room__c", "Bed_Configuration__c"),
            Self::View => ("Hotel_Room__c", "View_Type__c"),
            Self::ContactType => ("Contact", "Contact_Type__c"),
        }
    }
}

/// One of our types whose values are those of one picklist.
pub(crate) trait PicklistValue {
    const LIST: Picklist;

    fn word(&self) -> &str;
}

macro_rules! values_of {
    ($($list:ident: $values:ty,)*) => { $(
        impl PicklistValue for $values {
            const LIST: Picklist = Picklist::$list;

            fn word(&self) -> &str {
                self.as_str()
            }
        }
    )* };
}

values_of! {
    BookingStatus: BookingStatus,
    RoomStatus: RoomStatus,
    Stage: OpportunityStage,
    LineStatus: LineStatus,
    CaseStatus: CaseStatus,
    CasePriority: CasePriority,
    CaseType: CaseType,
    CaseOrigin: CaseOrigin,
}

/// Name in the setting, picklist, and the reference org's word.
pub(super) const WORDS: [(&str, Picklist, &str); 55] = [
    ("booking_reserved", Picklist::BookingStatus, "Reserved"),
    ("booking_checked_in", Picklist::BookingStatus, "Checked In"),
    (
        "booking_checked_out",
        Picklist::BookingStatus,
        "Checked Out",
    ),
    ("booking_cancelled", Picklist::BookingStatus, "Cancelled"),
    ("booking_no_show", Picklist::BookingStatus, "No Show"),
    ("room_vacant", Picklist::RoomStatus, "Vacant"),
    ("room_occupied", Picklist::RoomStatus, "Occupied"),
    ("room_cleaning", Picklist::RoomStatus, "Cleaning"),
    ("room_maintenance", Picklist::RoomStatus, "Maintenance"),
    (
        "room_out_of_service",
        Picklist::RoomStatus,
        "Out of Service",
    ),
    ("stage_confirmed", Picklist::Stage, "Booking Confirmed"),
    ("stage_checked_in", Picklist::Stage, "Checked In"),
    ("stage_won", Picklist::Stage, "Closed Won"),
    ("stage_lost", Picklist::Stage, "Closed Lost"),
    ("line_charge", Picklist::LineType, "Charge"),
    ("line_payment", Picklist::LineType, "Payment"),
    ("line_refund", Picklist::LineType, "Refund"),
    ("line_pending", Picklist::LineStatus, "Pending"),
    ("line_completed", Picklist::LineStatus, "Completed"),
    ("line_failed", Picklist::LineStatus, "Failed"),
    ("line_cancelled", Picklist::LineStatus, "Cancelled"),
    ("method_card", Picklist::Method, "Credit Card"),
    ("text_queued", Picklist::TextStatus, "Queued"),
    ("text_sent", Picklist::TextStatus, "Sent"),
    ("text_delivered", Picklist::TextStatus, "Delivered"),
    ("text_failed", Picklist::TextStatus, "Failed"),
    ("text_undelivered", Picklist::TextStatus, "Undelivered"),
    ("text_outbound", Picklist::TextDirection, "Outbound"),
    ("case_new", Picklist::CaseStatus, "New"),
    ("case_in_progress", Picklist::CaseStatus, "In Progress"),
    ("case_closed", Picklist::CaseStatus, "Closed"),
    ("case_low", Picklist::CasePriority, "Low"),
    ("case_medium", Picklist::CasePriority, "Medium"),
    ("case_high", Picklist::CasePriority, "High"),
    ("case_urgent", Picklist::CasePriority, "Urgent"),
    ("case_housekeeping", Picklist::CaseType, "Housekeeping"),
    ("case_room_service", Picklist::CaseType, "Room Service"),
    ("case_maintenance", Picklist::CaseType, "Maintenance"),
    ("case_concierge", Picklist::CaseType, "Concierge"),
    ("case_facilities", Picklist::CaseType, "Facilities"),
    ("case_by_guest", Picklist::CaseOrigin, "Web"),
    ("case_by_staff", Picklist::CaseOrigin, "Internal"),
    ("type_standard", Picklist::RoomType, "Standard"),
    ("type_deluxe", Picklist::RoomType, "Deluxe"),
    ("type_suite", Picklist::RoomType, "Suite"),
    ("type_penthouse", Picklist::RoomType, "Penthouse"),
    ("beds_1_king", Picklist::Beds, "1 King"),
    ("beds_1_queen", Picklist::Beds, "1 Queen"),
    ("beds_2_queens", Picklist::Beds, "2 Queens"),
    ("beds_2_doubles", Picklist::Beds, "2 Doubles"),
    ("view_city", Picklist::View, "City"),
    ("view_ocean", Picklist::View, "Ocean"),
    ("view_garden", Picklist::View, "Garden"),
    ("view_mountain", Picklist::View, "Mountain"),
    ("contact_guest", Picklist::ContactType, "Guest"),
];
