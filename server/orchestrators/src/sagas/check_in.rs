//! The check-in saga: reads the reservation, then moves booking, room and opportunity. Its third
//! version, which hotels choose with `HOTEL_HOLD_CENTS`, first places a hold on the guest's card. The
//! second one knew saved cards only.
//!
//! ```text
//! read     reservations (one SOQL) ── rules ──► facts
//! customer + create one, for a new card                    (orphan: found again by email next time)    (version 3)
//! hold     + one create-and-confirm call, captured later   − cancel it                                 (versions 2, 3)
//! move   + one composite, all or nothing     (no compensation: pursued until known, fenced before "not applied" is accepted)
//! ```

mod hold;
mod late_hold;
mod move_in;
mod presentation;
mod rules;

use std::time::Duration;

use dewy_domain::tool_catalog::CheckInGuest;
use dewy_saga::{End, Prerequisites, Saga};
use futures::FutureExt;

use crate::saga_parts::{
    create_customer::{CUSTOMER, CreateCustomer},
    hotel_dependencies::HotelDependencies,
    not_ready::label,
    outbox,
    reconciled_write::ReconciledWrite,
    release_hold::ReleaseHold,
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

fn read_with_hold(parts: &HotelDependencies) -> impl Prerequisites + use<> {
    parts.prerequisites(|parts, cx, input| rules::read_with_hold(parts, cx, input).boxed())
}

/// The check-in that placed a hold on saved cards only: it finishes what it began.
pub(crate) fn saga_with_saved_card(parts: &HotelDependencies) -> Saga {
    let saga = Saga::new(CHECK_IN, 2, TITLE).finishes_only_if(true);
    held(saga.prepare(read_with_hold(parts)), parts)
}

/// The check-in that places a hold first. Without the setting it only finishes what began with it.
pub(crate) fn saga_with_hold(parts: &HotelDependencies) -> Saga {
    let saga = Saga::new(CHECK_IN, 3, TITLE)
        .finishes_only_if(parts.settings.hold_per_night.is_none())
        .prepare(read_with_hold(parts))
        .step(
            CUSTOMER,
            "Prepare the payment account",
            CreateCustomer::new(parts, hold::needs_customer),
        )
        .orphan("a customer without payments is harmless and is found again by email");
    held(saga, parts)
}

/// The saga with the hold and what follows it.
fn held(saga: Saga, parts: &HotelDependencies) -> Saga {
    let saga = saga
        .step(
            HOLD,
            "Reserve the amount on the card",
            hold::PlaceEither::new(parts),
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
