//! Ids of Stripe's objects: a prefix that names the kind of object, then letters, digits and
//! underscores.

/// Maximum plausible length of an id after its prefix.
const MAX_LENGTH: usize = 100;

/// The text is not an id of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it must be {prefix} followed by letters and digits")]
pub struct NotAStripeId {
    /// Prefix that such ids have.
    pub prefix: &'static str,
}

/// Returns the text if it has the form of an id with this prefix. Only Stripe knows whether the
/// object exists.
pub(crate) fn checked(prefix: &'static str, text: String) -> Result<String, NotAStripeId> {
    let rest = text.strip_prefix(prefix).unwrap_or_default();
    let plausible = (1..=MAX_LENGTH).contains(&rest.len())
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plausible {
        Ok(text)
    } else {
        Err(NotAStripeId { prefix })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;
    use crate::payment_intent_id::PaymentIntentId;

    #[test]
    fn ids_have_their_prefix_and_are_alphanumeric_and_bounded() {
        let longest = format!("pi_{}", "x".repeat(MAX_LENGTH));
        for text in ["pi_1", "pi_card_visa", "pi_3Q0000Beth", &longest] {
            let id: PaymentIntentId = text.parse().unwrap();
            assert_eq!((id.as_str(), json!(id)), (text, json!(text)));
            assert_eq!(from_value::<PaymentIntentId>(json!(text)).unwrap(), id);
        }
        for text in [
            "",
            "pi_",
            "pm_1",
            "4242424242424242",
            "pi_1 2",
            "pi_1\n",
            "pi_1/refunds",
            "pi_é",
            "another",
            &format!("{longest}x"),
        ] {
            let refused = NotAStripeId { prefix: "pi_" };
            assert_eq!(text.parse::<PaymentIntentId>(), Err(refused), "{text}");
            assert!(
                from_value::<PaymentIntentId>(json!(text)).is_err(),
                "{text}"
            );
        }
    }
}
