//! What follows from a committed saga: receipts, texts, and the requests of an ended stay.

pub(crate) mod email_outbox_worker;
pub(crate) mod email_receipt;
pub(crate) mod ended_stay;
pub(crate) mod guest_language;
pub(crate) mod text_end_worker;
pub(crate) mod text_outbox_worker;
