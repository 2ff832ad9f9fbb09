//! Cards a guest can choose from. Numbers never come here: only Stripe's ids, brands and last four digits.

use super::folio::SavedCard;

/// Stripe's published test cards for a demo: id, what it is, what it does.
pub const TEST_CARDS: [(&str, &str); 5] = [
    ("pm_card_visa", "Visa •••• 4242, which pays"),
    ("pm_card_mastercard", "Mastercard •••• 4444, which pays"),
    ("pm_card_visa_chargeDeclined", "Visa •••• 0002, which is declined"),
    ("pm_card_visa_chargeDeclinedInsufficientFunds", "Visa •••• 9995, which has no funds"),
    ("pm_card_authenticationRequired", "Visa •••• 3184, whose bank wants to ask you first"),
];

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
