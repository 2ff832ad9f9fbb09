//! The guest's customer in the payment system: created if missing, left in place if what it was for
//! fails.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    payment::{CUSTOMER_CONTACT, Customer},
    ports::Payments,
    stay::Stay,
};
use dewy_saga::{Activity, Context, Fault, Outcome, OutcomeCheck, Plan, Progress, Request, StepId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions::{self, calling_guest},
    hotel_dependencies::HotelDependencies,
    payment_source::{Payer, customers},
    settings::Settings,
};

/// Customer of the payment system, as journaled.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Account {
    customer: String,
}

impl From<Customer> for Account {
    fn from(customer: Customer) -> Self {
        Self {
            customer: customer.id,
        }
    }
}

pub(crate) const CUSTOMER: StepId<Account> = StepId::new("customer");

/// Customer that was found or created.
pub(crate) fn customer(progress: &Progress) -> Option<String> {
    progress.recorded(CUSTOMER).map(|account| account.customer)
}

/// What a step journals that needs no new customer.
pub(crate) fn there_already(customer: &str) -> Plan {
    Plan::Skip(json!({ "customer": customer, "note": "there already" }))
}

/// The stay whose guest needs a customer, from the journal.
///
/// # Errors
/// The plan where none is needed.
type Wanted = fn(&Context<'_>) -> Result<Stay, Plan>;

/// The step.
pub(crate) struct CreateCustomer {
    payments: Arc<dyn Payments>,
    settings: Settings,
    wanted: Wanted,
}

impl CreateCustomer {
    pub(crate) fn new(parts: &HotelDependencies, wanted: Wanted) -> Self {
        Self {
            payments: Arc::clone(&parts.payments),
            settings: parts.settings.clone(),
            wanted,
        }
    }
}

#[async_trait]
impl Activity for CreateCustomer {
    type Output = Account;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let stay = match (self.wanted)(&cx) {
            Ok(stay) => stay,
            Err(plan) => return Some(plan),
        };
        let guest = engine_conversions::guest_of(&cx);
        let key = format!("{}:{}:customer", self.settings.installation, cx.id);
        let mut metadata = self.settings.stripe_metadata(&cx.id.to_string());
        // Others may have the same email
        metadata.insert(CUSTOMER_CONTACT.to_owned(), stay.booking.guest_id);
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
        let found = customers(self.payments.as_ref(), email.as_ref()).await;
        let calling = calling_guest(&cx);
        let own = |all: Vec<Customer>| match (self.wanted)(&cx) {
            Ok(stay) => Payer::of(calling.as_ref(), &stay).own(all),
            Err(_) => Vec::new(),
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
