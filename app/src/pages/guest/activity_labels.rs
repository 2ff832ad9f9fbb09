//! Labels of operations on guests' stays.

use crate::language::t;
use dewy_domain::tool_catalog::{
    CheckInGuest, CreateBooking, ManageBookings, PostCharge, ProcessGuestCheckout,
    SubmitGuestServiceRequest, UndoCheckIn,
};

/// Page title of an operation.
pub fn title(tool: &str) -> &'static str {
    match tool {
        ProcessGuestCheckout::NAME => t!("activity-check-out"),
        CheckInGuest::NAME => t!("activity-check-in"),
        UndoCheckIn::NAME => t!("activity-undo-check-in"),
        CreateBooking::NAME => t!("activity-booking"),
        ManageBookings::NAME => t!("activity-change"),
        SubmitGuestServiceRequest::NAME => t!("activity-request"),
        PostCharge::NAME => t!("activity-charge"),
        _ => t!("activity-other"),
    }
}

/// First sentence of the activity's history.
pub fn request_sentence(tool: &str) -> &'static str {
    match tool {
        CheckInGuest::NAME => t!("activity-asked-check-in"),
        ProcessGuestCheckout::NAME => t!("activity-asked-check-out"),
        CreateBooking::NAME => t!("activity-asked-booking"),
        ManageBookings::NAME => t!("activity-asked-change"),
        SubmitGuestServiceRequest::NAME => t!("activity-asked-request"),
        _ => t!("activity-asked-other"),
    }
}
