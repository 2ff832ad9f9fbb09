//! The concierge with a model that does as the test says, over the real orchestrators, the real
//! store and the sandbox.

mod aimock;
mod cards;
mod emergencies;
mod injections;
mod killed;
pub mod kit;
mod new_cards;
mod proposals;
mod settled;
mod turns;
