//! Payment cards a guest can choose. Card numbers never get here: only Stripe's ids, brands and the
//! last four digits.

pub use dewy_domain::payment::TEST_CARDS;

use dewy_domain::{
    card_id::CardId,
    money::Cents,
    tool_output::{Folio, SavedCard},
};

use crate::{
    language::{named, t},
    new_card_field::CardOption,
};

/// `Visa •••• 4242`.
pub fn card_name(card: &SavedCard) -> String {
    card_of(&card.brand, &card.last4)
}

/// Field of a form with the card that pays or reserves.
pub const CARD: &str = "payment_method_id";

/// Saved card as an option of a form.
pub fn saved_card(card: &SavedCard) -> CardOption {
    CardOption {
        id: card.payment_method_id.to_string(),
        name: card_name(card),
        tag: String::new(),
    }
}

/// Saved cards, test cards in a demo, and a card that was entered before another error.
pub fn offered_cards(saved: &[SavedCard], demo: bool, typed: &str) -> Vec<CardOption> {
    let offer = |id: &str, name: String, tag: &str| CardOption {
        id: id.to_owned(),
        name,
        tag: tag.to_owned(),
    };
    let tests = TEST_CARDS
        .iter()
        .filter(|_| demo)
        .map(|(id, name)| offer(id, named("test-card", name), t!("test-card")));
    let mut offers: Vec<_> = saved.iter().map(saved_card).chain(tests).collect();
    if !demo && typed.parse::<CardId>().is_ok() && offers.iter().all(|one| one.id != typed) {
        offers.push(offer(typed, t!("check-out-typed").to_owned(), ""));
    }
    offers
}

/// The card that is charged unless another is chosen.
pub fn usual_card(saved: &[SavedCard]) -> Option<String> {
    let default = saved.iter().find(|card| card.default);
    let usual = default.or(saved.first())?;
    Some(usual.payment_method_id.to_string())
}

/// Name of a card that is not saved.
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

/// What the guest's card reserves for the stay, and the card.
pub fn held(folio: &Folio) -> Option<(Cents, String)> {
    let first = folio.holds.first()?;
    let brand = first.card_brand.as_deref().unwrap_or_default();
    let last4 = first.card_last4.as_deref().unwrap_or_default();
    let reserved = folio.holds.iter().map(|hold| hold.amount).sum();
    Some((reserved, card_of(brand, last4)))
}
