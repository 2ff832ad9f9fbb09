//! Concierge: a model chooses and explains, and this crate limits it to that.
//!
//! ```text
//! message ─► conversation_commands.rs ─► emergency? emergency.rs: staff, at once
//!                                    └─► turn.rs ⇄ model: text to live_conversations.rs, calls to tool_calls.rs
//!                                                         reads ──► dispatcher, at once
//!                                                         writes ─► propose.rs: a proposal, if the person wishes for it (proposal_guard.rs),
//!                                                         from the hotel's own facts (proposal_terms.rs)
//! click ─► decide_proposal.rs: spent once, stored ─► execute_proposal.rs ─► dispatcher ─► turn.rs: the result explained
//! ```
//! The model isn't trusted: it names one of the caller's tools and its arguments, and both are
//! validated like any caller's. The caller, amounts and payment cards never come from it, and no
//! write runs without the person's click.

mod budget;
mod case_choice;
mod check_out_folio;
mod concierge_service;
mod conversation_commands;
mod conversation_list;
mod conversation_view;
mod decide_proposal;
mod deferral;
mod emergency;
mod execute_proposal;
mod failure;
mod hand_over;
mod known_facts;
mod language_cache;
mod live_conversations;
mod model_history;
mod mutex;
mod offered_tools;
mod owed_case;
mod phrase_list;
mod post_limit;
mod proposal_guard;
mod proposal_questions;
mod proposal_terms;
mod proposal_text;
mod propose;
mod read_tool;
mod refusal_follow_up;
mod settings;
mod special_requests;
mod stay_cache;
mod stay_reference;
mod subscribe;
mod suggested_messages;
mod system_prompt;
mod tool_calls;
mod turn;
mod visible_text;
mod wish;

pub use concierge_service::{ConciergeService, Parts};
pub use settings::{MESSAGES_AT_ONCE, Settings};

/// Compiles the phrases that replies are matched with, which takes longer than a request should; for
/// the start of a process.
pub fn warm_up() {
    deferral::warm_up();
    proposal_questions::warm_up();
}
