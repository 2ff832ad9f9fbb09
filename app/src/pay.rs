//! Paying with a card that is not on file: Stripe's own card field, on pages of which the browser
//! lets Stripe's hosts in.
//!
//! ```text
//! pay page ─► pay.js ─► js.stripe.com: a frame of Stripe's ─► createPaymentMethod ─► pm_… ─► the page's own form ─► our server
//! ```
//!
//! Card numbers are typed into Stripe's frame and never come here. The amount and the payment are
//! the server's, as with any card.

mod choice;

use std::{
    hash::{DefaultHasher, Hasher},
    sync::LazyLock,
};

use dewy_domain::money::{Cents, Currency};
use leptos::prelude::use_context;

pub use choice::{Offer, card_choice};

/// Stripe's key for browsers, where Stripe is real; it is public. In a demo there is none, and test
/// cards are offered instead.
#[derive(Clone, Debug)]
pub struct PublishableKey(pub Option<String>);

/// Where a card can be typed.
const PAY_PAGES: [&str; 2] = ["/guest/check-out", "/guest/pay"];

/// Whether this is a page on which a card can be typed.
#[must_use]
pub fn is_pay_page(path: &str) -> bool {
    PAY_PAGES.contains(&path.trim_end_matches('/'))
}

/// The pay pages' own script.
pub const PAY_SCRIPT: &str = include_str!("../../public/pay.js");

/// Where it is served. The name tells the content, so browsers keep it for ever.
pub static PAY_SCRIPT_PATH: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    hasher.write(PAY_SCRIPT.as_bytes());
    format!("/pkg/pay-{:016x}.js", hasher.finish())
});

/// What Stripe's field is told: whose account, and how much will be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typing {
    key: String,
    cents: Cents,
    currency: Currency,
}

impl Typing {
    /// Where a card can be typed for this amount; nothing in a demo, and nothing where there is
    /// nothing to pay.
    pub fn of(cents: Cents, currency: Currency) -> Option<Self> {
        let key = use_context::<PublishableKey>()?.0?;
        (cents.0 > 0).then_some(Self {
            key,
            cents,
            currency,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pay_page_is_known_by_its_whole_path() {
        assert!(
            is_pay_page("/guest/check-out")
                && is_pay_page("/guest/pay")
                && is_pay_page("/guest/pay/")
        );
        for path in [
            "/guest",
            "/guest/pay/return",
            "/guest/payments",
            "/staff/stays/BK-0042/check-out",
            "/",
        ] {
            assert!(!is_pay_page(path), "{path}");
        }
    }

    #[test]
    fn the_script_never_sends_a_card_itself() {
        for word in [
            "fetch(",
            "XMLHttpRequest",
            "sendBeacon",
            "innerHTML",
            "console.",
        ] {
            assert!(!PAY_SCRIPT.contains(word), "{word}");
        }
    }
}
