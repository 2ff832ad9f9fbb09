//! Ids of cards, which Stripe calls payment methods.

use std::str::FromStr;

use crate::{
    stripe_id::{NotAStripeId, checked},
    text_type::text_type,
};

text_type! {
    /// Id of a card. Cards that a person chooses begin with `pm_`; Stripe's own lists may name older
    /// cards by other ids.
    CardId
}

impl CardId {
    /// The form of a chosen card's id, as a pattern for schemas.
    pub const PATTERN: &str = "^pm_[A-Za-z0-9_]{1,100}$";
}

/// Takes any id, as Stripe and the journal name it.
impl From<String> for CardId {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// Reads the id of a chosen card.
impl FromStr for CardId {
    type Err = NotAStripeId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        checked("pm_", text.to_owned()).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn a_chosen_card_has_a_checked_id_and_a_listed_one_any() {
        for text in ["pm_card_visa", "pm_1BethVisa4242"] {
            assert_eq!(text.parse::<CardId>().unwrap(), text);
        }
        for text in ["", "pm_", "card_1", "4242424242424242", "pm_1 2", "pi_1"] {
            text.parse::<CardId>().unwrap_err();
        }
        let legacy: CardId = from_value(json!("card_1")).unwrap();
        assert_eq!(json!(legacy), json!("card_1"));
    }
}
