//! Thin clients of the hotel's outside systems.
//!
//! ```text
//! port call → requests (pure) → Call ──journaled by the caller──→ client → Transport → answers (pure) → Outcome
//! ```
//!
//! A connector makes no decisions about money or bookings. It builds requests byte for byte, and
//! classifies every response as one of four outcomes: done, refused, try later, unknown.

mod access_alarms;
mod breaker;
mod client_limits;
mod client_policy;
mod clock_and_entropy;
mod exchange_log;
mod exchange_result;
mod form_encoding;
mod health_stats;
mod http_transport;
mod llm;
mod percent_encoding;
mod phone_number;
mod redacted_message;
mod request_counters;
pub mod salesforce;
mod smtp;
pub mod stripe;
pub mod twilio;
mod without_secret;

pub use client_limits::Limits;
pub use clock_and_entropy::{OsEntropy, RealClock, SteadyClock};
pub use health_stats::HealthStats;
pub use http_transport::HttpTransport;
pub use llm::{ChatModel, ModelConfig, ModelCount, ObservedModel};
pub use phone_number::{Country, PhoneNumber};
pub use request_counters::Count;
pub use salesforce::{
    MissingRequirement, OrgCheck, OrgCurrency, OrgVocabulary, Salesforce, SalesforceConfig,
    UnknownWords,
};
pub use smtp::Smtp;
pub use stripe::{Stripe, StripeConfig};
pub use twilio::{TextSender, Twilio, TwilioConfig};
