//! The tool catalog: every tool, one file each.

mod check_in_guest;
mod compensate_checkout_failure;
mod create_booking;
mod create_contact_if_not_found;
mod fields;
mod get_execution;
mod get_folio;
mod list_compensations;
mod manage_bookings;
mod manage_cases;
mod post_charge;
mod process_guest_checkout;
mod resolve_execution;
mod search_available_rooms;
mod search_bookings;
mod search_cases_on_behalf_of_guest;
mod search_cases_on_behalf_of_staff;
mod search_executions;
mod search_guests;
mod search_rooms_on_behalf_of_guest;
mod search_rooms_on_behalf_of_staff;
mod set_room_status;
mod submit_guest_service_request;
mod submit_maintenance_request;
mod undo_check_in;

pub use check_in_guest::CheckInGuest;
pub use compensate_checkout_failure::CompensateCheckoutFailure;
pub use create_booking::CreateBooking;
pub use create_contact_if_not_found::CreateContactIfNotFound;
pub use fields::{CASE_NUMBER, PHONE_FIELDS, RECORD_NAME};
pub use get_execution::GetExecution;
pub use get_folio::GetFolio;
pub use list_compensations::ListCompensations;
pub use manage_bookings::ManageBookings;
pub use manage_cases::ManageCases;
pub use post_charge::{MAX_CHARGE, PostCharge};
pub use process_guest_checkout::ProcessGuestCheckout;
pub use resolve_execution::ResolveExecution;
pub use search_available_rooms::SearchAvailableRooms;
pub use search_bookings::SearchBookings;
pub use search_cases_on_behalf_of_guest::SearchCasesOnBehalfOfGuest;
pub use search_cases_on_behalf_of_staff::SearchCasesOnBehalfOfStaff;
pub use search_executions::SearchExecutions;
pub use search_guests::SearchGuests;
pub use search_rooms_on_behalf_of_guest::SearchRoomsOnBehalfOfGuest;
pub use search_rooms_on_behalf_of_staff::SearchRoomsOnBehalfOfStaff;
pub use set_room_status::SetRoomStatus;
pub use submit_guest_service_request::SubmitGuestServiceRequest;
pub use submit_maintenance_request::SubmitMaintenanceRequest;
pub use undo_check_in::{UNDO_CHECK_IN_WINDOW, UndoCheckIn};

use std::sync::LazyLock;

use crate::{
    caller::{Caller, Role},
    tool::Tool,
};

/// Every role.
const ALL_ROLES: &[Role] = &Role::ALL;
/// Roles that handle guests' money.
const FRONT_DESK_ROLES: &[Role] = &[Role::FrontDesk, Role::Manager];

/// Built once: every call looks up its tool, and the schemas are large.
static ALL: LazyLock<Vec<Tool>> = LazyLock::new(entries);

/// All tools, in listing order.
#[must_use]
pub fn all() -> &'static [Tool] {
    &ALL
}

fn entries() -> Vec<Tool> {
    vec![
        search_available_rooms::tool(),
        create_booking::tool(),
        manage_bookings::tool(),
        check_in_guest::tool(),
        undo_check_in::tool(),
        get_folio::tool(),
        process_guest_checkout::tool(),
        post_charge::tool(),
        submit_guest_service_request::tool(),
        submit_maintenance_request::tool(),
        manage_cases::tool(),
        set_room_status::tool(),
        create_contact_if_not_found::tool(),
        search_rooms_on_behalf_of_guest::tool(),
        search_cases_on_behalf_of_guest::tool(),
        search_bookings::tool(),
        search_rooms_on_behalf_of_staff::tool(),
        search_cases_on_behalf_of_staff::tool(),
        search_guests::tool(),
        get_execution::tool(),
        search_executions::tool(),
        list_compensations::tool(),
        compensate_checkout_failure::tool(),
        resolve_execution::tool(),
    ]
}

/// The tools this caller may use, in listing order.
#[must_use]
pub fn for_caller(caller: &Caller) -> Vec<&'static Tool> {
    all()
        .iter()
        .filter(|tool| tool.exists_for(caller))
        .collect()
}

/// The tool with that name, if this caller may use it.
#[must_use]
pub fn find(caller: &Caller, name: &str) -> Option<&'static Tool> {
    all()
        .iter()
        .find(|tool| tool.name == name && tool.exists_for(caller))
}
