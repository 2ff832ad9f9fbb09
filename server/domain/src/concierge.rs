//! The concierge's words: conversations, what is said and done in them, and the cards on which a
//! person decides.
//!
//! A model chooses and explains; it decides nothing. What it wants to change becomes a
//! [`Proposal`], made from the server's own facts, and runs only when the person of the
//! conversation says so.

mod conversation;
mod entry;
mod proposal;
mod thread;
mod usage;

pub use conversation::{Conversation, Standing};
pub use entry::{CallAsked, CallState, Entry, Placed};
pub use proposal::{Choice, Proposal, ProposalEvent, ProposalState};
pub use thread::{Item, Live, ProposalView, Thread, ThreadLine};
pub use usage::{Budget, Spent, Switch, UsageLine};

/// Longer is a letter; nobody has to read it to the model.
pub const LONGEST_WORDS: usize = 2000;
/// The longest name of a conversation.
pub const LONGEST_TITLE: usize = 80;
/// The tool that only the concierge has: it calls a person.
pub const HAND_OVER: &str = "hand_over_to_staff";
