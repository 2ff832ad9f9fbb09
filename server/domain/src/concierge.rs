//! The concierge: conversations, their entries, and the proposals a person approves or declines.
//!
//! A model chooses and explains; it decides nothing. Every change it wants becomes a [`Proposal`],
//! built from the server's own facts, and runs only after the owner of the conversation confirms
//! it.

mod conversation;
mod conversation_entry;
mod conversation_view;
mod proposal;
mod usage;

pub use conversation::{Conversation, Responder};
pub use conversation_entry::{CallState, Danger, Entry, NumberedEntry, RequestedCall};
pub use conversation_view::{
    ConversationItem, ConversationSummary, ConversationView, DangerReport, LiveState, ProposalView,
};
pub use proposal::{Choice, Proposal, ProposalEvent, ProposalState};
pub use usage::{Budget, ConciergeSwitch, UsageRow, UsageTotals};

/// Maximum length of a message, in characters; longer texts are not sent to the model.
pub const MAX_MESSAGE_LENGTH: usize = crate::emergency::MAX_LENGTH;
/// Maximum length of a conversation's title.
pub const MAX_TITLE_LENGTH: usize = 80;
/// The one tool only the concierge has: it hands the conversation to staff.
pub const HAND_OVER: &str = "hand_over_to_staff";
