//! Whether an action gives something up.

use dewy_domain::{
    tool_catalog::{ManageBookings, PostCharge, SubmitMaintenanceRequest},
    tool_input::ToolInput,
    vocabulary::BookingAction,
};
use serde_json::Value;

/// Whether approval gives something up: its button must not look like a gain.
pub(crate) fn is_destructive(tool: &str, input: &Value) -> bool {
    match tool {
        "manage_bookings" => ManageBookings::read(input).is_ok_and(|wanted| {
            matches!(wanted.action, BookingAction::Cancel | BookingAction::NoShow)
        }),
        "post_charge" => PostCharge::read(input).is_ok_and(|wanted| wanted.void),
        "submit_maintenance_request" => {
            SubmitMaintenanceRequest::read(input).is_ok_and(|wanted| wanted.take_out_of_service)
        }
        _ => false,
    }
}
