//! Labels of operations on guests' stays.

use crate::language::t;

/// Page title of an operation.
pub fn title(tool: &str) -> &'static str {
    match tool.as_bytes() {
        b"process_guest_checkout" => t!("activity-check-out"),
        b"check_in_guest" => t!("activity-check-in"),
        b"undo_check_in" => t!("activity-undo-check-in"),
        b"create_booking" => t!("activity-booking"),
        b"manage_bookings" => t!("activity-change"),
        b"submit_guest_service_request" => t!("activity-request"),
        b"post_charge" => t!("activity-charge"),
        _ => t!("activity-other"),
    }
}

/// First sentence of the activity's history.
pub fn request_sentence(tool: &str) -> &'static str {
    match tool.as_bytes() {
        b"check_in_guest" => t!("activity-asked-check-in"),
        b"process_guest_checkout" => t!("activity-asked-check-out"),
        b"create_booking" => t!("activity-asked-booking"),
        b"manage_bookings" => t!("activity-asked-change"),
        b"submit_guest_service_request" => t!("activity-asked-request"),
        _ => t!("activity-asked-other"),
    }
}
