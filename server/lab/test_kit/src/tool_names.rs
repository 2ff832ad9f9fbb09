//! Names of the tools.

pub const CHECK_IN: &str = "check_in_guest";
pub const UNDO: &str = "undo_check_in";
pub const CHECK_OUT: &str = "process_guest_checkout";
pub const CHARGE: &str = "post_charge";
/// Replaces a hold that expires before its guest leaves.
pub const RENEW: &str = "renew_hold";
/// Refunds a payment, and reverts its check-out.
pub const COMPENSATE: &str = "compensate_checkout_failure";
/// Shows a person what others did to a payment.
pub const REVIEW: &str = "review_payment";
/// Carries out a person's decision.
pub const RESOLVE: &str = "resolve_execution";
/// Sends a text that another execution owes.
pub const TEXT: &str = "send_text";
pub const BOOK: &str = "create_booking";
/// Books a room and checks in: the saga of [`BOOK`] with `check_in`.
pub const WALK_IN: &str = "walk_in";
/// Opens a case for a guest's request.
pub const REQUEST: &str = "submit_guest_service_request";
/// Opens a case for a defect.
pub const DEFECT: &str = "submit_maintenance_request";
/// Grants a late check-out: the saga of [`CASES`] with a fee.
pub const GRANT: &str = "grant_late_checkout";
/// Asks for a late check-out, with a case.
pub const LATE_CHECKOUT: &str = "request_late_checkout";
/// Opens or changes a case.
pub const CASES: &str = "manage_cases";
/// Changes or cancels a booking.
pub const MANAGE: &str = "manage_bookings";
pub const ROOM: &str = "set_room_status";
