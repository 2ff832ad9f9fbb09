//! The `remove_saved_card` tool: "Please forget my Visa."

use serde_json::json;

use super::fields::needed;
use crate::{
    approval::Approval,
    caller::Persona,
    card_id::CardId,
    error_code::ErrorCode,
    tool::{Field, Reversibility, Source, Tool},
    tool_input::{ToolInput, tool_input},
    tool_output::SavedCard,
};

tool_input! {
    RemoveSavedCard = "remove_saved_card" => SavedCard {
        payment_method_id: CardId = Field {
            source: Source::Card,
            ..needed(json!({ "type": "string", "pattern": CardId::PATTERN,
                "description": "Which card, as get_folio lists them." }))
        };
    }
}

/// Catalog entry.
pub(super) fn tool() -> Tool {
    Tool {
        title: "Remove a saved card",
        description: "Removes one of the guest's saved cards, at Stripe too.",
        personas: &[Persona::Guest],
        errors: &[ErrorCode::InvalidTransition],
        approvals: vec![Approval::of(
            &[],
            "Remove this card? It can be entered again.",
            "Remove it",
        )],
        ..RemoveSavedCard::write_entry(
            Reversibility::Reversible,
            json!({ "payment_method_id": "pm_1Example" }),
        )
    }
}
