//! Confirmations: what a tool is about to do with money, and whether it is possible at all, from
//! the current state of Salesforce, Stripe and the journal.

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona},
    card_id::CardId,
    error_code::ErrorCode,
    guest_identity::GuestIdentity,
    money::Cents,
    payment::{Card, Payment, PaymentStatus},
    ports::{Confirmation, ConfirmationPrompt, ConfirmationPrompts},
    said,
    tool::{Tool, ToolCall},
    tool_answer::{FinalAnswer, ToolError},
    tool_catalog::{
        CheckInGuest, CompensateCheckoutFailure, ProcessGuestCheckout, ResolveExecution,
    },
    tool_input::ToolInput,
    vocabulary::BookingStatus,
};
use dewy_saga::PrerequisitesResult;
use serde_json::Value;

use crate::{
    hotel::{hotel_service::Hotel, input_validation, salesforce_call_budget::Cost},
    saga_parts::{
        engine_conversions,
        find_stay::{self, NoStay},
        payment_source::{self, Payer, PaymentSource, saved_cards},
        settings::Settings,
        started_by, tool_answer,
    },
    sagas::{
        self,
        check_in::{CheckInFacts, HoldDecision},
        check_out, compensate_checkout, operator_decision,
    },
    views::execution_view,
};

#[async_trait]
impl ConfirmationPrompts for Hotel {
    async fn confirmation_for(
        &self,
        caller: &Caller,
        call: &ToolCall,
    ) -> Result<Confirmation, ToolError> {
        let (tool, input) = self.checked(caller, call).await?;
        input_validation::check_field_rules(tool, &input)?;
        if !tool.moves_money {
            return match self.prerequisites(caller, tool, input).await? {
                Some(PrerequisitesResult::Finished { .. }) => Ok(Confirmation::NoChange),
                Some(PrerequisitesResult::Ready { facts, .. })
                    if tool.name == CheckInGuest::NAME =>
                {
                    Ok(hold_terms(self, &facts).await)
                }
                _ => Ok(Confirmation::NoMoney),
            };
        }
        // A known token is joined or replayed; nobody confirms the same thing twice.
        if let Some(token) = &call.idempotency_token {
            let token = self.token_key().stored(token);
            let journal = self.engine.journal();
            let known = journal.find_token(&caller.key(), &token).await;
            if known
                .map_err(|_| ToolError::new(ErrorCode::Internal))?
                .is_some()
            {
                return Ok(Confirmation::NoMoney);
            }
        }
        self.spend_salesforce_calls(caller, Cost::CONFIRMATION)?;
        match tool.name {
            ProcessGuestCheckout::NAME => check_out(self, caller, ToolInput::read(&input)?).await,
            CompensateCheckoutFailure::NAME => {
                match self.prerequisites(caller, tool, input).await? {
                    Some(PrerequisitesResult::Ready { facts, .. }) => {
                        refund_terms(self, &facts).await
                    }
                    Some(PrerequisitesResult::TryLater { fault }) => {
                        Err(tool_answer::upstream_failure(&fault))
                    }
                    // Refunded before: the tool returns the first result
                    _ => Ok(Confirmation::NoMoney),
                }
            }
            ResolveExecution::NAME => decide(self, caller, ToolInput::read(&input)?).await,
            _ => Ok(Confirmation::Ask(ConfirmationPrompt {
                question: format!("{}?", tool.title),
                yes: tool.title.to_owned(),
            })),
        }
    }
}

impl Hotel {
    /// What a tool would start from now, by its own rules; `None` if it starts nothing. If an outside
    /// system doesn't answer, the confirmation is still requested, because the tool retries.
    ///
    /// # Errors
    /// The refusal, as the tool would answer it.
    async fn prerequisites(
        &self,
        caller: &Caller,
        tool: &Tool,
        mut input: Value,
    ) -> Result<Option<PrerequisitesResult>, ToolError> {
        let Some(saga) = self.engine.saga(tool.name) else {
            return Ok(None);
        };
        // Danger to people costs nothing
        if Cost::of(tool.name, &input).calls > 0 {
            self.spend_salesforce_calls(caller, Cost::PREVIEW)?;
        }
        input["_by"] = started_by::input_field(caller);
        match saga.preview(&input, self.clock.now()).await {
            PrerequisitesResult::Refused { answer } => match engine_conversions::read(&answer) {
                Some(FinalAnswer::Failed { code, details }) => Err(ToolError::with(code, details)),
                _ => Err(ToolError::new(ErrorCode::Internal)),
            },
            result => Ok(Some(result)),
        }
    }
}

/// Balance of the folio, the room, and the card to charge.
async fn check_out(
    hotel: &Hotel,
    caller: &Caller,
    input: ProcessGuestCheckout,
) -> Result<Confirmation, ToolError> {
    let query = find_stay::query(
        caller.guest_meant(input.guest_email.clone()),
        input.booking_number.clone(),
        input.room_number.clone(),
    );
    let payments = hotel.payments.as_ref();
    let (found, customers) = futures::join!(
        hotel.crm.stays(&query),
        payment_source::customers(payments, query.guest.as_ref().map(GuestIdentity::email))
    );
    let found = found
        .answered()
        .map_err(|error| tool_answer::upstream_failure(&error))?;
    let stay = match find_stay::single_stay(hotel.crm.as_ref(), &query, found).await {
        Ok(stay) => stay,
        Err(NoStay::Fault(error)) => return Err(tool_answer::upstream_failure(&error)),
        // The tool remembers check-outs of the last day; nothing is charged either way.
        Err(NoStay::Presentation(error)) if error.code == ErrorCode::BookingNotFound => {
            return Ok(Confirmation::NoMoney);
        }
        Err(NoStay::Presentation(error)) => return Err(error),
    };
    if stay.booking.status == BookingStatus::CheckedOut {
        return Ok(Confirmation::NoMoney);
    }
    let balance = check_out::check_allowed(&stay, &input)?;
    let customers = match (&query.guest, &stay.guest_email) {
        (None, Some(_)) => payment_source::customers(payments, stay.guest_email.as_ref()).await,
        _ => customers,
    };
    let customers = customers
        .answered()
        .map_err(|error| tool_answer::upstream_failure(&error))?;
    let now = hotel.clock.now();
    let held = check_out::holds(payments, &hotel.settings, &customers, &stay, now)
        .await
        .map_err(|error| tool_answer::upstream_failure(&error))?;
    let customers = Payer::of(caller.calling_guest().as_ref(), &stay).own(customers);
    let place = format!(
        "room {} (booking {})",
        stay.room.number, stay.booking.number
    );
    let whom = match caller.persona {
        Persona::Guest => "Check out of".to_owned(),
        Persona::Staff => match &stay.guest_email {
            Some(email) => format!("Check {email} out of"),
            None => "Check the guest out of".to_owned(),
        },
    };
    if let Some(terms) = held_terms(&hotel.settings, balance, &held, caller.persona) {
        return Ok(Confirmation::Ask(ConfirmationPrompt {
            question: format!("{whom} {place}? {}", terms.question),
            ..terms
        }));
    }
    if balance == Cents(0) {
        let question = format!("{whom} {place}? The folio is settled: nothing is charged.");
        return Ok(Confirmation::Ask(ConfirmationPrompt {
            question,
            yes: "Check out".to_owned(),
        }));
    }
    if balance.needs_front_desk() {
        let open = hotel
            .settings
            .balance_text(balance, hotel.settings.currency);
        return Ok(Confirmation::Ask(ConfirmationPrompt {
            question: format!(
                "{whom} {place} and leave the balance open: {open}? Nothing is charged or refunded; it stays on Needs attention."
            ),
            yes: "Check out, leave it open".to_owned(),
        }));
    }
    let source = PaymentSource::decide(payments, &customers, input.payment_method_id)
        .await
        .map_err(|error| tool_answer::upstream_failure(&error))?;
    // Without a card the tool charges nothing and returns the page where one is chosen.
    let Some(card) = source.card else {
        return Ok(Confirmation::NoMoney);
    };
    let cards = saved_cards(payments, &customers).await.unwrap_or_default();
    let sum = hotel.settings.money(balance, hotel.settings.currency);
    let card = card_label(&cards, &card);
    Ok(Confirmation::Ask(ConfirmationPrompt {
        question: format!(
            "{whom} {place} and charge {sum}, the whole balance of the folio, to {card}?"
        ),
        yes: format!("Charge {sum}"),
    }))
}

/// What a check-out does with the holds of the stay; `None` without one.
fn held_terms(
    settings: &Settings,
    balance: Cents,
    held: &[Payment],
    persona: Persona,
) -> Option<ConfirmationPrompt> {
    let first = held.first()?;
    let money = |cents| settings.money(cents, settings.currency);
    let reserved = held.iter().filter_map(|payment| payment.hold.as_ref());
    let reserved: Cents = reserved.map(|hold| hold.capturable).sum();
    let whose = match persona {
        Persona::Guest => "your",
        Persona::Staff => "the guest's",
    };
    let brand = first.card_brand.as_deref().unwrap_or("saved");
    let last4 = first.last4.as_deref().unwrap_or_default();
    let card = format!("{whose} {brand} card ending in {last4}");
    let (sum, all) = (money(balance), money(reserved));
    let charge = format!("Charge {sum}");
    let (question, yes) = match balance {
        Cents(0) => (
            format!("Nothing is charged, and the {all} reserved on {card} is released."),
            "Check out".to_owned(),
        ),
        open if open.needs_front_desk() => (
            format!(
                "The balance stays open: {}. Nothing is charged or refunded, and the {all} reserved on {card} is released; it stays on Needs attention.",
                settings.balance_text(open, settings.currency)
            ),
            "Check out, leave it open".to_owned(),
        ),
        less if less < reserved => (
            format!("We charge {sum} of the {all} reserved on {card} and release the rest."),
            charge,
        ),
        same if same == reserved => (format!("We charge the {all} reserved on {card}."), charge),
        _ => (
            format!(
                "We charge {sum} to {card}: the {all} reserved, and the rest on the same card."
            ),
            charge,
        ),
    };
    Some(ConfirmationPrompt { question, yes })
}

/// What a check-in reserves, and on which card.
async fn hold_terms(hotel: &Hotel, facts: &Value) -> Confirmation {
    let facts: Option<CheckInFacts> = engine_conversions::read(facts);
    let Some(HoldDecision::Place(terms)) = facts.map(|facts| facts.hold) else {
        return Confirmation::NoMoney;
    };
    let sum = hotel.settings.money(terms.amount, terms.currency);
    let cards = hotel.payments.cards(&terms.customer).await.answered();
    let mut cards = cards.unwrap_or_default().into_iter();
    Confirmation::Reserves(match cards.find(|card| card.id == terms.card) {
        Some(Card { brand, last4, .. }) => said!("fact-reserved-card", sum, brand, last4),
        None => said!("fact-reserved", sum),
    })
}

fn card_label(cards: &[(String, Card)], id: &CardId) -> String {
    cards.iter().find(|(_, card)| card.id == *id).map_or_else(
        || format!("the card {id}"),
        |(_, card)| format!("the saved {} card ending in {}", card.brand, card.last4),
    )
}

/// Refundable remainder of the payment, and the guest who paid it.
async fn refund_terms(hotel: &Hotel, facts: &Value) -> Result<Confirmation, ToolError> {
    let Some(compensate_checkout::Facts { payment, .. }) = engine_conversions::read(facts) else {
        return Err(ToolError::new(ErrorCode::Internal));
    };
    let id = &payment.id;
    let left = payment.received - payment.refunded;
    if left <= Cents(0) && payment.status == PaymentStatus::Succeeded {
        // Already refunded: the tool returns the first result, or explains why there is nothing to
        // refund.
        return Ok(Confirmation::NoMoney);
    }
    let email = match &payment.customer {
        Some(customer) => hotel
            .payments
            .customer_email(customer)
            .await
            .answered()
            .map_err(|error| tool_answer::upstream_failure(&error))?,
        None => None,
    };
    let sum = hotel.settings.money(left, payment.currency);
    let whose = email.map_or_else(String::new, |email| format!(" of {email}"));
    let card = payment.last4.map_or_else(String::new, |last4| {
        format!(" to the card ending in {last4}")
    });
    let booking = payment.metadata.get("booking_number");
    let booking = booking.map_or_else(
        || "the booking".to_owned(),
        |number| format!("booking {number}"),
    );
    Ok(Confirmation::Ask(ConfirmationPrompt {
        question: format!(
            "Refund {sum}, all that is left of payment {id}{whose},{card} and put {booking} back as it was before the check-out?"
        ),
        yes: format!("Refund {sum}"),
    }))
}

/// Effect of the decision, worded as on the execution's page.
async fn decide(
    hotel: &Hotel,
    caller: &Caller,
    input: ResolveExecution,
) -> Result<Confirmation, ToolError> {
    let record = match input.execution_id.parse() {
        Ok(id) => hotel.visible_record(caller, id).await,
        Err(_) => None,
    };
    let Some(record) = record else {
        return Err(ToolError::new(ErrorCode::ExecutionNotFound));
    };
    let definition = hotel.engine.saga_of(&record).map(|saga| saga.definition());
    let acts = operator_decision::allowed_actions(
        definition,
        &record,
        caller.role,
        sagas::presentation(&record.saga),
        &hotel.settings,
    );
    // The tool refuses, without effect, what is not possible or not allowed for this person.
    let act = acts
        .into_iter()
        .find(|act| input.resolution == act.resolution && act.barred.is_none());
    let Some(act) = act else {
        return Ok(Confirmation::NoMoney);
    };
    let item = execution_view::item(&hotel.engine, &record);
    let booking = item
        .booking_number
        .map_or_else(String::new, |number| format!(" of booking {number}"));
    Ok(Confirmation::Ask(ConfirmationPrompt {
        question: format!(
            "{}: {}{booking} ({})? {}",
            act.title, item.title, item.execution_id, act.will
        ),
        yes: act.title,
    }))
}
