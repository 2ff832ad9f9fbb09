//! What the hotel wants guests, banks and its bookkeeping to read about a payment.

use dewy_domain::{
    email_address::EmailAddress, payment::PaymentTexts, statement_suffix::StatementSuffix,
    stay::Stay,
};

const PLACEHOLDERS: [&str; 3] = ["{hotel}", "{booking}", "{room}"];

/// Settings of a payment's texts; by default none is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaymentTextSettings {
    /// Description, with the placeholders `{hotel}`, `{booking}` and `{room}`.
    pub description: Option<String>,
    pub statement_suffix: Option<StatementSuffix>,
    /// Whether Stripe sends the guest its own receipt.
    pub stripe_receipts: bool,
}

impl PaymentTextSettings {
    /// Checks a description's placeholders.
    ///
    /// # Errors
    /// The unknown placeholder, or the unclosed brace.
    pub fn check_description(text: &str) -> Result<(), String> {
        let mut rest = text.to_owned();
        for known in PLACEHOLDERS {
            rest = rest.replace(known, "");
        }
        match rest.find(['{', '}']) {
            None => Ok(()),
            Some(at) => Err(format!(
                "{:?} is none of {}",
                rest[at..].chars().take(20).collect::<String>(),
                PLACEHOLDERS.join(", ")
            )),
        }
    }

    pub(crate) fn texts(
        &self,
        hotel: &str,
        stay: &Stay,
        guest: Option<EmailAddress>,
    ) -> PaymentTexts {
        let description = self.description.as_ref().map(|text| {
            text.replace("{hotel}", hotel)
                .replace("{booking}", stay.booking.number.as_str())
                .replace("{room}", stay.room.number.as_str())
        });
        PaymentTexts {
            description,
            statement_suffix: self.statement_suffix.clone(),
            receipt_email: guest.filter(|_| self.stripe_receipts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_placeholder_is_refused_at_the_start() {
        let check = PaymentTextSettings::check_description;
        assert_eq!(check("{hotel}, booking {booking}, room {room}"), Ok(()));
        assert_eq!(check("Your stay"), Ok(()));
        assert!(check("Booking {number}").is_err());
        assert!(check("Booking {booking").is_err());
    }
}
