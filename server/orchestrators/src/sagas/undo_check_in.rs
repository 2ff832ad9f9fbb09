//! The saga that undoes a check-in: restores booking, room and opportunity, unless somebody has
//! changed the stay since.
//!
//! ```text
//! read     the stay (one SOQL) ∥ its check-in in the journal ── rules ──► facts
//! restore  + one composite, all or nothing, then the trace    (no compensation: pursued until known)
//! ```

mod restore;
mod rules;

use dewy_domain::{stay::Stay, tool_catalog::UndoCheckIn, tool_output::UndoCheckInResult};
use dewy_saga::{Context, Saga};
use futures::FutureExt;
use serde::{Deserialize, Serialize};

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies, presentation, reconciled_write::ReconciledWrite,
    tool_answer,
};

use restore::{RESTORE, Restore};

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    Saga::new(UndoCheckIn::NAME, 1, "Undo a check-in")
        .prepare(parts.prerequisites(|parts, cx, input| rules::read(parts, cx, input).boxed()))
        .pivot(
            RESTORE,
            "Restore the reservation and the room",
            ReconciledWrite::new(parts, Restore),
        )
        .no_undo("this is the only effect; checking in again is a separate call")
        .until_known()
        .attention(restore::left_otherwise)
        .answer(tool_answer::of_result(result))
}

pub(crate) static PRESENTATION: presentation::Labels<UndoCheckInResult> = presentation::Labels {
    done: |undone| {
        format!(
            "The check-in of booking {} was undone. Room {} is {}.",
            undone.booking_number, undone.room_number, undone.room_status
        )
        .into()
    },
    doing: || "Undoing the check-in.".into(),
    not_done: || "The check-in was not undone; nothing was changed.".into(),
};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Facts {
    before: Stay,
    /// Stay as read now: as the check-in left it.
    now: Stay,
}

/// The stay as restored.
fn result(cx: Context<'_>) -> Option<(UndoCheckInResult, bool)> {
    let (now, facts) = (cx.output(RESTORE)?, cx.facts::<Facts>()?);
    let stay = Stay {
        booking: now.booking,
        room: now.room,
        opportunity: now.opportunity,
        ..facts.now
    };
    Some((undo_result(&stay, ""), false))
}

fn undo_result(stay: &Stay, note: &str) -> UndoCheckInResult {
    UndoCheckInResult {
        booking_number: stay.booking.number.clone(),
        room_number: stay.room.number.clone(),
        booking_status: stay.booking.status.clone(),
        room_status: stay.room.status.clone(),
        opportunity_stage: stay.opportunity.stage.clone(),
        note: note.to_owned(),
    }
}
