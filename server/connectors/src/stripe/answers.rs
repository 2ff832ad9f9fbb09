//! What Stripe's answers mean; pure. ARCHITECTURE.md has the table.

mod fault;
mod objects;

use dewy_domain::{
    call::Reply,
    payment::{Card, Customer, Payment, Refund},
};
use serde::{Deserialize, de::DeserializeOwned};

use crate::heard::{Heard, garbage, then};
use objects::{CardRow, CustomerRow, PaymentRow, RefundRow};
pub(super) use objects::{Linked, Named, refund_status};

/// One page of a list, newest first.
#[derive(Debug)]
pub(super) struct Page<T> {
    pub(super) items: Vec<T>,
    /// Where the next page begins; `None` on the last one.
    pub(super) next: Option<String>,
}

pub(super) fn customer(heard: &Heard) -> Reply<Customer> {
    then(object::<CustomerRow>(heard), |row| Reply::Done(row.into()))
}

/// A retrieve; a deleted customer is answered with its id alone.
pub(super) fn customer_email(heard: &Heard) -> Reply<Option<String>> {
    match object::<CustomerRow>(heard) {
        Reply::Refused(trouble) if trouble.code == "resource_missing" => Reply::Done(None),
        other => other.map(CustomerRow::into_email),
    }
}

pub(super) fn customers(heard: &Heard) -> Reply<Page<Customer>> {
    page(heard, |row: CustomerRow| Some(row.into()))
}

pub(super) fn cards(heard: &Heard) -> Reply<Page<Card>> {
    page(heard, |row: CardRow| Some(row.into()))
}

pub(super) fn payment(heard: &Heard) -> Reply<Payment> {
    then(object::<PaymentRow>(heard), |row| match row.payment() {
        Some(payment) => Reply::Done(payment),
        None => garbage("a payment in a currency without two decimals"),
    })
}

/// A retrieve, where "there is none" is an answer.
pub(super) fn payment_if_any(heard: &Heard) -> Reply<Option<Payment>> {
    match payment(heard) {
        Reply::Refused(trouble) if trouble.code == "resource_missing" => Reply::Done(None),
        other => other.map(Some),
    }
}

/// Payments in currencies that cannot be ours are left out.
pub(super) fn payments(heard: &Heard) -> Reply<Page<Payment>> {
    page(heard, PaymentRow::payment)
}

pub(super) fn refund(heard: &Heard) -> Reply<Refund> {
    then(object::<RefundRow>(heard), |row| match row.refund() {
        Some(refund) => Reply::Done(refund),
        None => garbage("a refund of no payment"),
    })
}

pub(super) fn refunds(heard: &Heard) -> Reply<Page<Refund>> {
    page(heard, RefundRow::refund)
}

/// A payment that cannot be cancelled any more comes with the refusal; it is the answer.
pub(super) fn cancelled(heard: &Heard) -> Reply<Payment> {
    match payment(heard) {
        Reply::Refused(trouble) if trouble.code == "payment_intent_unexpected_state" => {
            match heard.as_ref().ok().and_then(fault::payment_inside) {
                Some(payment) => Reply::Done(payment),
                None => Reply::Refused(trouble),
            }
        }
        other => other,
    }
}

fn object<T: DeserializeOwned>(heard: &Heard) -> Reply<T> {
    then(fault::body(heard), |body| match serde_json::from_slice(body) {
        Ok(object) => Reply::Done(object),
        Err(error) => garbage(format_args!("line {} column {}", error.line(), error.column())),
    })
}

fn page<R: DeserializeOwned + Identified, T>(heard: &Heard, read: fn(R) -> Option<T>) -> Reply<Page<T>> {
    #[derive(Deserialize)]
    struct List<R> {
        data: Vec<R>,
        has_more: bool,
    }
    object::<List<R>>(heard).map(|list| {
        let last = list.data.last().map(|row| row.id().to_owned());
        Page { next: last.filter(|_| list.has_more), items: list.data.into_iter().filter_map(read).collect() }
    })
}

/// A listed object has an id, by which the next page is asked for.
trait Identified {
    fn id(&self) -> &str;
}
