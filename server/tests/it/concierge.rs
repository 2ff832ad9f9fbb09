//! Concierge with a scripted model, over the real orchestrators, the real store and the sandbox.

mod emergencies;
mod hostile_messages;
mod killed_process;
mod model_servers;
pub mod model_stand_in;
mod new_payment_cards;
mod no_offers;
mod other_servers;
mod prompt_injection;
mod proposal_abuse;
mod proposals;
mod script_fields;
mod script_player;
mod script_settings;
pub mod scripted_hotel;
mod scripted_model;
mod turns;
mod unasked_proposals;
