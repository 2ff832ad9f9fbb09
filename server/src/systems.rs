//! The outside systems: how they are connected, whether they answer, and what they report.

pub mod connect_systems;
pub(crate) mod currency_comparison;
pub(crate) mod no_model;
pub mod status_callback;
pub mod system_status;
pub mod webhook_registration;
