//! Whole conversations with the hotel's concierge, in the manner of τ-bench.
//!
//! ```text
//! scripted person ──► `dewy serve`: sign-in, chat, proposals ──► model  ─┐ gold, nothing, or a server
//!        ▲                      │                                        │ named by OPENAI_BASE_URL
//!        └── judge ◄── ledger ◄─┴──► sandbox: Salesforce, Stripe, model ─┘ or the offline model
//! ```
//! Each dialogue runs in its own hotel, whose outside systems are reached through a proxy that only
//! changes who answers as the model. It is judged by the ledgers of the sandbox and by what the
//! person was told, never by a model.

mod conversation_html;
mod dialogue;
mod hotel;
mod judge;
mod ledger_changes;
mod model_player;
mod model_proxy;
mod relative_dates;
mod report;
mod scripted_person;
mod suite;
mod text_match;

pub use dialogue::{Dialogue, Family};
pub use model_player::Player;
pub use report::{PlayerReport, print};
pub use suite::{Options, run};

/// All dialogues, by family.
///
/// # Errors
/// A data file that can't be read, or two dialogues with one name.
pub fn all() -> anyhow::Result<Vec<Family>> {
    dialogue::all()
}
