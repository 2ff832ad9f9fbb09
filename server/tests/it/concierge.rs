//! Concierge with a scripted model, over the real orchestrators, the real store and the sandbox.

mod aimock;
mod emergencies;
mod emergency_cases;
mod hostile_messages;
mod killed_process;
mod model_servers;
pub mod model_stand_in;
mod new_payment_cards;
mod no_offers;
mod openai_mock_api;
mod prompt_injection;
mod proposal_abuse;
mod proposals;
pub mod scripted_hotel;
mod settled_by_hand;
mod special_requests;
mod turns;
mod unasked_proposals;
