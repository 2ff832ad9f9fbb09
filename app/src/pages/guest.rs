//! Pages for guests: sign-in, overview, check-in, folio, check-out, bookings, requests, and the
//! results of all of these.

mod activity_labels;
mod as_of;
mod book;
mod book_check;
mod bookings;
mod cancel;
mod change;
mod change_price;
mod change_view;
mod check_in;
mod check_in_steps;
mod check_out;
mod chips;
mod code;
mod event_stream;
mod execution;
mod folio;
mod folio_page;
mod guest_stay;
mod home;
mod home_card;
mod key_card;
mod leaving;
mod next;
mod outcome;
mod own_bill;
mod payment_cards;
mod place;
mod receipt;
mod receipt_email;
mod receipt_writer;
mod refund_dates;
mod register;
mod request_form;
mod request_list;
mod request_template;
mod requests;
mod shared_bill;
mod sign_in;
mod stay_story;
mod story;
mod story_page;

pub use self::{
    book::BookPage,
    book_check::BookCheckPage,
    bookings::BookingsPage,
    cancel::CancelPage,
    change::ChangePage,
    check_in::CheckInPage,
    check_out::CheckOutPage,
    code::CodePage,
    execution::ExecutionPage,
    folio::{Folio, FolioLine},
    folio_page::{FolioPage, bill},
    home::HomePage,
    leaving::early,
    payment_cards::{TEST_CARDS, card_name},
    receipt::ReceiptPage,
    receipt_writer::Receipts,
    register::RegisterPage,
    requests::RequestsPage,
    sign_in::GuestSignInPage,
    story_page::StoryPage,
};
