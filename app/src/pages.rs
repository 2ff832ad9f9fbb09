//! Pages, and the forms that they show.

pub(crate) mod account;
mod card_name;
pub(crate) mod concierge;
pub(crate) mod enter_demo;
pub(crate) mod guest;
mod prelude;
pub(crate) mod public;
mod read_tools;
mod sign_in;
pub(crate) mod staff;
