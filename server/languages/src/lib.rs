//! What guests read, in each of their languages.
//!
//! ```text
//! locales/en.ftl, es.ftl ─► build.rs ─► Catalog: messages by id ─► Language::text, Language::format
//!                                               └─► SentenceMatcher: sentences of the backend ─► Language::translated
//! ```
//! A language is one file in `locales/`, in Project Fluent's format; English is what the others are
//! compared with. A sentence that the backend wrote is recognized by its English text: those
//! messages begin with `said-`.

mod language;
mod message_catalog;
mod preferred_language;
mod sentence_matcher;

pub use fluent_bundle::FluentValue as Value;

pub use language::{Language, warm_up};
