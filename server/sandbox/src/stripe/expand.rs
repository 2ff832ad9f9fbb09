//! `expand[]`: replaces ids with their objects.

use serde_json::Value;

use super::error_body::Refusal;
use super::{Stripe, shown};

fn table(field: &str) -> Option<&'static str> {
    match field {
        "latest_charge" | "charge" => Some("charges"),
        "payment_intent" => Some("payment_intents"),
        "customer" => Some("customers"),
        "payment_method" | "default_payment_method" => Some("payment_methods"),
        _ => None,
    }
}

/// Rejects paths that no object supports, before anything runs.
pub fn check(paths: &[String]) -> Result<(), Refusal> {
    for path in paths {
        let known = path.split('.').all(|part| {
            table(part).is_some()
                || matches!(part, "data" | "invoice_settings" | "last_payment_error")
        });
        let ends_in_reference = path.rsplit('.').next().and_then(table).is_some();
        if !known || !ends_in_reference {
            return Err(
                Refusal::invalid(format!("This property cannot be expanded ({path})."))
                    .param("expand"),
            );
        }
        if path.split('.').count() > 4 {
            return Err(
                Refusal::invalid("You cannot expand more than 4 levels of a property.")
                    .param("expand"),
            );
        }
    }
    Ok(())
}

impl Stripe {
    pub(super) fn expanded(&self, mut object: Value, paths: &[String]) -> Value {
        for path in paths {
            let parts: Vec<&str> = path.split('.').collect();
            self.walk(&mut object, &parts);
        }
        object
    }

    fn walk(&self, value: &mut Value, path: &[&str]) {
        if let Value::Array(items) = value {
            for item in items {
                self.walk(item, path);
            }
            return;
        }
        let Some((head, rest)) = path.split_first() else {
            return;
        };
        let Some(field) = value.get_mut(*head) else {
            return;
        };
        if let (Some(table), Some(id)) = (table(head), field.as_str())
            && let Some(found) = self.ledger.get(table, id)
        {
            *field = shown(found);
        }
        self.walk(field, rest);
    }
}
