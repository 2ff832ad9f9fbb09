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
mod remove_saved_card;
mod request_late_checkout;
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

pub use fields::{CASE_NUMBER, PHONE_FIELDS, RECORD_NAME, TIME_OF_DAY};
pub use manage_bookings::NO_REQUESTS;
pub use post_charge::MAX_CHARGE;
pub use request_late_checkout::LATEST_CHECKOUT;
pub use undo_check_in::UNDO_CHECK_IN_WINDOW;

use std::{any::TypeId, sync::LazyLock};

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

/// Declares the tools.
macro_rules! tools {
    ($($file:ident::$input:ident,)+) => {
        $(pub use $file::$input;)+

        fn entries() -> Vec<Tool> {
            vec![$($file::tool()),+]
        }
    };
}

// In listing order
tools! {
    search_available_rooms::SearchAvailableRooms,
    create_booking::CreateBooking,
    manage_bookings::ManageBookings,
    check_in_guest::CheckInGuest,
    undo_check_in::UndoCheckIn,
    get_folio::GetFolio,
    process_guest_checkout::ProcessGuestCheckout,
    remove_saved_card::RemoveSavedCard,
    post_charge::PostCharge,
    submit_guest_service_request::SubmitGuestServiceRequest,
    request_late_checkout::RequestLateCheckout,
    submit_maintenance_request::SubmitMaintenanceRequest,
    manage_cases::ManageCases,
    set_room_status::SetRoomStatus,
    create_contact_if_not_found::CreateContactIfNotFound,
    search_rooms_on_behalf_of_guest::SearchRoomsOnBehalfOfGuest,
    search_cases_on_behalf_of_guest::SearchCasesOnBehalfOfGuest,
    search_bookings::SearchBookings,
    search_rooms_on_behalf_of_staff::SearchRoomsOnBehalfOfStaff,
    search_cases_on_behalf_of_staff::SearchCasesOnBehalfOfStaff,
    search_guests::SearchGuests,
    get_execution::GetExecution,
    search_executions::SearchExecutions,
    list_compensations::ListCompensations,
    compensate_checkout_failure::CompensateCheckoutFailure,
    resolve_execution::ResolveExecution,
}

/// The tool with that name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Tool> {
    all().iter().find(|tool| tool.name == name)
}

/// Whether the result of the tool with that name is of this type.
#[must_use]
pub fn returns<T: 'static>(name: &str) -> bool {
    named(name).is_some_and(|tool| tool.result == TypeId::of::<T>())
}

/// The tool whose fields this request form of guests has.
#[must_use]
pub fn guest_form(form: &str) -> Option<&'static Tool> {
    all().iter().find(|tool| tool.guest_form == Some(form))
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
    named(name).filter(|tool| tool.exists_for(caller))
}
