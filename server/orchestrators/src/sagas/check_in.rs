//! The check-in saga: reads the reservation, then moves booking, room and opportunity. Its second
//! version, which hotels choose with `HOTEL_HOLD_CENTS`, first places a hold on the guest's card.
//!
//! ```text
//! read   reservations (one SOQL) ── rules ──► facts
//! hold   + one create-and-confirm call, captured later   − cancel it            (version 2)
//! move   + one composite, all or nothing     (no compensation: pursued until known, fenced before "not applied" is accepted)
//! ```

mod hold;
mod late_hold;
mod move_in;
mod presentation;
mod rules;

use std::time::Duration;

use dewy_domain::tool_catalog::CheckInGuest;
use dewy_saga::{End, Saga};
use futures::FutureExt;

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies, not_ready::label, outbox, place_hold::PlaceHold,
    reconciled_write::ReconciledWrite, release_hold::ReleaseHold,
};

pub(crate) use hold::{CheckInFacts, HOLD, HoldDecision, amount_to_hold, planned_hold};
pub(crate) use move_in::{MOVE, MoveIn, left_otherwise};
pub(crate) use presentation::{Labels, welcome};

pub const CHECK_IN: &str = CheckInGuest::NAME;

const TITLE: &str = "Check in";

/// Delays of the rechecks for a hold whose request had been given up for lost.
const RECHECKS: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(600)];

/// The check-in of hotels without holds.
pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let saga = Saga::new(CHECK_IN, 1, TITLE)
        .prepare(parts.prerequisites(|parts, cx, input| rules::read(parts, cx, input).boxed()));
    let only = "this is the only effect, and an unknown outcome is retried until it is resolved";
    moved_in(saga, parts, only)
}

/// The check-in that places a hold first. Without the setting it only finishes what began with it.
pub(crate) fn saga_with_hold(parts: &HotelDependencies) -> Saga {
    let saga = Saga::new(CHECK_IN, 2, TITLE)
        .finishes_only_if(parts.settings.hold_per_night.is_none())
        .prepare(
            parts.prerequisites(|parts, cx, input| rules::read_with_hold(parts, cx, input).boxed()),
        )
        .step(
            HOLD,
            "Reserve the amount on the card",
            PlaceHold::new(parts, hold::wanted),
        )
        .undo(
            HOLD,
            "Release the reserved amount",
            ReleaseHold::new(parts, hold::placed),
        )
        .money()
        .until_known();
    let last = "nothing follows it, and an unknown outcome is retried until it is resolved";
    moved_in(saga, parts, last)
        .recheck_after(RECHECKS, late_hold::LateHold::new(parts))
        .labels(|cx| {
            cx.output(HOLD)
                .map(|hold| label("payment_intent_id", hold.id))
        })
}

/// The saga with the step that both versions share, and their ends.
fn moved_in(saga: Saga, parts: &HotelDependencies, why_no_undo: &'static str) -> Saga {
    saga.pivot(
        MOVE,
        "Check in to the room",
        ReconciledWrite::new(parts, MoveIn(move_in::stay)),
    )
    .no_undo(why_no_undo)
    .until_known()
    .attention(left_otherwise)
    .projection(outbox::after(
        End::Completed,
        "check_in",
        &parts.settings,
        presentation::text,
    ))
    .answer(presentation::answer)
}
