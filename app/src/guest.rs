//! The guest's pages: sign in, the stay at a glance, check in, the folio, check out, and what became of it.

mod cards;
mod check_in;
mod check_out;
mod code;
mod execution;
mod folio;
mod folio_page;
mod home;
mod receipt;
mod sign_in;
mod story;

pub use self::{
    check_in::CheckInPage,
    check_out::CheckOutPage,
    code::CodePage,
    execution::ExecutionPage,
    folio::{Folio, FolioLine, day, days},
    folio_page::{FolioPage, bill},
    home::HomePage,
    receipt::ReceiptPage,
    sign_in::GuestSignInPage,
};
