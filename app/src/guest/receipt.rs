//! The receipt of a completed check-out, made to be printed.

use dewy_domain::{
    caller::Persona,
    money::{Cents, Currency},
};
use leptos::prelude::*;
use serde_json::Value;

use crate::{
    clock::HotelClock,
    layout::Sheet,
    page::{Stop, Visit, page},
    words,
};

/// A receipt under a stable address.
#[component]
pub fn ReceiptPage() -> impl IntoView {
    page(|visit: Visit| async move {
        let who = visit.gate.admit(Persona::Guest, &visit.here).await?;
        let execution = visit.gate.watch.execution(&who.caller, &visit.id).await.ok_or(Stop::NotFound)?;
        let data =
            execution.answer.as_ref().and_then(|answer| answer.get("data")).filter(|_| execution.state == "completed");
        let Some(data) = data else {
            return Err(Stop::Go(format!("/guest/execution/{}", visit.id)));
        };
        let text = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let cents = data.get("amount").and_then(Value::as_i64).unwrap_or_default();
        let currency = text("currency").parse().unwrap_or(Currency::USD);
        let amount = words::money(Cents(cents), currency);
        let paid_at = HotelClock::here().moment(execution.updated_at);
        let facts = [
            ("Guest", who.caller.email.clone()),
            ("Booking", text("booking_number")),
            ("Room", text("room_number")),
            ("Checked out", paid_at),
            ("Payment", text("payment_intent_id")),
            ("Charge", text("charge_id")),
            ("Reference", execution.execution_id.clone()),
        ];
        let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
        let facts = facts.map(|(name, value)| view! { <div><dt>{name}</dt> <dd>{value}</dd></div> }).collect_view();
        let stripe = Some(text("receipt_url")).filter(|url| url.starts_with("https://") || url.starts_with("http://"));
        let content = view! {
            <article class="receipt">
                <h1>"Receipt"</h1>
                <p class="paid">
                    <span>"Paid"</span>
                    <strong>{amount}</strong>
                </p>
                <dl class="facts">{facts}</dl>
                <p class="small">"No tax is computed on this bill. Thank you for staying with us."</p>
            </article>
            <p class="actions no-print">
                {stripe.map(|url| view! { <a href=url rel="noreferrer">"Card receipt"</a> })}
                <a href=format!("/guest/execution/{}", visit.id)>"Back to your check-out"</a>
            </p>
        };
        Ok(Sheet::new("Receipt").who(&who).guest(content))
    })
}
