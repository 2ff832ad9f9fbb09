//! The saga that removes a guest's saved card at Stripe.
//!
//! ```text
//! read    the guest's customers and cards ── rules ──► the card
//! detach  + take the card from its customer      (no compensation: the guest can enter it again)
//! ```

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    error_code::ErrorCode,
    payment::{Card, Customer, Payment},
    ports::Payments,
    said,
    tool_answer::ToolError,
    tool_catalog::RemoveSavedCard,
    tool_output::SavedCard,
};
use dewy_saga::{
    Activity, Context, Fault, Outcome, OutcomeCheck, Plan, PrerequisitesResult, Request, Saga,
    StepId,
};
use futures::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions::{self, calling_guest},
    hotel_dependencies::HotelDependencies,
    live_holds::LONGEST_HOLD,
    not_ready::{NotReady, label, ready},
    payment_source::{guests_customers, saved_cards},
    presentation,
    reconciled_write::missing_fact,
    settings::Settings,
    tool_answer,
};

const DETACH: StepId<()> = StepId::new("detach");

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    Saga::new(RemoveSavedCard::NAME, 1, "Remove a saved card")
        .prepare(parts.prerequisites(|parts, cx, input| read(parts, cx, input).boxed()))
        .pivot(DETACH, "Remove the card at Stripe", Detach::new(parts))
        .no_undo("it is the only effect, and the guest can enter the card again")
        .until_known()
        .answer(tool_answer::of_result(|cx| {
            let facts: Facts = cx.facts()?;
            cx.output(DETACH).map(|()| (facts.card, false))
        }))
}

pub(crate) static PRESENTATION: presentation::Labels<SavedCard> = presentation::Labels {
    done: |card| said!("card-removed", last4 = card.last4),
    doing: || said!("card-removing"),
    not_done: || said!("card-not-removed"),
};

#[derive(Debug, Serialize, Deserialize)]
struct Facts {
    card: SavedCard,
    /// Customer that it is saved for.
    customer: String,
}

async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: RemoveSavedCard,
) -> Result<PrerequisitesResult, NotReady> {
    let payments = parts.payments.as_ref();
    let guest = calling_guest(&cx).ok_or_else(|| ToolError::new(ErrorCode::GuestNotFound))?;
    let customers = guests_customers(parts.crm.as_ref(), payments, &guest).await?;
    let cards = saved_cards(payments, &customers).await?;
    let named = |(_, card): &(String, Card)| card.id == input.payment_method_id;
    let Some((customer, card)) = cards.into_iter().find(named) else {
        let why = "Only for your own saved cards; get_folio lists them.";
        return Err(ToolError::problem("payment_method_id", why).into());
    };
    if holds_an_amount(parts, &customers, &card, &cx).await? {
        let why = "An amount is reserved on this card for your stay. It can be removed after the check-out.";
        return Err(ToolError::with(ErrorCode::InvalidTransition, json!({ "why": why })).into());
    }
    let claims = vec![format!("card:{}", card.id)];
    let labels = vec![label("guest_email", guest.email())];
    let card = SavedCard::from(card);
    ready(&Facts { card, customer }, claims, labels)
}

/// Whether this card reserves an amount for a stay.
async fn holds_an_amount(
    parts: &HotelDependencies,
    customers: &[Customer],
    card: &Card,
    cx: &Context<'_>,
) -> Result<bool, Fault> {
    let is_on_card = |payment: &Payment| {
        let hold = payment.hold.as_ref();
        hold.is_some_and(|hold| hold.card.as_ref() == Some(&card.id))
    };
    for customer in customers {
        let since = cx.now - LONGEST_HOLD;
        let made = parts.payments.payments_since(Some(&customer.id), since);
        if made.await.answered()?.items.iter().any(is_on_card) {
            return Ok(true);
        }
    }
    Ok(false)
}

struct Detach {
    payments: Arc<dyn Payments>,
    settings: Settings,
}

impl Detach {
    fn new(parts: &HotelDependencies) -> Self {
        Self {
            payments: Arc::clone(&parts.payments),
            settings: parts.settings.clone(),
        }
    }

    /// Whether the card is still the customer's: somebody else may have removed it.
    async fn or_gone(&self, cx: &Context<'_>, answered: Outcome<()>) -> Outcome<()> {
        let Some(facts) = cx.facts::<Facts>() else {
            return answered;
        };
        match self.payments.cards(&facts.customer).await.answered() {
            Ok(cards) => {
                let is_there = cards
                    .iter()
                    .any(|card| card.id == facts.card.payment_method_id);
                if is_there {
                    answered
                } else {
                    Outcome::Done(())
                }
            }
            Err(fault) => Outcome::Unknown(fault),
        }
    }
}

#[async_trait]
impl Activity for Detach {
    type Output = ();

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let Some(facts) = cx.facts::<Facts>() else {
            return Some(Plan::Refuse(missing_fact("the card")));
        };
        let key = format!("{}:{}:detach", self.settings.installation, cx.id);
        let call = self.payments.detach(&facts.card.payment_method_id, &key);
        let deadline = self.settings.stripe_deadline;
        Some(Plan::Send(engine_conversions::request(
            &call,
            deadline,
            Value::Null,
        )))
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<()> {
        let send = |call| async move { self.payments.send_detach(&call).await };
        match engine_conversions::send(request, send).await {
            refused @ Outcome::Refused(_) => self.or_gone(&cx, refused).await,
            answered => answered,
        }
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<()> {
        let repeated = cx
            .direction_progress()
            .and_then(engine_conversions::repeated_500);
        match repeated {
            // Detaching twice does no harm
            None => OutcomeCheck::SendAgain,
            Some(fault) => self
                .or_gone(&cx, Outcome::Refused(fault.clone()))
                .await
                .into(),
        }
    }
}
