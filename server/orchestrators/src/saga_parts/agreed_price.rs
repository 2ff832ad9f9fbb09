//! Price that a person agreed to, compared with the one that would be written.

use dewy_domain::{
    error_code::ErrorCode,
    money::{Cents, Currency},
    tool_answer::ToolError,
};
use serde_json::json;

/// Whether a stay has the agreed price; without one, any price is.
///
/// # Errors
/// `PRICE_CHANGED`, with the price as it is.
pub(crate) fn check_agreed_price(
    agreed: Option<Cents>,
    price: Cents,
    before: Option<Cents>,
    currency: Currency,
) -> Result<(), ToolError> {
    match agreed.filter(|agreed| *agreed != price) {
        None => Ok(()),
        Some(agreed) => {
            let mut details = json!({ "amount": agreed, "price": price, "currency": currency });
            if let Some(before) = before {
                details["price_before"] = json!(before);
            }
            Err(ToolError::with(ErrorCode::PriceChanged, details))
        }
    }
}
