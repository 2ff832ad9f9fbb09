//! Concierge: a model chooses and explains, and this crate limits it to that.
//!
//! ```text
//! words ─► say.rs ─► danger? emergency.rs: people, at once
//!                 └─► turn.rs ⇄ model: words to hub.rs, calls to act.rs
//!                                              reads ─► dispatcher, at once
//!                                              changes ─► propose.rs: a card, from the hotel's own facts and terms.rs
//! click ─► decide.rs: spent once, stored ─► settle.rs ─► dispatcher ─► turn.rs: the outcome explained
//! ```
//! Nothing here believes the model: it names a tool of its caller's and arguments, and these are
//! checked like anybody's. Who is asking, which amount and which card never come from it, and
//! nothing that changes anything runs without the person's click.

mod act;
mod broadcast;
mod budget;
mod commands;
mod decide;
mod emergency;
mod execute_proposal;
mod facts;
mod folio;
mod hand_over;
mod history;
mod later;
mod offer;
mod proposal;
mod propose;
mod service;
mod settings;
mod stays;
mod subscribe;
mod suggest;
mod terms;
mod thread;
mod turn;
mod visible_text;

pub use service::{ConciergeOf, Parts};
pub use settings::Settings;
