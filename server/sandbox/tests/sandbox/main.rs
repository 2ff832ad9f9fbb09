//! Sandbox tests through its transport, its disk and its socket.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod chat_client;
mod chat_history;
mod faults;
mod first_messages;
mod holds;
mod idempotency;
mod llm;
mod llm_stream;
mod meant_stays;
mod payment_intents;
mod prelude;
mod refunds;
mod restart;
mod sandbox_client;
mod scripts;
mod server;
mod shared_stripe_account;
mod stripe_shapes;
mod tool_call_judge;
mod tool_selection;
mod tool_selection_first_time_users;
mod twilio_messages;
mod twilio_shapes;
mod unasked_changes;
mod webhook_events;
