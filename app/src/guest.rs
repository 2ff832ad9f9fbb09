//! The guest's pages: sign in, read the folio, check out, see what became of it.

mod cards;
mod check_out;
mod code;
mod execution;
mod folio;
mod folio_page;
mod receipt;
mod sign_in;

pub use self::{
    check_out::CheckOutPage, code::CodePage, execution::ExecutionPage, folio_page::FolioPage, receipt::ReceiptPage,
    sign_in::GuestSignInPage,
};
