//! Pages for guests: sign-in, overview, check-in, folio, check-out, bookings, requests, and the
//! results of all of these.

mod activity_labels;
mod as_of_line;
mod bill_tax;
mod booking_change_form;
mod booking_change_price;
mod booking_confirmation;
mod booking_link;
mod bookings;
mod calendar_event;
pub mod cancel_booking;
pub mod change_booking;
pub mod check_in;
mod check_in_form_pages;
pub mod check_out;
mod check_out_progress;
pub mod confirm_booking;
mod email_content;
mod event_stream;
mod execution_events;
mod execution_page;
mod find_room;
mod folio_page;
mod guest_bill;
mod guest_emails;
mod guest_stay;
mod history_page;
mod home;
mod home_card;
mod key_card;
mod next_action;
mod own_requests;
mod read_folio;
mod receipt;
pub mod receipt_email;
mod refund_dates;
pub mod registration;
mod request_form;
mod request_template;
pub mod requests;
mod result_text;
mod shared_bill_notice;
pub mod sign_in;
pub mod sign_in_code;
mod stay_events;
mod task_chips;

pub use self::{
    booking_link::booking_link_page,
    bookings::bookings_page,
    cancel_booking::cancel_page,
    change_booking::change_page,
    check_in::check_in_page,
    check_out::check_out_page,
    check_out_progress::early,
    confirm_booking::confirm_booking_page,
    execution_page::execution_page,
    find_room::book_page,
    folio_page::{bill, folio_page},
    guest_emails::GuestEmails,
    history_page::story_page,
    home::home_page,
    receipt::receipt_page,
    registration::register_page,
    requests::requests_page,
    sign_in::guest_sign_in_page,
    sign_in_code::enter_code_page,
};
