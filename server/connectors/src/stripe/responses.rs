//! Interpretation of Stripe's responses; pure. ADR 4 has the table.

mod error_body;
mod objects;
mod refunds;

use dewy_domain::{
    payment::{Account, Card, Customer, Dispute, Payment, Refund, Unreadable, WithPaymentMetadata},
    upstream_request::Outcome,
    vocabulary::FaultCode,
};
use jiff::Timestamp;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::exchange_result::{Response, malformed_response, parsed};
use objects::{AccountRow, CardRow, CustomerRow, DisputeRow, PaymentRow, Unread};
pub(super) use objects::{Linked, ObjectId, status};
pub(super) use refunds::without_releases;
use refunds::{ListedRefund, RefundRow};

/// One page of a list, newest first.
#[derive(Debug)]
pub(super) struct Page<T> {
    pub(super) items: Vec<T>,
    /// Objects that could not be parsed; they don't affect the others.
    pub(super) unreadable: Vec<Unreadable>,
    /// Start of the next page; `None` on the last one.
    pub(super) next: Option<String>,
}

pub(super) fn customer(response: &Response) -> Outcome<Customer> {
    object::<CustomerRow>(response).and_then(|row| Outcome::Done(row.into()))
}

/// Retrieves a customer's email; a deleted customer is returned with only its id.
pub(super) fn customer_email(response: &Response) -> Outcome<Option<String>> {
    match object::<CustomerRow>(response) {
        Outcome::Refused(error) if error.code == FaultCode::ResourceMissing => Outcome::Done(None),
        other => other.map(|row| row.email()),
    }
}

/// Customer with what orders and compares it.
#[derive(Debug)]
pub(super) struct FoundCustomer {
    /// Creation time in seconds.
    pub(super) created: i64,
    /// Lowercase email.
    pub(super) email: Option<String>,
    pub(super) customer: Customer,
}

pub(super) fn customers(response: &Response) -> Outcome<Page<FoundCustomer>> {
    page(response, |row: CustomerRow| {
        Ok(FoundCustomer {
            created: row.created,
            email: row.email(),
            customer: row.into(),
        })
    })
}

pub(super) fn cards(response: &Response) -> Outcome<Page<Card>> {
    page(response, |row: CardRow| Ok(row.into()))
}

pub(super) fn card(response: &Response) -> Outcome<Card> {
    object::<CardRow>(response).map(Card::from)
}

pub(super) fn payment(response: &Response) -> Outcome<Payment> {
    object::<PaymentRow>(response).and_then(|row| match row.payment() {
        Ok(payment) => Outcome::Done(payment),
        Err(Unread::NotOurs) => malformed_response("a payment in a currency without two decimals"),
        Err(Unread::Lacks(what)) => malformed_response(format_args!("a payment without {what}")),
    })
}

/// Retrieve that allows "not found" as an answer.
pub(super) fn payment_if_any(response: &Response) -> Outcome<Option<Payment>> {
    match payment(response) {
        Outcome::Refused(error) if error.code == FaultCode::ResourceMissing => Outcome::Done(None),
        other => other.map(Some),
    }
}

/// Payments. Currencies that can't belong to this hotel are left out.
pub(super) fn payments(response: &Response) -> Outcome<Page<Payment>> {
    page(response, PaymentRow::payment)
}

pub(super) fn refund(response: &Response) -> Outcome<Refund> {
    object::<RefundRow>(response).and_then(|row| match row.listed() {
        Ok(listed) => Outcome::Done(listed.refund.item),
        Err(_) => malformed_response("a refund of no payment"),
    })
}

/// Refunds and releases, of a payment or of the whole account; see [`without_releases`].
pub(super) fn refunds(response: &Response) -> Outcome<Page<ListedRefund>> {
    page(response, RefundRow::listed)
}

pub(super) fn disputes(response: &Response) -> Outcome<Page<Dispute>> {
    page(response, DisputeRow::dispute)
}

/// Disputes of the whole account, with their payments' metadata.
pub(super) fn disputes_on_account(
    response: &Response,
) -> Outcome<Page<WithPaymentMetadata<Dispute>>> {
    page(response, DisputeRow::on_account)
}

pub(super) fn account(response: &Response) -> Outcome<Account> {
    object::<AccountRow>(response).map(Account::from)
}

/// A payment that can't be canceled or captured any more comes with the refusal; it is the answer.
pub(super) fn payment_as_it_is(response: &Response) -> Outcome<Payment> {
    match payment(response) {
        Outcome::Refused(error) if error.code == "payment_intent_unexpected_state" => {
            match response.as_ref().ok().and_then(error_body::payment_inside) {
                Some(payment) => Outcome::Done(payment),
                None => Outcome::Refused(error),
            }
        }
        other => other,
    }
}

fn object<T: DeserializeOwned>(response: &Response) -> Outcome<T> {
    error_body::body(response).and_then(parsed)
}

fn page<R: DeserializeOwned, T>(
    response: &Response,
    read: fn(R) -> Result<T, Unread>,
) -> Outcome<Page<T>> {
    #[derive(Deserialize)]
    struct List {
        data: Vec<Value>,
        has_more: bool,
        /// Cursor of a search; a list continues after its last object.
        next_page: Option<String>,
    }
    object::<List>(response).and_then(|list| {
        let id = |row: &Value| row["id"].as_str().map(str::to_owned);
        let next = match list.next_page {
            Some(next) => Some(Some(next)),
            None => list.data.last().map(id),
        };
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
        Outcome::Done(Page {
            items,
            unreadable,
            next,
        })
    })
}
