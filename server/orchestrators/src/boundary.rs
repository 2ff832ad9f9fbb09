//! The way in: a call is checked, recorded, and becomes a read or a saga.

pub(crate) mod audit_log;
pub(crate) mod audited_dispatcher;
pub(crate) mod confirmation_prompt;
pub(crate) mod dispatch;
pub(crate) mod input_fingerprint;
pub(crate) mod own_cards;
pub(crate) mod record_names;
pub(crate) mod stored_phones;
