//! What a guest's own pages listen to.

use std::time::Duration;

use dewy_domain::ports::SignedIn;

use crate::{layout::Follows, page_context::PageContext};

/// The guest's changes, with the number as of now; asked for before the lists, so that a change in
/// between is seen as one.
pub async fn follow_own(ctx: &PageContext, who: &SignedIn) -> Follows {
    let seq = ctx
        .board
        .guest_changed(&who.caller, -1, Duration::ZERO)
        .await;
    Follows {
        events: Some("/guest/events".to_owned()),
        seq,
    }
}
