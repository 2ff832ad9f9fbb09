//! Customers.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use super::error_body::Refusal;
use super::params::Params;
use super::{Call, Stripe, shown};

const FIELDS: &str =
    "email name phone description metadata payment_method invoice_settings address shipping";

/// Delay after which the search finds a new customer; Stripe promises a minute.
const SEARCH_DELAY: SignedDuration = SignedDuration::from_secs(1);

impl Stripe {
    /// Beth Gibbs has paid before; nobody else has.
    pub(super) fn seed_customers(&mut self, now: Timestamp) {
        let created = now.as_second() - 86_400 * 30;
        let seq = self.ledger.next();
        let mut customer = blank("cus_BethGibbs0001", created, seq);
        customer["email"] = json!("beth.gibbs@email.com");
        customer["name"] = json!("Beth Gibbs");
        customer["invoice_settings"]["default_payment_method"] = json!("pm_1BethVisa4242");
        self.ledger.put("customers", customer);
        self.put_card(
            "pm_1BethVisa4242",
            "pm_card_visa",
            Some("cus_BethGibbs0001"),
            created,
        );
    }

    pub(super) fn create_customer(
        &mut self,
        params: &Params,
        call: &Call,
    ) -> Result<Value, Refusal> {
        params.only(FIELDS)?;
        params.only_in("invoice_settings", "default_payment_method footer")?;
        let id = self.ledger.id("cus_", 14);
        let seq = self.ledger.next();
        let mut customer = blank(&id, call.now.as_second(), seq);
        write(&mut customer, params)?;
        searchable_later(&mut customer, call);
        if let Some(token) = params.text("payment_method")? {
            // The payment method is checked before the customer is created; a decline creates
            // neither.
            let method = self.check_attachable(token, "payment_method")?;
            self.ledger.put("customers", customer.clone());
            self.attach_to(&method, &id, call);
        }
        if let Some(method) = params.inner("invoice_settings", "default_payment_method") {
            customer["invoice_settings"]["default_payment_method"] = json!(method);
        }
        self.ledger.put("customers", customer.clone());
        self.emit("customer.created", &customer, call);
        Ok(customer)
    }

    pub(super) fn update_customer(
        &mut self,
        id: &str,
        params: &Params,
        call: &Call,
    ) -> Result<Value, Refusal> {
        params.only(FIELDS)?;
        params.only_in("invoice_settings", "default_payment_method footer")?;
        let mut customer = self
            .ledger
            .get("customers", id)
            .cloned()
            .ok_or_else(|| Refusal::not_found("customer", id))?;
        write(&mut customer, params)?;
        if params.0.contains_key("email") {
            searchable_later(&mut customer, call);
        }
        if let Some(method) = params.inner("invoice_settings", "default_payment_method") {
            let owned = self
                .ledger
                .get("payment_methods", method)
                .is_some_and(|found| found["customer"] == id);
            if !owned {
                return Err(Refusal::missing_reference(
                    "PaymentMethod",
                    method,
                    "invoice_settings[default_payment_method]",
                ));
            }
            customer["invoice_settings"]["default_payment_method"] = json!(method);
        }
        self.ledger.put("customers", customer.clone());
        self.emit("customer.updated", &customer, call);
        Ok(customer)
    }

    /// `GET /v1/customers/search`: ignores the letter case, and finds a change only after a while.
    pub(super) fn search_customers(&self, params: &Params, call: &Call) -> Result<Value, Refusal> {
        params.only("query limit page")?;
        let query = params
            .text("query")?
            .ok_or_else(|| Refusal::needs("query"))?;
        let asked = query
            .strip_prefix("email:")
            .and_then(quoted)
            .ok_or_else(|| Refusal::not_simulated("query other than email:\"…\""))?
            .to_lowercase();
        let limit = params.integer("limit")?.unwrap_or(10);
        let limit = usize::try_from(limit).unwrap_or(0).clamp(1, 100);
        let skip = match params.text("page")? {
            None => 0,
            Some(page) => page
                .parse::<usize>()
                .map_err(|_| Refusal::invalid(format!("Invalid page: {page}")).param("page"))?,
        };
        let mut found: Vec<&Value> = self
            .ledger
            .all("customers")
            .filter(|row| {
                let email = row["email"].as_str().unwrap_or_default();
                email.to_lowercase() == asked && is_searchable(row, call.now)
            })
            .collect();
        found.sort_by_key(|row| std::cmp::Reverse((row["created"].as_i64(), row["_seq"].as_u64())));
        let has_more = found.len() > skip + limit;
        let data: Vec<Value> = found
            .into_iter()
            .skip(skip)
            .take(limit)
            .map(shown)
            .collect();
        let next = has_more.then(|| (skip + limit).to_string());
        Ok(json!({
            "object": "search_result", "data": data, "has_more": has_more, "next_page": next,
            "url": "/v1/customers/search",
        }))
    }
}

/// Text between quotation marks, in which a backslash escapes.
fn quoted(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
    Some(inside.replace("\\\"", "\"").replace("\\\\", "\\"))
}

fn searchable_later(customer: &mut Value, call: &Call) {
    let at = call.now.saturating_add(SEARCH_DELAY).unwrap_or(call.now);
    customer["_searchable_at"] = json!(at.to_string());
}

/// Whether the search knows a customer already.
fn is_searchable(customer: &Value, now: Timestamp) -> bool {
    let since = customer["_searchable_at"]
        .as_str()
        .and_then(|text| text.parse::<Timestamp>().ok());
    since.is_none_or(|since| since <= now)
}

fn blank(id: &str, created: i64, seq: u64) -> Value {
    json!({
        "id": id, "object": "customer", "address": null, "balance": 0, "created": created, "currency": null,
        "default_source": null, "delinquent": false, "description": null, "email": null,
        "invoice_prefix": id.trim_start_matches("cus_").to_uppercase().chars().take(8).collect::<String>(),
        "invoice_settings": {"custom_fields": null, "default_payment_method": null, "footer": null, "rendering_options": null},
        "livemode": false, "metadata": {}, "name": null, "next_invoice_sequence": 1, "phone": null,
        "preferred_locales": [], "shipping": null, "tax_exempt": "none", "test_clock": null, "_seq": seq,
    })
}

fn write(customer: &mut Value, params: &Params) -> Result<(), Refusal> {
    for field in ["email", "name", "phone", "description"] {
        if params.0.contains_key(field) {
            customer[field] = params.text(field)?.map_or(Value::Null, |text| json!(text));
        }
    }
    for field in ["address", "shipping"] {
        if let Some(value) = params.0.get(field) {
            customer[field] = value.clone();
        }
    }
    if let Some(email) = customer["email"]
        .as_str()
        .filter(|email| !email.contains('@'))
    {
        return Err(Refusal::email(email, "email"));
    }
    let mut metadata: Map<String, Value> = customer["metadata"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    params.merge_metadata(&mut metadata)?;
    customer["metadata"] = Value::Object(metadata);
    Ok(())
}
