//! Sandbox tests through its transport, its disk and its socket.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "sandbox/account.rs"]
mod account;
#[path = "sandbox/chat.rs"]
mod chat;
#[path = "sandbox/common.rs"]
mod common;
#[path = "sandbox/dialogues.rs"]
mod dialogues;
#[path = "sandbox/disk.rs"]
mod disk;
#[path = "sandbox/events.rs"]
mod events;
#[path = "sandbox/faults.rs"]
mod faults;
#[path = "sandbox/fresh.rs"]
mod fresh;
#[path = "sandbox/idempotency.rs"]
mod idempotency;
#[path = "sandbox/intents.rs"]
mod intents;
#[path = "sandbox/judge.rs"]
mod judge;
#[path = "sandbox/llm.rs"]
mod llm;
#[path = "sandbox/messages.rs"]
mod messages;
#[path = "sandbox/refunds.rs"]
mod refunds;
#[path = "sandbox/sentences.rs"]
mod sentences;
#[path = "sandbox/server.rs"]
mod server;
#[path = "sandbox/shapes.rs"]
mod shapes;
#[path = "sandbox/stream.rs"]
mod stream;
