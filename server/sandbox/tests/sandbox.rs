//! Sandbox tests through its transport, its disk and its socket.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "sandbox/account.rs"]
mod account;
#[path = "sandbox/chat_client.rs"]
mod chat_client;
#[path = "sandbox/dialogues.rs"]
mod dialogues;
#[path = "sandbox/events.rs"]
mod events;
#[path = "sandbox/extra_sentences.rs"]
mod extra_sentences;
#[path = "sandbox/faults.rs"]
mod faults;
#[path = "sandbox/idempotency.rs"]
mod idempotency;
#[path = "sandbox/intents.rs"]
mod intents;
#[path = "sandbox/llm.rs"]
mod llm;
#[path = "sandbox/llm_stream.rs"]
mod llm_stream;
#[path = "sandbox/messages.rs"]
mod messages;
#[path = "sandbox/refunds.rs"]
mod refunds;
#[path = "sandbox/restart.rs"]
mod restart;
#[path = "sandbox/sandbox_client.rs"]
mod sandbox_client;
#[path = "sandbox/sentence_judge.rs"]
mod sentence_judge;
#[path = "sandbox/sentences.rs"]
mod sentences;
#[path = "sandbox/server.rs"]
mod server;
#[path = "sandbox/stripe_shapes.rs"]
mod stripe_shapes;
