//! Folio of a check-out: the amount from the backend, and the payment cards to choose from.

use dewy_domain::{
    answer::ToolAnswer,
    caller::{Caller, Persona},
    concierge::Choice,
    payment::TEST_CARDS,
    tool::ToolCall,
};
use serde_json::{Map, Value, json};

use crate::service::Inner;

/// Folio of the selected stay.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FolioFacts {
    pub booking: String,
    pub room: String,
    pub balance: i64,
    pub balance_text: String,
    pub choices: Vec<Choice>,
}

impl Inner {
    /// Reads it with the caller's permissions.
    ///
    /// # Errors
    /// The tool's error, for the model and the person.
    pub async fn folio(&self, caller: &Caller, input: &Value) -> Result<FolioFacts, ToolAnswer> {
        let wanted = ["guest_email", "booking_number", "room_number"];
        let fields: Map<String, Value> = wanted
            .into_iter()
            .filter_map(|name| {
                input
                    .get(name)
                    .map(|value| (name.to_owned(), value.clone()))
            })
            .collect();
        let call = ToolCall {
            tool: "get_folio".to_owned(),
            input: fields.into(),
            idempotency_token: None,
            wait: None,
        };
        let answer = self.parts.dispatcher.dispatch(caller, call).await;
        if answer.error().is_some() {
            return Err(answer);
        }
        let body = answer.body(caller.persona);
        let data = &body["data"];
        let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
        let balance = data["balance"].as_i64().unwrap_or_default();
        Ok(FolioFacts {
            booking: text("booking_number"),
            room: text("room_number"),
            balance,
            balance_text: data["balance_text"]
                .as_str()
                .map_or_else(|| self.parts.settings.money(balance), str::to_owned),
            choices: if balance > 0 {
                self.cards_of(&data["saved_cards"])
            } else {
                Vec::new()
            },
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
    }

    /// Saved cards, default first, and in a demo the test cards.
    fn cards_of(&self, saved: &Value) -> Vec<Choice> {
        let mut choices: Vec<(bool, Choice)> = Vec::new();
        for card in saved.as_array().into_iter().flatten() {
            let id = card["payment_method_id"].as_str().unwrap_or_default();
            let (brand, last4) = (
                card["brand"].as_str().unwrap_or("card"),
                card["last4"].as_str().unwrap_or_default(),
            );
            let label = format!("Saved card: {} •••• {last4}", capital(brand));
            let usual = card["default"].as_bool().unwrap_or_default();
            choices.push((
                !usual,
                Choice {
                    value: id.to_owned(),
                    label,
                    note: String::new(),
                },
            ));
        }
        choices.sort_by_key(|(other, _)| *other);
        let mut choices: Vec<Choice> = choices.into_iter().map(|(_, choice)| choice).collect();
        if self.parts.settings.demo {
            let test = |(id, name): &(&str, &str)| Choice {
                value: (*id).to_owned(),
                label: (*name).to_owned(),
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

/// Tool input: the stay by its number, and the current balance.
pub(crate) fn filled(input: &Value, folio: &FolioFacts) -> Value {
    let mut input = if input.is_object() {
        input.clone()
    } else {
        json!({})
    };
    input["amount"] = json!(folio.balance);
    input["booking_number"] = json!(folio.booking);
    input
}
