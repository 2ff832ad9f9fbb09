//! The payment system as the orchestrators need it.

use std::collections::BTreeMap;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{
    call::{Call, Reply},
    payment::{
        Account, Card, Customer, Dispute, Listing, OnAccount, Payment, PaymentOrder, Refund,
        RefundOrder,
    },
};

/// Payments. Writes come in two halves, so that the exact bytes can be journaled in between: a pure
/// function builds the [`Call`], `send_…` sends those bytes and reads the answer. Sending the same
/// call again is safe: same key, same bytes.
#[async_trait]
pub trait Payments: Send + Sync + std::fmt::Debug {
    /// The customer with exactly this email (lower case), if there is one; the oldest, should there
    /// be several.
    async fn customer(&self, email: &str) -> Reply<Option<Customer>>;

    /// The email of a customer, lower case; `None` when there is no such customer or it has none.
    async fn customer_email(&self, id: &str) -> Reply<Option<String>>;

    /// A customer's saved cards.
    async fn cards(&self, customer: &str) -> Reply<Vec<Card>>;

    /// One payment with its latest charge; `None` when there is none of that id.
    async fn payment(&self, id: &str) -> Reply<Option<Payment>>;

    /// A customer's payments (everybody's for `None`) made at or after `since`, newest first, all
    /// pages.
    async fn payments_since(
        &self,
        customer: Option<&str>,
        since: Timestamp,
    ) -> Reply<Listing<Payment>>;

    /// Everybody's payments made at or after `from` and before `to`, newest first, at most so many.
    async fn payments_between(
        &self,
        from: Timestamp,
        to: Timestamp,
        most: usize,
    ) -> Reply<Listing<Payment>>;

    /// All refunds of a payment, newest first; unknown when one of them cannot be read, for sums
    /// are made of them.
    async fn refunds(&self, payment_intent: &str) -> Reply<Vec<Refund>>;

    /// Everybody's refunds made at or after `since`, newest first, all pages.
    async fn refunds_since(&self, since: Timestamp) -> Reply<Listing<OnAccount<Refund>>>;

    /// All disputes of a payment, newest first.
    async fn disputes(&self, payment_intent: &str) -> Reply<Vec<Dispute>>;

    /// Everybody's disputes opened at or after `since`, newest first, all pages.
    async fn disputes_since(&self, since: Timestamp) -> Reply<Listing<OnAccount<Dispute>>>;

    /// The account that the key opens; try later where it is another one than our payments are on.
    async fn account(&self) -> Reply<Account>;

    /// Makes a customer; harmless if left behind, found again by email.
    fn new_customer(&self, email: &str, metadata: &BTreeMap<String, String>, key: &str) -> Call;

    /// Sends [`Payments::new_customer`].
    async fn send_customer(&self, call: &Call) -> Reply<Customer>;

    /// Creates and confirms a payment in one call. A decline is `Refused` with
    /// `details.payment_intent`, `details.decline_code`.
    fn pay(&self, order: &PaymentOrder) -> Call;

    /// Sends [`Payments::pay`]. `Done` may be any status; the caller looks.
    async fn send_pay(&self, call: &Call) -> Reply<Payment>;

    /// Gives back the whole remainder.
    fn refund(&self, order: &RefundOrder) -> Call;

    /// Sends [`Payments::refund`]. `charge_already_refunded` is `Refused` with that code.
    async fn send_refund(&self, call: &Call) -> Reply<Refund>;

    /// Calls off a payment that is not taken yet.
    fn cancel(&self, payment_intent: &str, key: &str) -> Call;

    /// Sends [`Payments::cancel`]; when it had succeeded meanwhile, `Done` with that payment.
    async fn send_cancel(&self, call: &Call) -> Reply<Payment>;
}
