//! The concierge's words: conversations, what is said and done in them, and the cards on which a person decides.
//!
//! A model chooses and explains; it decides nothing. What it wants to change becomes a [`Card`], made from the server's own facts,
//! and runs only when the person of the conversation says so.

mod card;
mod conversation;
mod entry;
mod thread;
mod usage;

pub use card::{Card, CardEvent, CardState, Choice};
pub use conversation::{Conversation, Standing};
pub use entry::{CallAsked, CallState, Entry, Placed};
pub use thread::{CardView, Item, Live, Thread, ThreadLine};
pub use usage::{Budget, Spent, Switch, UsageLine};

/// Longer is a letter; nobody has to read it to the model.
pub const LONGEST_WORDS: usize = 2000;
/// The longest name of a conversation.
pub const LONGEST_TITLE: usize = 80;
/// The tool that only the concierge has: it calls a person.
pub const HAND_OVER: &str = "hand_over_to_staff";
