//! The pages of the desk.

mod act;
mod attention;
mod audit;
mod charges;
mod compensations;
mod dial;
mod executions;
mod filters;
mod find;
mod keys;
mod nav;
mod reads;
mod record;
mod refund;
mod sign_in;
mod systems;
mod tokens;

pub use self::{
    act::ActPage,
    attention::AttentionPage,
    audit::AuditPage,
    charges::ChargesPage,
    compensations::CompensationsPage,
    dial::DialPage,
    executions::ExecutionsPage,
    find::FindPage,
    keys::KeysPage,
    nav::{foot, nav, search},
    record::RecordPage,
    refund::RefundPage,
    sign_in::StaffSignInPage,
    systems::SystemsPage,
    tokens::TokensPage,
};
