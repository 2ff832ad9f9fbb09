//! Port of the payment system.

use std::collections::BTreeMap;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{
    card_id::CardId,
    email_address::EmailAddress,
    money::Cents,
    payment::{
        Account, Card, Customer, Dispute, Listing, Payment, PaymentOrder, Refund, RefundOrder,
        WithPaymentMetadata,
    },
    payment_intent_id::PaymentIntentId,
    saved_card_order::SavedCardOrder,
    upstream_request::{Call, Outcome},
};

/// Payments. Writes come in two halves, so that the exact bytes can be journaled in between: a pure
/// function builds the [`Call`]; `send_…` sends those bytes and parses the response. Sending the
/// same call again is safe: same key, same bytes.
#[async_trait]
pub trait Payments: Send + Sync + std::fmt::Debug {
    /// All customers whose email is this one in any letter case, oldest first. One that another
    /// program has just created with capitals in its email may be missing for a minute.
    async fn customers(&self, email: &EmailAddress) -> Outcome<Vec<Customer>>;

    /// A customer's email, lower case; `None` if the customer does not exist or has none.
    async fn customer_email(&self, id: &str) -> Outcome<Option<String>>;

    /// A customer's saved cards.
    async fn cards(&self, customer: &str) -> Outcome<Vec<Card>>;

    /// A payment with its latest charge; `None` if the id is unknown.
    async fn payment(&self, id: &PaymentIntentId) -> Outcome<Option<Payment>>;

    /// Payments of a customer (of all customers for `None`) created at or after `since`, newest
    /// first, all pages.
    async fn payments_since(
        &self,
        customer: Option<&str>,
        since: Timestamp,
    ) -> Outcome<Listing<Payment>>;

    /// All payments created at or after `from` and before `to`, newest first, up to the limit.
    async fn payments_between(
        &self,
        from: Timestamp,
        to: Timestamp,
        most: usize,
    ) -> Outcome<Listing<Payment>>;

    /// All refunds of a payment, newest first. The reply is unknown if one of them cannot be read,
    /// because sums are built from them.
    async fn refunds(&self, payment_intent: &PaymentIntentId) -> Outcome<Vec<Refund>>;

    /// All refunds created at or after `since`, newest first, all pages.
    async fn refunds_since(
        &self,
        since: Timestamp,
    ) -> Outcome<Listing<WithPaymentMetadata<Refund>>>;

    /// All disputes of a payment, newest first.
    async fn disputes(&self, payment_intent: &PaymentIntentId) -> Outcome<Vec<Dispute>>;

    /// All disputes opened at or after `since`, newest first, all pages.
    async fn disputes_since(
        &self,
        since: Timestamp,
    ) -> Outcome<Listing<WithPaymentMetadata<Dispute>>>;

    /// The key's account; `TryLater` if it is not the account that holds our payments.
    async fn account(&self) -> Outcome<Account>;

    /// Creates a customer. Harmless if left behind: it is found again by email.
    fn new_customer(
        &self,
        email: Option<&EmailAddress>,
        metadata: &BTreeMap<String, String>,
        key: &str,
    ) -> Call;

    /// Sends [`Payments::new_customer`].
    async fn send_customer(&self, call: &Call) -> Outcome<Customer>;

    /// Takes a saved card from its customer.
    fn detach(&self, card: &CardId, key: &str) -> Call;

    /// Sends [`Payments::detach`].
    async fn send_detach(&self, call: &Call) -> Outcome<()>;

    /// Creates and confirms a payment in one call. A decline is `Refused` with
    /// `details.payment_intent` and `details.decline_code`.
    fn pay(&self, order: &PaymentOrder) -> Call;

    /// Request of [`Self::pay`] that only reserves the amount.
    fn hold_with_guest(&self, order: &PaymentOrder) -> Call;

    /// Places a hold on a saved card: creates and confirms a payment in one call that is captured
    /// later. A decline is like that of [`Payments::pay`].
    fn hold(&self, order: &SavedCardOrder) -> Call;

    /// Charges a saved card at once, with the order of a hold that failed: the guest is not there
    /// either. A decline is like that of [`Payments::pay`].
    fn charge(&self, order: &SavedCardOrder) -> Call;

    /// Captures exactly this amount of a hold and releases the rest. It works once.
    fn capture(&self, payment_intent: &PaymentIntentId, amount: Cents, key: &str) -> Call;

    /// Sends [`Payments::capture`]. If there is nothing to capture any more, returns `Done` with
    /// the payment as it is: captured before, canceled, or expired.
    async fn send_capture(&self, call: &Call) -> Outcome<Payment>;

    /// Sends [`Payments::pay`], [`Payments::hold`], or [`Payments::charge`]. `Done` may carry any status; the caller must
    /// check it.
    async fn send_pay(&self, call: &Call) -> Outcome<Payment>;

    /// Refunds the whole remainder.
    fn refund(&self, order: &RefundOrder) -> Call;

    /// Sends [`Payments::refund`]. `charge_already_refunded` is `Refused` with that code.
    async fn send_refund(&self, call: &Call) -> Outcome<Refund>;

    /// Cancels a payment that is not captured yet; a hold is released.
    fn cancel(&self, payment_intent: &PaymentIntentId, key: &str) -> Call;

    /// Sends [`Payments::cancel`]. If the payment has succeeded meanwhile, returns `Done` with it.
    async fn send_cancel(&self, call: &Call) -> Outcome<Payment>;
}
