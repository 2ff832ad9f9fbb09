//! The saga that undoes a check-in: restores booking, room and opportunity, unless somebody has
//! changed the stay since.
//!
//! ```text
//! read     the stay (one SOQL) ∥ its check-in in the journal ── rules ──► facts
//! restore  + one composite, all or nothing, then the trace    (no compensation: pursued until known)
//! release  + cancel the check-in's hold, until Stripe answers   (version 2, with `HOTEL_HOLD_CENTS`)
//! ```

mod restore;
mod rules;

use dewy_domain::{
    payment_intent_id::PaymentIntentId, stay::Stay, tool_catalog::UndoCheckIn,
    tool_output::UndoCheckInResult,
};
use dewy_saga::{Context, Plan, Saga, StepId};
use futures::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    presentation,
    reconciled_write::{ReconciledWrite, missing_fact},
    release_hold::{ReleaseHold, ReleasedHold},
    tool_answer,
};

use restore::{RESTORE, Restore};

const RELEASE: StepId<ReleasedHold> = StepId::new("release");

const TITLE: &str = "Undo a check-in";

/// The undo of hotels without holds.
pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let only = "this is the only effect; checking in again is a separate call";
    restored(Saga::new(UndoCheckIn::NAME, 1, TITLE), parts, only)
}

/// The undo that also releases the check-in's hold. Without the setting it only finishes what began
/// with it.
pub(crate) fn saga_with_hold(parts: &HotelDependencies) -> Saga {
    let saga = Saga::new(UndoCheckIn::NAME, 2, TITLE)
        .finishes_only_if(parts.settings.hold_per_night.is_none());
    restored(saga, parts, "checking in again is a separate call")
        .retriable(
            RELEASE,
            "Release the reserved amount",
            ReleaseHold::new(parts, held),
        )
        .no_undo("a released hold is final; checking in again places another")
        .until_known()
        .attention(|cx| cx.output(RELEASE)?.attention())
}

/// The saga with the step that both versions share, and their ends.
fn restored(saga: Saga, parts: &HotelDependencies, why_no_undo: &'static str) -> Saga {
    saga.prepare(parts.prerequisites(|parts, cx, input| rules::read(parts, cx, input).boxed()))
        .pivot(
            RESTORE,
            "Restore the reservation and the room",
            ReconciledWrite::new(parts, Restore),
        )
        .no_undo(why_no_undo)
        .until_known()
        .attention(restore::left_otherwise)
        .answer(tool_answer::of_result(result))
}

/// The check-in's hold, from the journal.
fn held(cx: &Context<'_>) -> Result<PaymentIntentId, Plan> {
    let facts: Option<Facts> = cx.facts();
    let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the facts")))?;
    let none = || Plan::Skip(json!({ "note": "no amount was reserved" }));
    facts.hold.ok_or_else(none)
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
    /// Hold that the check-in placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hold: Option<PaymentIntentId>,
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
    let released = cx
        .output(RELEASE)
        .is_some_and(|hold| hold.attention().is_none());
    let note = if released {
        "The amount reserved on the card was released."
    } else {
        ""
    };
    Some((undo_result(&stay, note), false))
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
