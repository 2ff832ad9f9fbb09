//! The guest request saga: files a guest's request as a case about their room.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    answer::ToolError,
    case::{Case, CaseOrder},
    error_code::ErrorCode,
    guest::{Guest, GuestQuery},
    ports::Crm,
};
use dewy_saga::{Activity, Context, Definition, Direction, Read};
use serde_json::{Value, json};

use crate::{
    bridge,
    bridge::guest,
    open_case::{self, Open, presentation, subject},
    reconciled_write::ReconciledWrite,
    set_room_status::room,
    settings::Settings,
    task::{self, Job, text},
    tool_answer::{later, refused},
};

/// Definition of the guest request saga.
pub static SUBMIT_REQUEST: Definition = Definition {
    name: "submit_guest_service_request",
    version: 1,
    title: "Ask for service",
    steps: &[open_case::STEP],
    looks: &[],
};

/// Presentation of the guest request saga.
pub(crate) static WORDS: task::Labels = task::Labels {
    done: |data| {
        format!(
            "{} was asked for: {}.",
            text(data, "type"),
            text(data, "subject").trim_end_matches('.')
        )
    },
    doing: "Passing the request on.",
    not_done: "The request was not passed on.",
};

/// The guest request saga with its port.
pub(crate) struct SubmitRequest {
    crm: Arc<dyn Crm>,
    open: ReconciledWrite<Open>,
}

impl SubmitRequest {
    /// Creates the saga.
    pub(crate) fn new(crm: Arc<dyn Crm>, settings: &Settings) -> Self {
        let open = Open {
            crm: Arc::clone(&crm),
            order: |cx| cx.progress.facts.as_ref().and_then(bridge::read),
        };
        Self {
            open: ReconciledWrite::new(open, settings.salesforce_deadline),
            crm,
        }
    }

    /// The room concerned, and its booking.
    async fn place(&self, cx: &Context<'_>, person: &Guest) -> Result<Place, Read> {
        let in_house: Vec<_> = person
            .stays
            .iter()
            .filter(|stay| stay.booking_status == "Checked In")
            .collect();
        let Some(number) = cx.input["room_number"].as_str() else {
            return match in_house.as_slice() {
                [] => Ok(Place::default()),
                [stay] => Ok(Place::of(
                    &stay.room_id,
                    Some((&stay.booking_id, &stay.booking_number)),
                    &stay.room_number,
                )),
                several => {
                    let bookings: Vec<_> = several
                        .iter()
                        .map(|s| json!({ "booking_number": s.booking_number, "room_number": s.room_number }))
                        .collect();
                    Err(refused(ToolError::with(
                        ErrorCode::MultipleBookings,
                        json!({ "bookings": bookings }),
                    )))
                }
            };
        };
        if let Some(stay) = in_house
            .iter()
            .find(|stay| stay.room_number.eq_ignore_ascii_case(number))
        {
            return Ok(Place::of(
                &stay.room_id,
                Some((&stay.booking_id, &stay.booking_number)),
                &stay.room_number,
            ));
        }
        let none = || {
            refused(ToolError::with(
                ErrorCode::RoomNotFound,
                json!({ "room_number": number }),
            ))
        };
        // Guests may only name their own room.
        if guest(cx).is_some() {
            return Err(none());
        }
        match room(self.crm.as_ref(), number).await.answered() {
            Ok(Some(facts)) => Ok(Place::of(&facts.room.id, None, &facts.room.number)),
            Ok(None) => Err(none()),
            Err(trouble) => Err(later(trouble)),
        }
    }
}

/// Room and booking of a request.
#[derive(Default)]
struct Place {
    room_id: Option<String>,
    booking_id: Option<String>,
    labels: Vec<(String, String)>,
}

impl Place {
    fn of(room_id: &str, booking: Option<(&str, &str)>, room_number: &str) -> Self {
        let mut labels = vec![("room_number".to_owned(), room_number.to_owned())];
        labels.extend(booking.map(|(_, number)| ("booking_number".to_owned(), number.to_owned())));
        Self {
            room_id: Some(room_id.to_owned()),
            booking_id: booking.map(|(id, _)| id.to_owned()),
            labels,
        }
    }
}

#[async_trait]
impl Job for SubmitRequest {
    fn definition(&self) -> &'static Definition {
        &SUBMIT_REQUEST
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        let email = text(cx.input, "guest_email").to_owned();
        let person = match self
            .crm
            .guests(&GuestQuery::Email(email), 1)
            .await
            .answered()
        {
            Ok(guests) => guests.into_iter().next(),
            Err(trouble) => return later(trouble),
        };
        let Some(person) = person else {
            return refused(ToolError::new(ErrorCode::GuestNotFound));
        };
        let place = match self.place(&cx, &person).await {
            Ok(place) => place,
            Err(read) => return read,
        };
        let description = text(cx.input, "description");
        let order = CaseOrder {
            execution_id: cx.id.to_string(),
            subject: subject(description),
            description: description.to_owned(),
            kind: text(cx.input, "type").to_owned(),
            priority: cx.input["priority"].as_str().unwrap_or("Medium").to_owned(),
            origin: if guest(&cx).is_some() {
                "Web"
            } else {
                "Internal"
            }
            .to_owned(),
            contact_id: Some(person.id),
            booking_id: place.booking_id,
            room_id: place.room_id,
        };
        Read::Ready {
            facts: bridge::value(&order),
            claims: Vec::new(),
            labels: place.labels,
        }
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        ((step, way) == (open_case::STEP.name, Direction::Forward))
            .then_some(&self.open as &dyn Activity)
    }

    fn done(&self, cx: Context<'_>) -> Option<(Value, bool)> {
        let case: Case = cx
            .progress
            .done(open_case::STEP.name, Direction::Forward)
            .and_then(bridge::read)?;
        Some((presentation(&case), true))
    }
}
