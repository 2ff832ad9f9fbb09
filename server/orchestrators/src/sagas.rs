//! Every saga of the hotel, one file each, and its presentation. A new saga is a module and one row of
//! [`SAGAS`].

pub(crate) mod check_in;
pub(crate) mod check_out;
pub(crate) mod compensate_checkout;
pub(crate) mod create_booking;
pub(crate) mod create_contact;
pub(crate) mod manage_bookings;
pub(crate) mod manage_cases;
pub(crate) mod operator_decision;
pub(crate) mod post_charge;
pub(crate) mod release_hold;
pub(crate) mod remove_saved_card;
pub(crate) mod renew_hold;
pub(crate) mod request_late_checkout;
pub(crate) mod review_account;
pub(crate) mod review_payment;
pub(crate) mod send_email;
pub(crate) mod send_text;
pub(crate) mod set_room_status;
pub(crate) mod submit_maintenance;
pub(crate) mod submit_request;
pub(crate) mod undo_check_in;

use dewy_domain::{
    sentence::Sentence,
    tool::Tool,
    tool_catalog::{
        CheckInGuest, CreateBooking, CreateContactIfNotFound, ManageBookings, ManageCases,
        PostCharge, RemoveSavedCard, RequestLateCheckout, SetRoomStatus, SubmitGuestServiceRequest,
        SubmitMaintenanceRequest, UndoCheckIn,
    },
};
use dewy_saga::Saga;
use serde_json::Value;

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    presentation::{Presentation, Presented},
    tool_answer,
};

/// Name of a saga, its declaration, and its presentation.
type Entry = (
    &'static str,
    fn(&HotelDependencies) -> Saga,
    &'static dyn Presentation,
);

/// Declares the table of sagas.
macro_rules! sagas {
    ($($name:expr => $saga:path, $presentation:path;)+) => {
        /// Every saga but the operators' decisions, which need the definitions of the others.
        static SAGAS: &[Entry] = &[$(($name, $saga, &$presentation)),+];
    };
}

sagas! {
    CheckInGuest::NAME => check_in::saga, check_in::Labels;
    CheckInGuest::NAME => check_in::saga_with_saved_card, check_in::Labels;
    CheckInGuest::NAME => check_in::saga_with_hold, check_in::Labels;
    UndoCheckIn::NAME => undo_check_in::saga, undo_check_in::PRESENTATION;
    UndoCheckIn::NAME => undo_check_in::saga_with_hold, undo_check_in::PRESENTATION;
    check_out::CHECK_OUT => check_out::saga, check_out::Labels;
    check_out::CHECK_OUT => check_out::capture_last::saga, check_out::Labels;
    PostCharge::NAME => post_charge::saga, post_charge::Labels;
    RemoveSavedCard::NAME => remove_saved_card::saga, remove_saved_card::PRESENTATION;
    compensate_checkout::COMPENSATE => compensate_checkout::saga, compensate_checkout::Labels;
    release_hold::RELEASE_HOLD => release_hold::saga, release_hold::Labels;
    renew_hold::RENEW_HOLD => renew_hold::saga, renew_hold::Labels;
    review_payment::REVIEW_PAYMENT => review_payment::saga, review_payment::Labels;
    review_account::REVIEW_ACCOUNT => review_account::saga, review_account::Labels;
    send_text::SEND_TEXT => send_text::saga, send_text::Labels;
    send_email::SEND_EMAIL => send_email::saga, send_email::Labels;
    CreateBooking::NAME => create_booking::saga, create_booking::PRESENTATION;
    create_booking::WALK_IN => create_booking::walk_in, create_booking::PRESENTATION;
    ManageBookings::NAME => manage_bookings::saga, manage_bookings::PRESENTATION;
    SubmitGuestServiceRequest::NAME => submit_request::saga, submit_request::PRESENTATION;
    RequestLateCheckout::NAME => request_late_checkout::saga, submit_request::PRESENTATION;
    SubmitMaintenanceRequest::NAME => submit_maintenance::saga, submit_maintenance::PRESENTATION;
    ManageCases::NAME => manage_cases::saga, manage_cases::PRESENTATION;
    manage_cases::GRANT_LATE_CHECKOUT => manage_cases::grant_late_checkout, manage_cases::PRESENTATION;
    SetRoomStatus::NAME => set_room_status::saga, set_room_status::PRESENTATION;
    CreateContactIfNotFound::NAME => create_contact::saga, create_contact::PRESENTATION;
}

/// Every saga, in every version that may still run; `change` may add to them.
pub(crate) fn sagas(
    parts: &HotelDependencies,
    change: impl FnOnce(Vec<Saga>) -> Vec<Saga>,
) -> Vec<Saga> {
    let mut sagas = change(SAGAS.iter().map(|(_, saga, _)| saga(parts)).collect());
    let definitions = sagas.iter().map(|saga| saga.definition().clone()).collect();
    sagas.push(operator_decision::saga(parts, definitions, presentation));
    sagas
        .into_iter()
        .map(|saga| saga.refusals(tool_answer::resource_held, tool_answer::unavailable))
        .collect()
}

/// A definition this program does not have.
struct Unknown;

impl Presentation for Unknown {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let record = of.record;
        format!("This program does not know the workflow {}.", record.saga).into()
    }
}

/// Name of the saga that a call of this tool starts.
pub(crate) fn saga_of(tool: &Tool, input: &Value) -> &'static str {
    match tool.name {
        CreateBooking::NAME if input["check_in"] == true => create_booking::WALK_IN,
        ManageCases::NAME if !input["late_checkout_fee"].is_null() => {
            manage_cases::GRANT_LATE_CHECKOUT
        }
        name => name,
    }
}

/// Presentation of a saga's executions.
pub(crate) fn presentation(saga: &str) -> &'static dyn Presentation {
    if saga == operator_decision::RESOLVE_EXECUTION {
        return &operator_decision::Labels;
    }
    let found = SAGAS.iter().find(|(name, ..)| *name == saga);
    found.map_or(&Unknown, |(.., labels)| *labels)
}
