//! The guest's customer in the payment system: created if missing, left in place if the check-out
//! fails.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    money::Cents,
    payment::{CUSTOMER_CONTACT, Customer},
    ports::Payments,
};
use dewy_saga::{Activity, Context, Fault, Outcome, OutcomeCheck, Plan, Request};
use serde_json::{Value, json};

use super::facts::{Account, Facts};
use crate::saga_parts::{
    engine_conversions::{self, calling_guest},
    hotel_dependencies::HotelDependencies,
    payment_source::Payer,
    settings::Settings,
};

pub(super) struct CreateCustomer {
    payments: Arc<dyn Payments>,
    settings: Settings,
}

impl CreateCustomer {
    pub(super) fn new(parts: &HotelDependencies) -> Self {
        Self {
            payments: Arc::clone(&parts.payments),
            settings: parts.settings.clone(),
        }
    }
}

#[async_trait]
impl Activity for CreateCustomer {
    type Output = Account;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let facts = cx.facts::<Facts>()?;
        if facts.balance == Cents(0) {
            return Some(Plan::Skip(json!({ "note": "nothing to pay" })));
        }
        if let Some(customer) = facts.customer {
            return Some(Plan::Skip(
                json!({ "customer": customer, "note": "there already" }),
            ));
        }
        let guest = engine_conversions::guest_of(&cx);
        let key = format!("{}:{}:customer", self.settings.installation, cx.id);
        let mut metadata = self.settings.stripe_metadata(&cx.id.to_string());
        // Others may have the same email
        metadata.insert(CUSTOMER_CONTACT.to_owned(), facts.stay.booking.guest_id);
        let call = self
            .payments
            .new_customer(guest.email.as_ref(), &metadata, &key);
        Some(Plan::Send(engine_conversions::request(
            &call,
            self.settings.stripe_deadline,
            Value::Null,
        )))
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<Account> {
        let send = |call| async move { self.payments.send_customer(&call).await };
        engine_conversions::send(request, send)
            .await
            .and_then(|customer| Outcome::Done(customer.into()))
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<Account> {
        let Some(fault) = cx
            .direction_progress()
            .and_then(engine_conversions::repeated_500)
        else {
            return OutcomeCheck::SendAgain;
        };
        let email = engine_conversions::guest_of(&cx).email;
        let found = super::customers(self.payments.as_ref(), email.as_ref()).await;
        let calling = calling_guest(&cx);
        let own = |all: Vec<Customer>| match cx.facts::<Facts>() {
            Some(facts) => Payer::of(calling.as_ref(), &facts.stay).own(all),
            None => Vec::new(),
        };
        let outcome = match found.answered() {
            Ok(customers) => match own(customers).into_iter().next_back() {
                Some(newest) => Outcome::Done(newest.into()),
                // Whether a customer turns up later or not, nothing was charged, and it does no
                // harm.
                None => Outcome::Refused(fault.clone()),
            },
            Err(error) => Outcome::Unknown(error),
        };
        outcome.into()
    }

    /// An extra customer created by the first request is harmless, so a rejected retry counts as a
    /// rejection of the step.
    fn is_replayed_refusal(&self, _: &Fault) -> bool {
        true
    }
}
