//! Interpretation of Stripe's responses; pure. ARCHITECTURE.md has the table.

mod fault;
mod objects;

use dewy_domain::{
    payment::{Account, Card, Customer, Dispute, OnAccount, Payment, Refund, Unreadable},
    upstream_request::Reply,
};
use jiff::Timestamp;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::response::{Response, malformed_response, then};
use objects::{AccountRow, CardRow, CustomerRow, DisputeRow, PaymentRow, RefundRow, Unread};
pub(super) use objects::{Linked, Named, refund_status};

/// One page of a list, newest first.
#[derive(Debug)]
pub(super) struct Page<T> {
    pub(super) items: Vec<T>,
    /// Objects that could not be parsed; they don't affect the others.
    pub(super) unreadable: Vec<Unreadable>,
    /// Start of the next page; `None` on the last one.
    pub(super) next: Option<String>,
}

pub(super) fn customer(heard: &Response) -> Reply<Customer> {
    then(object::<CustomerRow>(heard), |row| Reply::Done(row.into()))
}

/// Retrieves a customer's email; a deleted customer is returned with only its id.
pub(super) fn customer_email(heard: &Response) -> Reply<Option<String>> {
    match object::<CustomerRow>(heard) {
        Reply::Refused(trouble) if trouble.code == "resource_missing" => Reply::Done(None),
        other => other.map(CustomerRow::into_email),
    }
}

pub(super) fn customers(heard: &Response) -> Reply<Page<Customer>> {
    page(heard, |row: CustomerRow| Ok(row.into()))
}

pub(super) fn cards(heard: &Response) -> Reply<Page<Card>> {
    page(heard, |row: CardRow| Ok(row.into()))
}

pub(super) fn payment(heard: &Response) -> Reply<Payment> {
    then(object::<PaymentRow>(heard), |row| match row.payment() {
        Ok(payment) => Reply::Done(payment),
        Err(Unread::NotOurs) => malformed_response("a payment in a currency without two decimals"),
        Err(Unread::Lacks(what)) => malformed_response(format_args!("a payment without {what}")),
    })
}

/// Retrieve that allows "not found" as an answer.
pub(super) fn payment_if_any(heard: &Response) -> Reply<Option<Payment>> {
    match payment(heard) {
        Reply::Refused(trouble) if trouble.code == "resource_missing" => Reply::Done(None),
        other => other.map(Some),
    }
}

/// Payments. Currencies that can't belong to this hotel are left out.
pub(super) fn payments(heard: &Response) -> Reply<Page<Payment>> {
    page(heard, PaymentRow::payment)
}

pub(super) fn refund(heard: &Response) -> Reply<Refund> {
    then(object::<RefundRow>(heard), |row| match row.refund() {
        Ok(refund) => Reply::Done(refund),
        Err(_) => malformed_response("a refund of no payment"),
    })
}

pub(super) fn refunds(heard: &Response) -> Reply<Page<Refund>> {
    page(heard, RefundRow::refund)
}

/// Refunds of the whole account, with their payments' metadata.
pub(super) fn refunds_on_account(heard: &Response) -> Reply<Page<OnAccount<Refund>>> {
    page(heard, RefundRow::on_account)
}

pub(super) fn disputes(heard: &Response) -> Reply<Page<Dispute>> {
    page(heard, DisputeRow::dispute)
}

/// Disputes of the whole account, with their payments' metadata.
pub(super) fn disputes_on_account(heard: &Response) -> Reply<Page<OnAccount<Dispute>>> {
    page(heard, DisputeRow::on_account)
}

pub(super) fn account(heard: &Response) -> Reply<Account> {
    object::<AccountRow>(heard).map(|row| Account {
        id: row.id,
        currency: row.default_currency.unwrap_or_default().to_lowercase(),
    })
}

/// A payment that can't be canceled any more comes with the refusal; it is the answer.
pub(super) fn cancelled(heard: &Response) -> Reply<Payment> {
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

fn object<T: DeserializeOwned>(heard: &Response) -> Reply<T> {
    then(fault::body(heard), |body| {
        match serde_json::from_slice(body) {
            Ok(object) => Reply::Done(object),
            Err(error) => malformed_response(format_args!(
                "line {} column {}",
                error.line(),
                error.column()
            )),
        }
    })
}

fn page<R: DeserializeOwned, T>(
    heard: &Response,
    read: fn(R) -> Result<T, Unread>,
) -> Reply<Page<T>> {
    #[derive(Deserialize)]
    struct List {
        data: Vec<Value>,
        has_more: bool,
    }
    then(object::<List>(heard), |list| {
        let id = |row: &Value| row["id"].as_str().map(str::to_owned);
        let next = list.data.last().map(id);
        let next = match (list.has_more, next) {
            (true, Some(Some(next))) => Some(next),
            // Without the start of the next page, the loop would never end.
            (true, _) => return malformed_response("a page that has more but gives no cursor"),
            (false, _) => None,
        };
        let (mut items, mut unreadable) = (Vec::new(), Vec::new());
        for row in list.data {
            let name = id(&row).unwrap_or_default();
            let created = row["created"]
                .as_i64()
                .and_then(|at| Timestamp::from_second(at).ok());
            let metadata = serde_json::from_value(row["metadata"].clone()).unwrap_or_default();
            let spoiled = |why: String| Unreadable {
                id: name,
                created,
                metadata,
                why,
            };
            match serde_json::from_value::<R>(row) {
                Err(error) => unreadable.push(spoiled(error.to_string())),
                Ok(row) => match read(row) {
                    Ok(item) => items.push(item),
                    Err(Unread::NotOurs) => {}
                    Err(Unread::Lacks(what)) => {
                        unreadable.push(spoiled(format!("it has no {what}")))
                    }
                },
            }
        }
        Reply::Done(Page {
            items,
            unreadable,
            next,
        })
    })
}
