//! Live updates of a guest's pages.

use std::time::Duration;

use dewy_domain::ports::SignedIn;

use crate::{layout::EventStream, page_context::PageContext};

/// Stream of the guest's changes, with the current number. Read before the lists, so that a change
/// in between is noticed.
pub async fn guest_event_stream(ctx: &PageContext, user: &SignedIn) -> EventStream {
    let seq = ctx
        .board
        .guest_changed(&user.caller, -1, Duration::ZERO)
        .await;
    EventStream {
        events: Some("/guest/events".to_owned()),
        seq,
    }
}
