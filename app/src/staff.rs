//! The pages of the desk.

mod executions;
mod record;
mod sign_in;

pub use self::{executions::ExecutionsPage, record::RecordPage, sign_in::StaffSignInPage};
