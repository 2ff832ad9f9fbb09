//! Names of the tools.

pub const CHECK_IN: &str = "check_in_guest";
pub const CHECK_OUT: &str = "process_guest_checkout";
pub const CHARGE: &str = "post_charge";
pub const COMPENSATE: &str = "compensate_checkout_failure";
pub const RESOLVE: &str = "resolve_execution";
pub const TEXT: &str = "send_text";
pub const BOOK: &str = "create_booking";
pub const REQUEST: &str = "submit_guest_service_request";
pub const DEFECT: &str = "submit_maintenance_request";
pub const CASES: &str = "manage_cases";
pub const MANAGE: &str = "manage_bookings";
pub const ROOM: &str = "set_room_status";
