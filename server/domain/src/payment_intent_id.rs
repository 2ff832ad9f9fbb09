//! Ids of payment intents.

use std::str::FromStr;

use crate::{
    stripe_id::{NotAStripeId, checked},
    text_type::text_type,
};

text_type! {
    /// Id of a payment intent: `pi_…`.
    PaymentIntentId
}

impl PaymentIntentId {
    /// The form of such ids, as a pattern for schemas.
    pub const PATTERN: &str = "^pi_[A-Za-z0-9_]{1,100}$";
}

impl TryFrom<String> for PaymentIntentId {
    type Error = NotAStripeId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        checked("pi_", text).map(Self)
    }
}

impl FromStr for PaymentIntentId {
    type Err = NotAStripeId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.to_owned().try_into()
    }
}
