//! Parameters that Stripe takes at the pinned version, endpoint by endpoint, read from the
//! declarations of its own client (`end2end/vendors/stripe-params.mjs`).
//!
//! A parameter can be unknown to Stripe, removed, or known but not simulated here. Only the last
//! one is this program's own refusal ([`Params::only`]).

use std::{collections::BTreeMap, sync::LazyLock};

use dewy_domain::ports::HttpRequest;
use serde_json::{Map, Value};

use super::error_body::Refusal;
use super::params::Params;
use super::route;

/// Names inside each parameter; `*` stands for any.
type Endpoint = BTreeMap<String, Vec<String>>;

static TABLE: LazyLock<Map<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("vendor_params.json")).unwrap_or_default());

/// Parameters that an earlier version took, and the error that replaced them.
const REMOVED: [(&str, &str, &str); 2] = [
    ("POST payment_intents", "payment_method_types", TYPES),
    (
        "POST payment_intents/:id/confirm",
        "payment_method_types",
        TYPES,
    ),
];
/// Documented code; the wording of its message is not documented.
const TYPES: &str = "payment_method_types_no_longer_supported";

/// Rejects parameters that Stripe does not take at this endpoint.
///
/// # Errors
/// The removed parameter's own code, or `parameter_unknown`.
pub fn check(request: &HttpRequest, params: &Params) -> Result<(), Refusal> {
    let name = endpoint(request);
    let Some(known) = TABLE
        .get(&name)
        .and_then(|of| serde_json::from_value::<Endpoint>(of.clone()).ok())
    else {
        return Ok(());
    };
    for (given, value) in &params.0 {
        let removed = REMOVED
            .iter()
            .find(|(at, removed, _)| *at == name && removed == given);
        if let Some((_, removed, code)) = removed {
            let message = format!(
                "The `{removed}` parameter is no longer supported. Use `allowed_{removed}` instead."
            );
            return Err(Refusal::invalid(message).code(code).param(removed));
        }
        let Some(inside) = known.get(given) else {
            return Err(Refusal::unknown_parameter(given));
        };
        let Value::Object(members) = value else {
            continue;
        };
        let stranger = members
            .keys()
            .find(|member| !inside.iter().any(|name| name == "*" || name == *member));
        if let Some(stranger) = stranger {
            return Err(Refusal::unknown_parameter(&format!("{given}[{stranger}]")));
        }
    }
    Ok(())
}

/// Whether an endpoint can subscribe to this event.
pub fn is_event(kind: &str) -> bool {
    TABLE
        .get("events")
        .and_then(Value::as_array)
        .is_some_and(|all| all.iter().any(|known| known == kind))
}

/// Name of an endpoint in the table: `POST payment_intents/:id/confirm`.
fn endpoint(request: &HttpRequest) -> String {
    let named = |(place, part): (usize, &&str)| match *part {
        "search" => "search".to_owned(),
        _ if place % 2 == 1 => ":id".to_owned(),
        word => word.to_owned(),
    };
    let path: Vec<String> = route::segments(&request.url)
        .iter()
        .enumerate()
        .map(named)
        .collect();
    format!("{} {}", request.method, path.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_simulated_endpoint_is_in_the_table() {
        for (method, path) in [
            ("POST", "/v1/payment_intents"),
            ("POST", "/v1/payment_intents/pi_1/confirm"),
            ("GET", "/v1/customers/cus_1/payment_methods/pm_1"),
            ("GET", "/v1/customers/search?query=x"),
            ("DELETE", "/v1/webhook_endpoints/we_1"),
        ] {
            let request = HttpRequest {
                method: method.to_owned(),
                url: format!("https://stripe.test{path}"),
                headers: Vec::new(),
                body: Vec::new(),
            };
            assert!(TABLE.contains_key(&endpoint(&request)), "{method} {path}");
        }
    }
}
