//! The pages of the desk.

mod act;
mod attention;
mod audit;
mod charges;
mod compensations;
mod executions;
mod filters;
mod reads;
mod record;
mod refund;
mod sign_in;
mod tokens;

pub use self::{
    act::ActPage, attention::AttentionPage, audit::AuditPage, charges::ChargesPage, compensations::CompensationsPage,
    executions::ExecutionsPage, record::RecordPage, refund::RefundPage, sign_in::StaffSignInPage, tokens::TokensPage,
};
