//! The maintenance saga: files a defect reported by staff as a case; on request, first takes the
//! room out of service.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    answer::{Problem, ToolError},
    caller::Role,
    case::{Case, CaseOrder},
    error_code::ErrorCode,
    guest::{GuestQuery, GuestStay},
    inventory::RoomFacts,
    ports::Crm,
};
use dewy_saga::{Activity, Context, Definition, Direction, Kind, Read};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    bridge,
    open_case::{self, Open, presentation, subject},
    reconciled_write::ReconciledWrite,
    set_room_status::{self, Set, room},
    settings::Settings,
    task::{self, Job, text},
    tool_answer::{later, refused},
};

/// Definition of the maintenance saga.
pub static SUBMIT_MAINTENANCE: Definition = Definition {
    name: "submit_maintenance_request",
    version: 1,
    title: "Report a maintenance issue",
    steps: &[
        task::step(
            "close",
            "Take the room out of service",
            Kind::Pivot,
            "setting it back is a call of its own",
        ),
        open_case::STEP,
    ],
    looks: &[],
};

/// Presentation of the maintenance saga.
pub(crate) static WORDS: task::Labels = task::Labels {
    done: |data| {
        format!(
            "Reported for room {}: {}.",
            text(data, "room_number"),
            text(data, "subject").trim_end_matches('.')
        )
    },
    doing: "Reporting the defect.",
    not_done: "The defect was not reported.",
};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Facts {
    close: Option<set_room_status::Facts>,
    room_status: String,
    case: CaseOrder,
}

fn facts(cx: &Context<'_>) -> Option<Facts> {
    cx.progress.facts.as_ref().and_then(bridge::read)
}

/// The maintenance saga with its port.
pub(crate) struct SubmitMaintenance {
    crm: Arc<dyn Crm>,
    close: ReconciledWrite<Set>,
    open: ReconciledWrite<Open>,
}

impl SubmitMaintenance {
    /// Creates the saga.
    pub(crate) fn new(crm: Arc<dyn Crm>, settings: &Settings) -> Self {
        let close = Set {
            crm: Arc::clone(&crm),
            step: "close",
            facts: |cx| facts(cx)?.close,
        };
        let open = Open {
            crm: Arc::clone(&crm),
            order: |cx| Some(facts(cx)?.case),
        };
        Self {
            close: ReconciledWrite::new(close, settings.salesforce_deadline),
            open: ReconciledWrite::new(open, settings.salesforce_deadline),
            crm,
        }
    }
}

impl SubmitMaintenance {
    /// Contact of the reporting guest, and the stay in the room concerned.
    async fn reporter(&self, cx: &Context<'_>) -> Result<Option<(String, GuestStay)>, Read> {
        let Some(email) = cx.input["guest_email"].as_str() else {
            return Ok(None);
        };
        let role = cx.input["_by"]["role"].as_str().and_then(Role::from_name);
        if !role.is_some_and(Role::knows_guests) {
            let message =
                "Only the front desk reports by guest; give room_number and leave this out."
                    .to_owned();
            return Err(refused(ToolError::problems(&[Problem {
                field: "guest_email".to_owned(),
                message,
            }])));
        }
        let found = self
            .crm
            .guests(&GuestQuery::Email(email.to_owned()), 1)
            .await
            .answered()
            .map_err(later)?;
        let Some(guest) = found.into_iter().next() else {
            return Err(refused(ToolError::new(ErrorCode::GuestNotFound)));
        };
        let room = cx.input["room_number"].as_str();
        let mut stays: Vec<GuestStay> = guest
            .stays
            .into_iter()
            .filter(|stay| stay.booking_status == "Checked In")
            .filter(|stay| room.is_none_or(|room| stay.room_number.eq_ignore_ascii_case(room)))
            .collect();
        match (stays.pop(), stays.is_empty()) {
            (Some(stay), true) => Ok(Some((guest.id, stay))),
            (None, _) => {
                let details = json!({ "room_number": room });
                Err(refused(ToolError::with(
                    ErrorCode::BookingNotFound,
                    details,
                )))
            }
            (Some(last), false) => {
                let listed = stays.iter().chain([&last]);
                let bookings: Vec<_> = listed
                    .map(|stay| json!({ "booking_number": stay.booking_number, "room_number": stay.room_number }))
                    .collect();
                Err(refused(ToolError::with(
                    ErrorCode::MultipleBookings,
                    json!({ "bookings": bookings }),
                )))
            }
        }
    }
}

fn nobodys_room() -> Read {
    let message = "Give room_number, or the guest_email of a guest who is staying.".to_owned();
    refused(ToolError::problems(&[Problem {
        field: "room_number".to_owned(),
        message,
    }]))
}

#[async_trait]
impl Job for SubmitMaintenance {
    fn definition(&self) -> &'static Definition {
        &SUBMIT_MAINTENANCE
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        let reporter = match self.reporter(&cx).await {
            Ok(reporter) => reporter,
            Err(read) => return read,
        };
        let number = match (cx.input["room_number"].as_str(), &reporter) {
            (Some(number), _) => number,
            (None, Some((_, stay))) => stay.room_number.as_str(),
            (None, None) => return nobodys_room(),
        };
        let room = match room(self.crm.as_ref(), number).await.answered() {
            Ok(Some(facts)) => facts.room,
            Ok(None) => {
                return refused(ToolError::with(
                    ErrorCode::RoomNotFound,
                    json!({ "room_number": number }),
                ));
            }
            Err(trouble) => return later(trouble),
        };
        let out = cx.input["take_out_of_service"] == true;
        if out && (room.status == "Occupied" || room.current_guest.is_some()) {
            let details = json!({ "room_number": room.number, "room_status": room.status });
            return refused(ToolError::with(ErrorCode::RoomOccupied, details));
        }
        let description = text(cx.input, "description");
        let case = CaseOrder {
            execution_id: cx.id.to_string(),
            subject: subject(description),
            description: description.to_owned(),
            kind: cx.input["type"]
                .as_str()
                .unwrap_or("Maintenance")
                .to_owned(),
            priority: cx.input["priority"].as_str().unwrap_or("Medium").to_owned(),
            origin: "Internal".to_owned(),
            booking_id: reporter
                .as_ref()
                .filter(|(_, stay)| stay.room_id == room.id)
                .map(|(_, stay)| stay.booking_id.clone()),
            contact_id: reporter.map(|(guest, _)| guest),
            room_id: Some(room.id.clone()),
        };
        let closes = out && room.status != "Out of Service";
        let claims = if closes {
            vec![format!("room:{}", room.id)]
        } else {
            Vec::new()
        };
        let labels = vec![("room_number".to_owned(), room.number.clone())];
        let room_status = room.status.clone();
        let close = closes.then(|| set_room_status::Facts {
            room,
            status: "Out of Service".to_owned(),
        });
        Read::Ready {
            facts: bridge::value(&Facts {
                close,
                room_status,
                case,
            }),
            claims,
            labels,
        }
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        match (step, way) {
            ("close", Direction::Forward) => Some(&self.close),
            ("open", Direction::Forward) => Some(&self.open),
            _ => None,
        }
    }

    fn done(&self, cx: Context<'_>) -> Option<(Value, bool)> {
        let case: Case = cx
            .progress
            .done("open", Direction::Forward)
            .and_then(bridge::read)?;
        let closed: Option<RoomFacts> = cx
            .progress
            .done("close", Direction::Forward)
            .and_then(bridge::read);
        let mut data = presentation(&case);
        data["room_status"] =
            json!(closed.map_or(facts(&cx)?.room_status, |room| room.room.status));
        Some((data, true))
    }
}
