//! The check-in saga: reads the reservation, then moves booking, room and opportunity.
//!
//! ```text
//! read   reservations (one SOQL) ── rules ──► facts
//! move   + one composite, all or nothing     (no compensation: pursued until known, fenced before "not applied" is accepted)
//! ```

mod move_in;
mod presentation;
mod rules;

use dewy_domain::tool_catalog::CheckInGuest;
use dewy_saga::{End, Saga};
use futures::FutureExt;

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies, outbox, reconciled_write::ReconciledWrite, tool_answer,
};

pub(crate) use move_in::{MOVE, MoveIn, left_otherwise};
pub(crate) use presentation::{Labels, welcome};

pub const CHECK_IN: &str = CheckInGuest::NAME;

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    Saga::new(CHECK_IN, 1, "Check in")
        .prepare(parts.prerequisites(|parts, cx, input| rules::read(parts, cx, input).boxed()))
        .pivot(
            MOVE,
            "Check in to the room",
            ReconciledWrite::new(parts, MoveIn(move_in::stay)),
        )
        .no_undo("this is the only effect, and an unknown outcome is retried until it is resolved")
        .until_known()
        .attention(left_otherwise)
        .projection(outbox::after(
            End::Completed,
            "check_in",
            &parts.settings,
            presentation::text,
        ))
        .answer(tool_answer::of_result_or(
            "checked_in",
            presentation::checked_in,
        ))
}
