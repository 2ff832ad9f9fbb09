//! What leaves the journal for people holds no secrets.

use serde_json::Value;

/// Stands for what was taken out.
const WITHHELD: &str = "(withheld)";

/// Takes out what opens something at a vendor, such as the secret in the address of a bank's page;
/// true if there was any.
pub(crate) fn without_secrets(value: Value) -> (Value, bool) {
    match value {
        Value::String(text) if text.contains("_secret") => (WITHHELD.into(), true),
        Value::Array(items) => {
            let (items, withheld): (Vec<_>, Vec<_>) =
                items.into_iter().map(without_secrets).unzip();
            (items.into(), withheld.contains(&true))
        }
        Value::Object(fields) => {
            let mut any = false;
            let fields = fields.into_iter().map(|(name, value)| {
                let (value, withheld) = match value {
                    Value::String(_) if name.contains("secret") => (WITHHELD.into(), true),
                    value => without_secrets(value),
                };
                any |= withheld;
                (name, value)
            });
            (Value::Object(fields.collect()), any)
        }
        value => (value, false),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_taken_out_wherever_they_are() {
        let bank = "https://hooks.stripe.com/3ds?payment_intent_client_secret=pi_1_secret_x";
        let event =
            json!({ "value": [{ "next_action_url": bank }], "client_secret": "x", "id": "pi_1" });
        let (shown, withheld) = without_secrets(event);
        assert!(withheld);
        let expected = json!({ "value": [{ "next_action_url": WITHHELD }], "client_secret": WITHHELD, "id": "pi_1" });
        assert_eq!(shown, expected);
        let plain = json!({ "id": "pi_1", "amount": 1 });
        assert_eq!(without_secrets(plain.clone()), (plain, false));
    }
}
