//! Moving booking, room and opportunity in one composite. There is no marker: what became of it is
//! seen by its effect.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    call::{Call, Reply},
    ports::{CheckInOrder, Crm, Trace},
    stay::Stay,
};
use dewy_saga::{Context, Direction, Fault};
use serde_json::Value;

use crate::{
    bridge,
    reconciled_write::{
        Seen, Write, WriteRequest, missing, overtaken,
        stay::{difference, look, refreshed},
    },
};

/// The step's write.
pub(super) struct MoveIn(pub Arc<dyn Crm>);

/// The stay as it was read.
pub(super) fn stay(cx: &Context<'_>) -> Option<Stay> {
    cx.progress.facts.as_ref().and_then(bridge::read)
}

/// Whether the rows are as the check-in leaves them. Once the booking says so all of it was
/// applied; what else the rows say, somebody or something has made of it since.
fn applied(read: &Stay, now: &Trace) -> bool {
    now.booking.status == "Checked In" && now.room.id == read.room.id
}

/// Something else wrote the rows in the moment of our write, such as a flow of the org: the room is
/// not the guest's.
pub(super) fn left_otherwise(cx: &Context<'_>) -> Option<String> {
    let now: Trace = cx
        .progress
        .done("move", Direction::Forward)
        .and_then(bridge::read)?;
    let stands = now.booking.status == "Checked In"
        && now.room.status == "Occupied"
        && now.room.current_guest.as_ref() == Some(&now.booking.guest_id);
    (!stands).then(|| "FOREIGN_EDIT".to_owned())
}

#[async_trait]
impl Write for MoveIn {
    fn step(&self) -> &'static str {
        "move"
    }

    fn order(&self, cx: &Context<'_>, found: Option<&Value>) -> Result<WriteRequest, Fault> {
        let stay = refreshed(stay(cx).ok_or_else(|| missing("the facts"))?, found);
        let stamp = stay.booking.stamp.at;
        Ok(WriteRequest::Send(
            self.0.check_in(&CheckInOrder { stay }),
            Some(stamp),
        ))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0
            .send_check_in(call)
            .await
            .map(|trace| bridge::value(&trace))
    }

    async fn look(&self, cx: &Context<'_>) -> Reply<Seen> {
        let Some(stay) = stay(cx) else {
            return Reply::Done(Seen::Refused(missing("the facts")));
        };
        look(self.0.as_ref(), cx, &stay, |trace| {
            if applied(&stay, trace) {
                return Some(Seen::Applied(bridge::value(trace)));
            }
            let words = "somebody else changed the stay meanwhile";
            difference(&stay, trace).map(|difference| Seen::Refused(overtaken(words, difference)))
        })
        .await
    }

    async fn raise(&self, call: &Call) -> Reply<()> {
        self.0.send_touch(call).await
    }
}
