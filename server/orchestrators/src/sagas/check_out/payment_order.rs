//! What a check-out without a hold charges, and whom.

use dewy_domain::{money::Cents, payment::PaymentOrder, stay::Stay};
use dewy_saga::{Context, Plan};
use serde_json::json;

use super::facts::Facts;
use crate::saga_parts::{
    create_customer::{customer, there_already},
    engine_conversions,
    reconciled_write::missing_fact,
    settings::Settings,
    take_payment::return_url,
};

/// The stay whose guest needs a customer.
///
/// # Errors
/// The plan where none is needed.
pub(super) fn needs_customer(cx: &Context<'_>) -> Result<Stay, Plan> {
    let facts = to_pay(cx)?;
    match facts.customer {
        Some(customer) => Err(there_already(&customer)),
        None => Ok(facts.stay),
    }
}

/// The payment.
///
/// # Errors
/// The plan where there is nothing to pay.
pub(super) fn payment_order(settings: &Settings, cx: &Context<'_>) -> Result<PaymentOrder, Plan> {
    let facts = to_pay(cx)?;
    let Some(payment_method) = facts.payment_method else {
        return Err(Plan::Refuse(missing_fact("the card")));
    };
    let mut metadata = settings.stripe_metadata(&cx.id.to_string());
    let (booking, room) = (&facts.stay.booking.number, &facts.stay.room.number);
    metadata.insert("booking_number".to_owned(), booking.to_string());
    metadata.insert("room_number".to_owned(), room.to_string());
    let email = engine_conversions::guest_of(cx).email;
    Ok(PaymentOrder {
        amount: facts.balance,
        currency: facts.currency,
        customer: customer(cx.progress),
        payment_method,
        save_card: facts.save_card,
        return_url: return_url(settings, cx),
        texts: (settings.payment_texts).texts(&settings.hotel.name, &facts.stay, email),
        metadata,
        key: format!("{}:{}:pay", settings.installation, cx.id),
    })
}

fn to_pay(cx: &Context<'_>) -> Result<Facts, Plan> {
    let facts = cx.facts::<Facts>();
    let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the facts")))?;
    match facts.balance {
        Cents(0) => Err(Plan::Skip(json!({ "note": "nothing to pay" }))),
        _ => Ok(facts),
    }
}
