//! Payment cards a guest can choose. Card numbers never get here: only Stripe's ids, brands and the
//! last four digits.

pub use dewy_domain::payment::TEST_CARDS;

use dewy_domain::tool_output::SavedCard;

use crate::language::t;

/// `Visa •••• 4242`.
pub fn card_name(card: &SavedCard) -> String {
    card_of(&card.brand, &card.last4)
}

/// The same of a card that is not saved.
pub fn card_of(brand: &str, last4: &str) -> String {
    let brand = match brand {
        "visa" => "Visa",
        "mastercard" => "Mastercard",
        "amex" => "American Express",
        "discover" => "Discover",
        "" => t!("card-brand"),
        other => other,
    };
    format!("{brand} •••• {last4}")
}
