//! Every saga of the hotel and its presentation. New sagas are added here.

use std::sync::Arc;

use dewy_domain::ports::{Crm, Payments, Texts};
use dewy_saga::{Definition, Journal, Progress, Saga, journal::Record};
use serde_json::Value;

use crate::{
    charge::{self, PostCharge},
    check_in::{self, CheckIn},
    check_out::{self, CheckOut},
    compensate::{self, Compensate},
    create_booking::{self, CreateBooking},
    create_contact::{self, CreateContact},
    key_value_store::KeyValueStore,
    manage_bookings::{self, ManageBookings},
    manage_cases::{self, ManageCases},
    operator_decision::{self, Resolve},
    presentation::Presentation,
    review_payment::{self, ReviewPayment},
    send_text::{self, SendText},
    set_room_status::{self, SetRoomStatus},
    settings::Settings,
    submit_maintenance::{self, SubmitMaintenance},
    submit_request::{self, SubmitRequest},
    task::Task,
};

/// Every saga, in every version that may still run.
pub(crate) fn sagas(
    crm: &Arc<dyn Crm>,
    payments: &Arc<dyn Payments>,
    texts: &Arc<dyn Texts>,
    journal: &Arc<dyn Journal>,
    key_value_store: &Arc<dyn KeyValueStore>,
    settings: &Settings,
) -> Vec<Arc<dyn Saga>> {
    let mut sagas: Vec<Arc<dyn Saga>> = vec![
        Arc::new(CheckIn::new(Arc::clone(crm), settings.clone())),
        Arc::new(CheckOut::new(
            Arc::clone(crm),
            Arc::clone(payments),
            Arc::clone(journal),
            Arc::clone(key_value_store),
            settings.clone(),
        )),
        Arc::new(PostCharge::new(Arc::clone(crm), settings.clone())),
        Arc::new(Compensate::new(
            Arc::clone(crm),
            Arc::clone(payments),
            Arc::clone(journal),
            Arc::clone(key_value_store),
            settings.clone(),
        )),
        Arc::new(ReviewPayment::new()),
        Arc::new(SendText::new(
            Arc::clone(crm),
            Arc::clone(texts),
            settings.clone(),
        )),
        Arc::new(Task(CreateBooking::new(Arc::clone(crm), settings.clone()))),
        Arc::new(Task(ManageBookings::new(Arc::clone(crm), settings.clone()))),
        Arc::new(Task(SubmitRequest::new(Arc::clone(crm), settings))),
        Arc::new(Task(SubmitMaintenance::new(Arc::clone(crm), settings))),
        Arc::new(Task(ManageCases::new(
            Arc::clone(crm),
            Arc::clone(key_value_store),
            settings,
        ))),
        Arc::new(Task(SetRoomStatus::new(Arc::clone(crm), settings))),
        Arc::new(Task(CreateContact::new(Arc::clone(crm), settings))),
    ];
    #[cfg(debug_assertions)]
    if settings.next_release {
        let next = CheckOut::new(
            Arc::clone(crm),
            Arc::clone(payments),
            Arc::clone(journal),
            Arc::clone(key_value_store),
            settings.clone(),
        );
        sagas.push(Arc::new(next.by(&crate::check_out::CHECK_OUT_NEXT)));
    }
    let definitions: Vec<&'static Definition> = sagas.iter().map(|s| s.definition()).collect();
    sagas.push(Arc::new(Resolve::new(
        Arc::clone(journal),
        settings.clone(),
        definitions,
        presentation,
    )));
    sagas
}

/// A definition this program does not have.
struct Unknown;

impl Presentation for Unknown {
    fn summary(&self, record: &Record, _: &Progress, _: Option<&Value>, _: &Settings) -> String {
        format!("This program does not know the workflow {}.", record.saga)
    }
}

/// Presentation of a saga's executions.
pub(crate) fn presentation(saga: &str) -> &'static dyn Presentation {
    match saga {
        "process_guest_checkout" => &check_out::Labels,
        "check_in_guest" => &check_in::Labels,
        "post_charge" => &charge::Labels,
        "compensate_checkout_failure" => &compensate::Labels,
        "resolve_execution" => &operator_decision::Labels,
        "review_payment" => &review_payment::Labels,
        "send_text" => &send_text::Labels,
        "create_booking" => &create_booking::WORDS,
        "manage_bookings" => &manage_bookings::WORDS,
        "submit_guest_service_request" => &submit_request::WORDS,
        "submit_maintenance_request" => &submit_maintenance::WORDS,
        "manage_cases" => &manage_cases::WORDS,
        "set_room_status" => &set_room_status::WORDS,
        "create_contact_if_not_found" => &create_contact::WORDS,
        _ => &Unknown,
    }
}
