//! What every read and every call is given: connections, settings, budgets, and the checked input.

pub(crate) mod folio_reads;
pub(crate) mod hotel_environment;
pub(crate) mod hotel_service;
pub(crate) mod input_validation;
pub(crate) mod salesforce_call_budget;
pub(crate) mod saved_cards;
pub(crate) mod start_by_clock;
