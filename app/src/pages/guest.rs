//! Pages for guests: sign-in, overview, check-in, folio, check-out, bookings, requests, and the
//! results of all of these.

mod activity_labels;
mod bookings;
mod cancel_booking;
mod change_booking;
mod change_form;
mod change_price;
mod check_in;
mod check_in_steps;
mod check_out;
mod check_out_progress;
mod enter_code;
mod event_stream;
mod execution_page;
mod execution_story;
mod find_room;
mod folio;
mod folio_page;
mod guest_bill;
mod guest_stay;
mod home;
mod home_card;
mod home_state;
mod hotel_information;
mod key_card;
mod outcome;
mod page_age;
mod payment_cards;
mod receipt;
mod receipt_email;
mod receipt_writer;
mod refund_dates;
mod registration;
mod request_form;
mod request_list;
mod request_template;
mod requests;
mod review_booking;
mod shared_bill;
mod shortcuts;
mod sign_in;
mod stay_story;
mod story_page;

pub use self::{
    bookings::BookingsPage,
    cancel_booking::CancelPage,
    change_booking::ChangePage,
    check_in::CheckInPage,
    check_out::CheckOutPage,
    check_out_progress::early,
    enter_code::CodePage,
    execution_page::ExecutionPage,
    find_room::BookPage,
    folio_page::{FolioPage, bill},
    home::HomePage,
    payment_cards::{TEST_CARDS, card_name},
    receipt::ReceiptPage,
    receipt_writer::Receipts,
    registration::RegisterPage,
    requests::RequestsPage,
    review_booking::BookCheckPage,
    sign_in::GuestSignInPage,
    story_page::StoryPage,
};
