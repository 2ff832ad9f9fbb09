//! What guests read, in each of their languages.
//!
//! ```text
//! locales/en.ftl, es.ftl ─► build.rs ─► Catalog: messages by id ─┬─► Language::text, Language::format: pages
//!                                                                └─► Language::translation: sentences of the backend
//! ```
//! A language is one file in `locales/`, in Project Fluent's format; English is what the others are
//! compared with. What the backend says is a `Sentence` of the domain crate, with the id of its
//! message; errors and entries of lists have their English in the code.

mod language;
mod message_catalog;
mod preferred_language;

pub use fluent_bundle::FluentValue as Value;

pub use language::{Language, warm_up};
