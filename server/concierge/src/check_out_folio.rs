//! Folio of a check-out: the amount from the backend, and the payment cards to choose from.

use dewy_domain::{
    booking_number::BookingNumber,
    caller::{Caller, Persona},
    concierge::Choice,
    locale::Locale,
    money::{Cents, Money},
    payment::TEST_CARDS,
    room_number::RoomNumber,
    said,
    sentence::Sentence,
    tool_answer::ToolAnswer,
    tool_catalog::GetFolio,
    tool_output::SavedCard,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{concierge_service::Inner, stay_reference::StayReference};

/// Folio of the selected stay.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FolioFacts {
    pub booking_number: BookingNumber,
    pub room_number: RoomNumber,
    pub balance: i64,
    pub balance_text: String,
    pub choices: Vec<Choice>,
    /// What the guest's card reserves, and the card.
    pub held: Option<HeldFacts>,
}

/// What a card reserves for the stay.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeldFacts {
    pub amount: Cents,
    pub amount_text: String,
    /// `Visa •••• 4242`.
    pub card: String,
}

impl Inner {
    /// Reads it with the caller's permissions.
    ///
    /// # Errors
    /// The tool's error, for the model and the person.
    pub async fn folio(&self, caller: &Caller, input: &Value) -> Result<FolioFacts, ToolAnswer> {
        let meant = StayReference::of(input);
        let folio = self.read::<GetFolio>(caller, meant).await?;
        // Nobody is asked for a sum that is not known
        let balance = folio.known_balance()?;
        let held = folio.holds.first().map(|first| {
            let amount = folio.holds.iter().map(|hold| hold.amount).sum();
            let brand = capital(first.card_brand.as_deref().unwrap_or("card"));
            let last4 = first.card_last4.as_deref().unwrap_or_default();
            HeldFacts {
                amount,
                amount_text: Locale::default().money(Money {
                    cents: amount,
                    currency: folio.currency,
                }),
                card: format!("{brand} •••• {last4}"),
            }
        });
        let pays = balance > Cents(0) && !balance.needs_front_desk();
        let choices = if pays && held.is_none() {
            self.cards_of(folio.saved_cards)
        } else {
            Vec::new()
        };
        Ok(FolioFacts {
            booking_number: folio.booking_number,
            room_number: folio.room_number,
            balance: balance.0,
            balance_text: folio.balance_text,
            choices,
            held,
        })
    }

    /// Whether this person may enter a new payment card: a guest with a balance, where real cards
    /// are accepted. Staff never enter a guest's card.
    pub fn takes_new_card(&self, caller: &Caller, folio: &FolioFacts) -> bool {
        let settings = &self.parts.settings;
        settings.new_cards
            && !settings.demo
            && caller.persona == Persona::Guest
            && folio.balance > 0
            && folio.held.is_none()
    }

    /// Saved cards, default first, and in a demo the test cards.
    fn cards_of(&self, mut saved: Vec<SavedCard>) -> Vec<Choice> {
        saved.sort_by_key(|card| !card.default);
        let choice = |card: SavedCard| Choice {
            label: said!(
                "card-saved",
                card = format!("{} •••• {}", capital(&card.brand), card.last4)
            ),
            value: card.payment_method_id.into(),
            note: String::new(),
        };
        let mut choices: Vec<Choice> = saved.into_iter().map(choice).collect();
        if self.parts.settings.demo {
            let test = |(id, name): &(&str, &'static str)| Choice {
                value: (*id).to_owned(),
                label: Sentence::named("test-card", *name),
                note: "Test card".to_owned(),
            };
            choices.extend(TEST_CARDS.iter().map(test));
        }
        choices
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// What a check-out's input says besides the caller's words.
#[derive(Serialize, Deserialize)]
pub(crate) struct AgreedBill {
    pub amount: Cents,
    pub booking_number: BookingNumber,
}

/// Tool input: the stay by its number, and the current balance.
pub(crate) fn with_folio(input: &Value, folio: &FolioFacts) -> Value {
    let mut fields = input.as_object().cloned().unwrap_or_default();
    let agreed = AgreedBill {
        amount: Cents(folio.balance),
        booking_number: folio.booking_number.clone(),
    };
    if let Ok(Value::Object(agreed)) = serde_json::to_value(agreed) {
        fields.extend(agreed);
    }
    fields.into()
}
