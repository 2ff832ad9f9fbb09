//! Running executions by booking: no other operation starts on a booking meanwhile.

use std::collections::BTreeMap;

use dewy_domain::{
    booking_number::BookingNumber, execution_view::ExecutionListItem,
    tool_catalog::SearchExecutions,
};

use crate::pages::{
    prelude::*,
    staff::{board::return_url, staff_reads::read_tool},
};

/// Executions that are running or need a person, by booking number.
pub async fn runs(
    request: &PageRequest,
    user: &SignedIn,
) -> Result<BTreeMap<BookingNumber, ExecutionListItem>, PageError> {
    let input = json!({ "state": ExecutionState::OPEN, "limit": 200 });
    let list =
        read_tool::<SearchExecutions>(&request.ctx, user, input, &return_url(request)).await?;
    let mut found = BTreeMap::new();
    for item in list.unwrap_or_default().rows {
        if let Some(number) = item.booking_number.clone() {
            found.entry(number).or_insert(item);
        }
    }
    Ok(found)
}
