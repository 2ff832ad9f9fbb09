//! Moving booking, room and opportunity in one composite. There is no marker: what became of it is seen by its effect.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    call::{Call, Reply},
    ports::{CheckInOrder, Crm, Trace},
    stay::Stay,
};
use dewy_saga::{Context, Fault};
use serde_json::Value;

use crate::{
    bridge,
    guarded::{
        Order, Seen, Write, missing, overtaken,
        stay::{difference, look, refreshed},
    },
};

/// The step's write.
pub(super) struct MoveIn(pub Arc<dyn Crm>);

/// The stay as it was read.
pub(super) fn stay(cx: &Context<'_>) -> Option<Stay> {
    cx.progress.facts.as_ref().and_then(bridge::read)
}

/// Whether the rows are as the check-in leaves them.
fn applied(read: &Stay, now: &Trace) -> bool {
    now.booking.status == "Checked In"
        && now.room.id == read.room.id
        && now.room.status == "Occupied"
        && now.room.current_guest.as_deref() == Some(read.booking.guest_id.as_str())
}

#[async_trait]
impl Write for MoveIn {
    fn step(&self) -> &'static str {
        "move"
    }

    fn order(&self, cx: &Context<'_>, found: Option<&Value>) -> Result<Order, Fault> {
        let stay = refreshed(stay(cx).ok_or_else(|| missing("the facts"))?, found);
        let stamp = stay.booking.stamp.at;
        Ok(Order::Send(self.0.check_in(&CheckInOrder { stay }), Some(stamp)))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0.send_check_in(call).await.map(|trace| bridge::value(&trace))
    }

    async fn look(&self, cx: &Context<'_>) -> Reply<Seen> {
        let Some(stay) = stay(cx) else { return Reply::Done(Seen::Refused(missing("the facts"))) };
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
