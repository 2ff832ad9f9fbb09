//! A second hold, for what the first does not cover.

use dewy_domain::{money::Cents, stay::Stay};
use dewy_saga::{Context, Plan};
use serde_json::json;

use super::facts::Facts;
use crate::saga_parts::{place_hold::HoldTerms, reconciled_write::missing_fact};

/// The second hold to place, for what the first does not cover.
pub(super) fn terms(cx: &Context<'_>) -> Result<(Stay, HoldTerms), Plan> {
    let facts = cx.facts::<Facts>();
    let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the facts")))?;
    let amount = facts.rest();
    if amount == Cents(0) {
        return Err(not_needed());
    }
    let source = facts.rest_source;
    let Some((customer, card)) = source.or(facts.customer.zip(facts.payment_method)) else {
        return Err(Plan::Refuse(missing_fact("the card of the hold")));
    };
    let terms = HoldTerms {
        amount,
        currency: facts.currency,
        customer,
        card,
    };
    Ok((facts.stay, terms))
}

/// The step of a hold that this check-out has no use for.
pub(super) fn not_needed() -> Plan {
    Plan::Skip(json!({ "note": "not needed" }))
}
