//! The room status saga, for housekeeping and maintenance. It never sets or leaves Occupied, which
//! only check-in and check-out change.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    answer::ToolError,
    call::{Call, Reply},
    error_code::ErrorCode,
    inventory::{Missing, RoomFacts, RoomOrder, RoomQuery},
    ports::Crm,
    stay::Room,
};
use dewy_saga::{Activity, Context, Definition, Direction, Fault, Kind, Read};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    bridge,
    reconciled_write::{
        Precondition, ReconciledWrite, Seen, Write, WriteRequest, missing, overtaken,
    },
    settings::Settings,
    task::{self, Job, text},
    tool_answer::{later, need_complete, refused, settled},
};

/// Definition of the room status saga.
pub static SET_ROOM_STATUS: Definition = Definition {
    name: "set_room_status",
    version: 1,
    title: "Set a room's status",
    steps: &[task::step(
        "set",
        "Set the room's status",
        Kind::Pivot,
        "it is the only effect; setting it back is a call of its own",
    )],
    looks: &[],
};

/// Presentation of the room status saga.
pub(crate) static WORDS: task::Labels = task::Labels {
    done: |data| {
        format!(
            "Room {} is {} now.",
            text(data, "room_number"),
            text(data, "room_status")
        )
    },
    doing: "Setting the room's status.",
    not_done: "The room's status was not changed.",
};

/// Facts of a status change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Room as read.
    pub room: Room,
    /// New status.
    pub status: String,
}

/// The room status saga with its port.
pub(crate) struct SetRoomStatus {
    crm: Arc<dyn Crm>,
    set: ReconciledWrite<Set>,
}

impl SetRoomStatus {
    /// Creates the saga.
    pub(crate) fn new(crm: Arc<dyn Crm>, settings: &Settings) -> Self {
        let set = Set {
            crm: Arc::clone(&crm),
            step: "set",
            facts: |cx| cx.progress.facts.as_ref().and_then(bridge::read),
        };
        Self {
            set: ReconciledWrite::new(set, settings.salesforce_deadline),
            crm,
        }
    }
}

/// The room with that number.
pub(crate) async fn room(crm: &dyn Crm, number: &str) -> Reply<Option<RoomFacts>> {
    let query = RoomQuery {
        number: Some(number.to_owned()),
        limit: 1,
        ..RoomQuery::default()
    };
    crm.rooms(&query)
        .await
        .map(|rooms| rooms.into_iter().next())
}

/// Allowed next statuses.
fn next(status: &str) -> &'static [&'static str] {
    match status {
        "Vacant" => &["Cleaning", "Maintenance", "Out of Service"],
        "Cleaning" | "Maintenance" | "Out of Service" => &["Vacant"],
        _ => &[],
    }
}

fn data(room: &Room, before: &str, note: &str) -> Value {
    json!({ "room_number": room.number, "room_status": room.status, "previous_status": before, "note": note })
}

#[async_trait]
impl Job for SetRoomStatus {
    fn definition(&self) -> &'static Definition {
        &SET_ROOM_STATUS
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        let number = text(cx.input, "room_number");
        let room = match room(self.crm.as_ref(), number).await.answered() {
            Ok(Some(facts)) => match need_complete(&facts, &[Missing::Status]) {
                Ok(()) => facts.room,
                Err(error) => return refused(error),
            },
            Ok(None) => {
                return refused(ToolError::with(
                    ErrorCode::RoomNotFound,
                    json!({ "room_number": number }),
                ));
            }
            Err(trouble) => return later(trouble),
        };
        let status = text(cx.input, "status");
        let labels = vec![("room_number".to_owned(), room.number.clone())];
        if room.status == "Occupied" || room.current_guest.is_some() {
            let details = json!({ "room_number": room.number, "room_status": room.status });
            return refused(ToolError::with(ErrorCode::RoomOccupied, details));
        }
        if room.status == status {
            return Read::Finished {
                answer: settled(data(&room, status, "No changes needed.")),
                labels,
            };
        }
        if !next(&room.status).contains(&status) {
            let details = json!({ "room_number": room.number, "room_status": room.status, "allowed": next(&room.status) });
            return refused(ToolError::with(ErrorCode::InvalidTransition, details));
        }
        let claims = vec![format!("room:{}", room.id)];
        Read::Ready {
            facts: bridge::value(&Facts {
                room,
                status: status.to_owned(),
            }),
            claims,
            labels,
        }
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        ((step, way) == ("set", Direction::Forward)).then_some(&self.set as &dyn Activity)
    }

    fn done(&self, cx: Context<'_>) -> Option<(Value, bool)> {
        let now: RoomFacts = cx
            .progress
            .done("set", Direction::Forward)
            .and_then(bridge::read)?;
        let facts: Facts = cx.progress.facts.as_ref().and_then(bridge::read)?;
        Some((data(&now.room, &facts.room.status, ""), false))
    }
}

/// Writes a room's status, as a step of any saga; skipped if its facts name no room.
pub(crate) struct Set {
    /// The port.
    pub crm: Arc<dyn Crm>,
    /// Step.
    pub step: &'static str,
    /// Room and status, from the saga's facts.
    pub facts: fn(&Context<'_>) -> Option<Facts>,
}

#[async_trait]
impl Write for Set {
    fn step(&self) -> &'static str {
        self.step
    }

    fn order(&self, cx: &Context<'_>, found: Option<&Value>) -> Result<WriteRequest, Fault> {
        let Some(facts) = (self.facts)(cx) else {
            return Ok(WriteRequest::Skip(
                json!({ "note": "the room stays as it is" }),
            ));
        };
        let room = found
            .and_then(bridge::read::<RoomFacts>)
            .map_or(facts.room, |found| found.room);
        let stamp = room.stamp.at;
        Ok(WriteRequest::Send(
            self.crm.set_room_status(&RoomOrder {
                room,
                status: facts.status,
            }),
            Some(stamp),
        ))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.crm
            .send_room_status(call)
            .await
            .map(|room| bridge::value(&room))
    }

    async fn look(&self, cx: &Context<'_>) -> Reply<Seen> {
        let Some(facts) = (self.facts)(cx) else {
            return Reply::Done(Seen::Refused(missing("the facts")));
        };
        room(self.crm.as_ref(), &facts.room.number).await.map(|now| match now {
            None => Seen::Refused(Fault::new("booking_gone", "the room is not there any more")),
            Some(now) if now.room.status == facts.status => Seen::Applied(bridge::value(&now)),
            Some(now) if now.room.status == facts.room.status && now.room.current_guest == facts.room.current_guest => {
                Seen::Not {
                    fence: Precondition::Row(now.room.stamp.at, self.crm.touch_room(&now)),
                    found: bridge::value(&now),
                }
            }
            Some(now) => {
                let difference = json!({ "object": "room", "field": "Status__c", "ours": facts.room.status,
                    "found": now.room.status });
                Seen::Refused(overtaken("somebody else changed the room meanwhile", difference))
            }
        })
    }

    async fn raise(&self, call: &Call) -> Reply<()> {
        self.crm.send_touch(call).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_go_by_way_of_vacant() {
        assert!(next("Cleaning").contains(&"Vacant"));
        assert!(next("Vacant").contains(&"Out of Service"));
        assert!(!next("Cleaning").contains(&"Maintenance"));
        for status in [
            "Vacant",
            "Cleaning",
            "Maintenance",
            "Out of Service",
            "Occupied",
            "Deep Clean",
        ] {
            assert!(!next(status).contains(&"Occupied"), "{status}");
        }
        assert!(next("Occupied").is_empty());
    }
}
