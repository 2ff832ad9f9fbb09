//! Every saga of the hotel and its presentation. New sagas are added here.

use dewy_domain::answer_body::AnswerBody;
use dewy_saga::{Progress, Saga, journal::ExecutionRecord};

use crate::{
    saga_parts::{
        hotel_dependencies::HotelDependencies, presentation::Presentation, settings::Settings,
        tool_answer,
    },
    sagas::{
        check_in, check_out, compensate_checkout, create_booking, create_contact, manage_bookings,
        manage_cases, operator_decision, post_charge, review_account, review_payment, send_email,
        send_text, set_room_status, submit_maintenance, submit_request, undo_check_in,
    },
};

/// Every saga, in every version that may still run; `change` may add to them.
pub(crate) fn sagas(
    parts: &HotelDependencies,
    change: impl FnOnce(Vec<Saga>) -> Vec<Saga>,
) -> Vec<Saga> {
    let mut sagas = change(vec![
        check_in::saga(parts),
        undo_check_in::saga(parts),
        check_out::saga(parts),
        post_charge::saga(parts),
        compensate_checkout::saga(parts),
        review_payment::saga(),
        review_account::saga(),
        send_text::saga(parts),
        send_email::saga(parts),
        create_booking::saga(parts),
        manage_bookings::saga(parts),
        submit_request::saga(parts),
        submit_maintenance::saga(parts),
        manage_cases::saga(parts),
        set_room_status::saga(parts),
        create_contact::saga(parts),
    ]);
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
    fn summary(
        &self,
        record: &ExecutionRecord,
        _: &Progress,
        _: Option<&AnswerBody>,
        _: &Settings,
    ) -> String {
        format!("This program does not know the workflow {}.", record.saga)
    }
}

/// Presentation of a saga's executions.
pub(crate) fn presentation(saga: &str) -> &'static dyn Presentation {
    match saga {
        check_out::CHECK_OUT => &check_out::Labels,
        check_in::CHECK_IN => &check_in::Labels,
        undo_check_in::UNDO_CHECK_IN => &undo_check_in::PRESENTATION,
        post_charge::POST_CHARGE => &post_charge::Labels,
        compensate_checkout::COMPENSATE => &compensate_checkout::Labels,
        operator_decision::RESOLVE_EXECUTION => &operator_decision::Labels,
        review_account::REVIEW_ACCOUNT => &review_account::Labels,
        review_payment::REVIEW_PAYMENT => &review_payment::Labels,
        send_text::SEND_TEXT => &send_text::Labels,
        send_email::SEND_EMAIL => &send_email::Labels,
        create_booking::CREATE_BOOKING => &create_booking::PRESENTATION,
        manage_bookings::MANAGE_BOOKINGS => &manage_bookings::PRESENTATION,
        submit_request::SUBMIT_REQUEST => &submit_request::PRESENTATION,
        submit_maintenance::SUBMIT_MAINTENANCE => &submit_maintenance::PRESENTATION,
        manage_cases::MANAGE_CASES => &manage_cases::PRESENTATION,
        set_room_status::SET_ROOM_STATUS => &set_room_status::PRESENTATION,
        create_contact::CREATE_CONTACT => &create_contact::PRESENTATION,
        _ => &Unknown,
    }
}
