//! What guests, banks and the bookkeeping read about a payment.

use dewy_domain::statement_suffix::StatementSuffix;
use dewy_orchestrators::PaymentTextSettings;

use super::variable_reader::Reader;

/// Maximum length of a description; Stripe shows it in lists.
const LONGEST: usize = 200;

/// Reads `STRIPE_DESCRIPTION`, `STRIPE_STATEMENT_SUFFIX` and `STRIPE_RECEIPTS`. They are not part of
/// Stripe's credentials: a demo shows them too.
pub(super) fn read(from: &mut Reader<'_>) -> PaymentTextSettings {
    let description = from.text("STRIPE_DESCRIPTION");
    if let Some(text) = &description {
        if text.chars().count() > LONGEST || text.chars().any(char::is_control) {
            let fault = format!("must be one line of at most {LONGEST} characters");
            from.problem("STRIPE_DESCRIPTION", fault);
        }
        if let Err(fault) = PaymentTextSettings::check_description(text) {
            from.problem("STRIPE_DESCRIPTION", fault);
        }
    }
    let statement_suffix = from.text("STRIPE_STATEMENT_SUFFIX").and_then(|text| {
        let read = text.parse::<StatementSuffix>();
        read.map_err(|fault| from.problem("STRIPE_STATEMENT_SUFFIX", fault.to_string()))
            .ok()
    });
    let stripe_receipts = match from.text("STRIPE_RECEIPTS").as_deref() {
        None | Some("off") => false,
        Some("guest") => true,
        Some(other) => {
            from.problem(
                "STRIPE_RECEIPTS",
                format!("{other:?} is neither guest nor off"),
            );
            false
        }
    };
    PaymentTextSettings {
        description,
        statement_suffix,
        stripe_receipts,
    }
}
