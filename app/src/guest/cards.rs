//! Cards a guest can choose from. Numbers never come here: only Stripe's ids, brands and last four
//! digits.

pub use dewy_domain::payment::TEST_CARDS;

use super::folio::SavedCard;

/// `Visa •••• 4242`.
pub fn card_name(card: &SavedCard) -> String {
    let brand = match card.brand.as_str() {
        "visa" => "Visa",
        "mastercard" => "Mastercard",
        "amex" => "American Express",
        "discover" => "Discover",
        "" => "Card",
        other => other,
    };
    format!("{brand} •••• {}", card.last4)
}
