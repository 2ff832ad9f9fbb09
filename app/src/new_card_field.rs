//! Payment with a card that is not saved: Stripe's own card field, on pages that allow Stripe's
//! hosts.
//!
//! ```text
//! pay page ─► pay.js ─► js.stripe.com: Stripe's frame ─► createPaymentMethod ─► pm_… ─► the page's own form ─► this server
//! ```
//!
//! Card numbers are entered in Stripe's frame and never reach this server. As with any card, the
//! server decides the amount and creates the payment.

mod card_choice;

use std::sync::LazyLock;

use dewy_domain::money::{Cents, Currency};
use leptos::prelude::use_context;

use crate::asset_path::asset_path;

pub use card_choice::{CardOption, card_choice};

/// Stripe's publishable key, where Stripe is real. A demo has none and offers test cards instead.
#[derive(Clone, Debug)]
pub struct PublishableKey(pub Option<String>);

/// Pages where a payment card can be entered.
const PAY_PAGES: [&str; 3] = ["/guest/check-in", "/guest/check-out", "/guest/pay"];

/// Whether a payment card can be entered on this page.
#[must_use]
pub fn is_pay_page(path: &str) -> bool {
    PAY_PAGES.contains(&path)
}

pub const PAY_SCRIPT: &str = include_str!("../../public/pay.js");

pub static PAY_SCRIPT_PATH: LazyLock<String> =
    LazyLock::new(|| asset_path("pay", "js", PAY_SCRIPT));

/// Settings of Stripe's field: account, amount and currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardEntry {
    key: String,
    cents: Cents,
    currency: Currency,
    keepable: bool,
}

impl CardEntry {
    /// Settings for this amount; `None` in a demo, and where a card has nothing to pay.
    pub fn of(cents: Cents, currency: Currency) -> Option<Self> {
        let key = use_context::<PublishableKey>()?.0?;
        (cents.0 > 0 && !cents.needs_front_desk()).then_some(Self {
            key,
            cents,
            currency,
            keepable: false,
        })
    }

    /// With the question whether the card is kept for later stays: the form takes `save_card`.
    pub fn keepable(self) -> Self {
        Self {
            keepable: true,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pay_page_is_known_by_its_whole_path() {
        assert!(is_pay_page("/guest/check-out") && is_pay_page("/guest/pay"));
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
