//! Search for guests.

use dewy_domain::{
    tool_catalog::SearchGuests,
    tool_output::{GuestListItem, ListResult},
};

use crate::pages::{prelude::*, staff::staff_reads::read_tool};

/// Result of `search_guests`.
pub type Guests = ListResult<GuestListItem>;

/// Matching guests for any known detail: a name, an email, a phone number, a booking or a room.
pub async fn find(
    ctx: &PageContext,
    user: &SignedIn,
    query: &str,
    here: &str,
) -> Result<Result<Guests, FormDraft>, PageError> {
    read_tool::<SearchGuests>(ctx, user, json!({ "query": query }), here).await
}
