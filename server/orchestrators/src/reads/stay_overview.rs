//! A guest's home page: stays, open requests, and balances. One composite of three queries.

use dewy_domain::{
    caller::{Caller, Persona},
    error_code::ErrorCode,
    stay::Stay,
    stay_overview::{STAY_OVERVIEW, StayBalance, StayOverview, StayOverviewQuery},
    tool_answer::ToolError,
    tool_output::OwnCase,
};
use serde_json::json;

use crate::{
    hotel::{hotel_service::Hotel, salesforce_call_budget::Cost},
    reads::search_bookings,
    saga_parts::tool_answer,
};

/// Maximum number of stays; no guest has more.
const MAX_STAYS: u32 = 100;
/// Maximum number of open requests.
const MAX_REQUESTS: u32 = 30;

/// The caller's own records; staff have none.
pub(crate) async fn run(hotel: &Hotel, caller: &Caller) -> Result<StayOverview, ToolError> {
    if caller.persona != Persona::Guest {
        let details = json!({ "tool": STAY_OVERVIEW });
        return Err(ToolError::with(ErrorCode::UnknownTool, details));
    }
    hotel.spend_salesforce_calls(caller, Cost::STAY_OVERVIEW)?;
    let query = StayOverviewQuery {
        guest: caller.identity(),
        max_bookings: MAX_STAYS,
        max_cases: MAX_REQUESTS,
    };
    let records = hotel.crm.stay_overview(&query).await.answered();
    let records = records.map_err(|error| {
        tracing::warn!(error = %error, "a guest's stays could not be read");
        tool_answer::upstream_failure(&error)
    })?;
    let currency = hotel.settings.currency;
    let balance = |stay: &Stay| {
        Some(StayBalance {
            booking_number: stay.booking.number.clone(),
            balance: stay.balance()?,
            currency,
        })
    };
    let bookings = records.bookings.into_iter();
    Ok(StayOverview {
        stays: bookings
            .map(|row| search_bookings::own(row, currency))
            .collect(),
        requests: records.cases.into_iter().map(OwnCase::from).collect(),
        balances: records.in_house.iter().filter_map(balance).collect(),
    })
}
