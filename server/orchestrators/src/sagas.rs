//! The sagas, one file each, and their registry.

pub(crate) mod check_in;
pub(crate) mod check_out;
pub(crate) mod compensate_checkout;
pub(crate) mod create_booking;
pub(crate) mod create_contact;
pub(crate) mod manage_bookings;
pub(crate) mod manage_cases;
pub(crate) mod operator_decision;
pub(crate) mod post_charge;
pub(crate) mod review_account;
pub(crate) mod review_payment;
pub(crate) mod saga_registry;
pub(crate) mod send_email;
pub(crate) mod send_text;
pub(crate) mod set_room_status;
pub(crate) mod submit_maintenance;
pub(crate) mod submit_request;
pub(crate) mod undo_check_in;
