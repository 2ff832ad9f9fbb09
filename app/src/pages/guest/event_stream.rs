//! Live updates of a guest's pages.

use std::time::Duration;

use dewy_domain::execution_view::GuestActivity;

use crate::{layout::EventStream, pages::prelude::*};

/// Stream of the guest's changes, with the current number. Read before the lists, so that a change
/// in between is noticed.
pub async fn guest_event_stream(ctx: &PageContext, user: &SignedIn) -> EventStream {
    let seq = ctx
        .board
        .guest_changed(&user.caller, -1, Duration::ZERO)
        .await;
    of(seq)
}

/// The same for a page that has read the guest's [`GUEST_ACTIVITIES`] newest activities, before its
/// other lists.
///
/// [`GUEST_ACTIVITIES`]: dewy_domain::ports::GUEST_ACTIVITIES
pub async fn guest_event_stream_with(
    ctx: &PageContext,
    user: &SignedIn,
    activities: &[GuestActivity],
) -> EventStream {
    of(ctx.board.guest_number(&user.caller, activities).await)
}

fn of(seq: i64) -> EventStream {
    EventStream {
        events: Some("/guest/events".to_owned()),
        seq,
        as_of: None,
    }
}
