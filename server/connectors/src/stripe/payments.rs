//! Payment port of the sagas: payments, refunds, disputes and customers.

use std::collections::BTreeMap;

use async_trait::async_trait;
use dewy_domain::{
    card_id::CardId,
    email_address::EmailAddress,
    money::Cents,
    payment::{
        self, Card, Customer, Dispute, Listing, Payment, PaymentOrder, Refund, RefundOrder,
        WithPaymentMetadata,
    },
    payment_intent_id::PaymentIntentId,
    ports::Payments,
    saved_card_order::SavedCardOrder,
    upstream_request::{Call, Outcome},
};
use jiff::Timestamp;

use super::{Stripe, requests, responses};
use crate::client_policy::Priority;

#[async_trait]
impl Payments for Stripe {
    async fn customers(&self, email: &EmailAddress) -> Outcome<Vec<Customer>> {
        let (listed, searched) = futures::join!(
            self.pages(
                Priority::Normal,
                |after| requests::customers(email, after),
                responses::customers,
            ),
            self.pages(
                Priority::Normal,
                |page| requests::customer_search(email, page),
                responses::customers,
            )
        );
        listed.and_then(|mut all| {
            match searched {
                // It may find more than it was asked for.
                Outcome::Done(found) => all.extend(
                    found
                        .into_iter()
                        .filter(|found| found.email.as_deref() == Some(email.as_str())),
                ),
                // Not every account can search. The list knows those of our own making.
                Outcome::Refused(_) => {}
                Outcome::TryLater(_) | Outcome::Unknown(_) if !all.is_empty() => {}
                other => return other.map(|_| Vec::new()),
            }
            all.sort_by(|a, b| (a.created, &a.customer.id).cmp(&(b.created, &b.customer.id)));
            all.dedup_by(|a, b| a.customer.id == b.customer.id);
            Outcome::Done(all.into_iter().map(|found| found.customer).collect())
        })
    }

    async fn customer_email(&self, id: &str) -> Outcome<Option<String>> {
        self.read(
            Priority::Critical,
            &requests::customer(id),
            responses::customer_email,
        )
        .await
    }

    async fn cards(&self, customer: &str) -> Outcome<Vec<Card>> {
        self.pages(
            Priority::Normal,
            |after| requests::cards(customer, after),
            responses::cards,
        )
        .await
    }

    async fn payment(&self, id: &PaymentIntentId) -> Outcome<Option<Payment>> {
        self.read(
            Priority::Critical,
            &requests::payment(id),
            responses::payment_if_any,
        )
        .await
    }

    async fn payments_since(
        &self,
        customer: Option<&str>,
        since: Timestamp,
    ) -> Outcome<Listing<Payment>> {
        let call = |after: Option<&str>| requests::payments(customer, since, after);
        self.listing(usize::MAX, Priority::Critical, call, responses::payments)
            .await
    }

    async fn payments_between(
        &self,
        from: Timestamp,
        to: Timestamp,
        most: usize,
    ) -> Outcome<Listing<Payment>> {
        let call = |after: Option<&str>| requests::payments_between(from, to, after);
        self.listing(most, Priority::Normal, call, responses::payments)
            .await
    }

    async fn refunds(&self, payment_intent: &PaymentIntentId) -> Outcome<Vec<Refund>> {
        self.pages(
            Priority::Critical,
            |after| requests::refunds(payment_intent, after),
            responses::refunds,
        )
        .await
        .map(|listed| {
            let refunds = responses::without_releases(listed).into_iter();
            refunds.map(|refund| refund.item).collect()
        })
    }

    async fn refunds_since(
        &self,
        since: Timestamp,
    ) -> Outcome<Listing<WithPaymentMetadata<Refund>>> {
        let call = |after: Option<&str>| requests::refunds_since(since, after);
        self.listing(usize::MAX, Priority::Critical, call, responses::refunds)
            .await
            .map(|all| Listing {
                items: responses::without_releases(all.items),
                unreadable: all.unreadable,
            })
    }

    async fn disputes(&self, payment_intent: &PaymentIntentId) -> Outcome<Vec<Dispute>> {
        self.pages(
            Priority::Critical,
            |after| requests::disputes(payment_intent, after),
            responses::disputes,
        )
        .await
    }

    async fn disputes_since(
        &self,
        since: Timestamp,
    ) -> Outcome<Listing<WithPaymentMetadata<Dispute>>> {
        let call = |after: Option<&str>| requests::disputes_since(since, after);
        self.listing(
            usize::MAX,
            Priority::Critical,
            call,
            responses::disputes_on_account,
        )
        .await
    }

    async fn account(&self) -> Outcome<payment::Account> {
        self.read(Priority::Critical, &requests::account(), responses::account)
            .await
    }

    fn new_customer(
        &self,
        email: Option<&EmailAddress>,
        metadata: &BTreeMap<String, String>,
        key: &str,
    ) -> Call {
        requests::new_customer(email, metadata, key)
    }

    async fn send_customer(&self, call: &Call) -> Outcome<Customer> {
        self.write(Priority::Normal, call, responses::customer)
            .await
    }

    fn detach(&self, card: &CardId, key: &str) -> Call {
        requests::detach(card, key)
    }

    async fn send_detach(&self, call: &Call) -> Outcome<()> {
        let detached = self.write(Priority::Normal, call, responses::card).await;
        detached.map(drop)
    }

    fn pay(&self, order: &PaymentOrder) -> Call {
        requests::pay(order, None)
    }

    fn hold_with_guest(&self, order: &PaymentOrder) -> Call {
        requests::pay(order, requests::MANUAL)
    }

    fn hold(&self, order: &SavedCardOrder) -> Call {
        requests::hold(order)
    }

    fn charge(&self, order: &SavedCardOrder) -> Call {
        requests::charge(order)
    }

    fn capture(&self, payment_intent: &PaymentIntentId, amount: Cents, key: &str) -> Call {
        requests::capture(payment_intent, amount, key)
    }

    async fn send_capture(&self, call: &Call) -> Outcome<Payment> {
        self.write(Priority::Critical, call, responses::payment_as_it_is)
            .await
    }

    async fn send_pay(&self, call: &Call) -> Outcome<Payment> {
        self.write(Priority::Normal, call, responses::payment).await
    }

    fn refund(&self, order: &RefundOrder) -> Call {
        requests::refund(order)
    }

    async fn send_refund(&self, call: &Call) -> Outcome<Refund> {
        self.write(Priority::Critical, call, responses::refund)
            .await
    }

    fn cancel(&self, payment_intent: &PaymentIntentId, key: &str) -> Call {
        requests::cancel(payment_intent, key)
    }

    /// A payment that comes with a refusal contains only its charge's id, so the refunded amount is
    /// unknown; read it again with [`Payments::payment`] where that matters.
    async fn send_cancel(&self, call: &Call) -> Outcome<Payment> {
        self.write(Priority::Critical, call, responses::payment_as_it_is)
            .await
    }
}
