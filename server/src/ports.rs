//! Adapters of the domain's ports that live in the server: attention, audit, notes, views, photos, texts.

pub mod attention;
pub mod audit;
pub(crate) mod audited_mail;
pub(crate) mod csv;
pub mod key_value_store;
pub(crate) mod photos;
pub mod saved_views;
pub mod staff_accounts;
pub mod stay_notes;
pub(crate) mod stripe_account_memory;
pub mod text_delivery;
