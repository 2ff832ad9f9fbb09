//! Paths of all pages.

use std::{future::Future, sync::Arc};

use dewy_domain::caller::Persona;
use leptos::prelude::*;

use crate::{
    pages::{
        account::{guest_account_page, staff_account_page},
        concierge::{concierge_page, pay_page},
        guest::{
            book_page, booking_link_page, bookings_page, cancel_page, change_page, check_in_page,
            check_out_page, confirm_booking_page, enter_code_page, execution_page, folio_page,
            guest_sign_in_page, home_page, receipt_page, register_page, requests_page, story_page,
        },
        public::{free_rooms_page, landing_page, privacy_page, terms_page},
        staff::{
            act_page, attention_page, audit_page, bulk_page, case_page, cases_page, charges_page,
            compensations_page, conversations_page, desk_book_page, executions_page,
            fault_injection_page, find_page, guest_page, guests_page, keys_page, new_case_page,
            new_guest_page, payments_page, record_page, refund_page, room_page, rooms_page,
            staff_sign_in_page, stay_act_page, stay_page, systems_page, tape_page, today_page,
            tokens_page, waiting_page, walk_in_page, wall_page,
        },
    },
    render_page::{PageError, PageRequest, PageResult, page, page_in_parts},
};

/// Page, and the path it answers.
#[derive(Clone)]
pub struct PageRoute {
    /// Path in axum's syntax: `/guest/receipt/{id}`.
    pub path: &'static str,
    /// Renders the page inside the document.
    pub view: PageView,
    /// Whether a part follows when the rest has been sent. All other pages are rendered completely
    /// before anything is sent, so that they work without scripts and have the right status.
    pub in_parts: bool,
}

/// Renders a page, in the context of its request.
pub type PageView = Arc<dyn Fn() -> AnyView + Send + Sync>;

/// Every page. axum finds the one that a request is for; Leptos's router would build all of them
/// for each request.
pub fn routes() -> Vec<PageRoute> {
    vec![
        whole("/", landing_page),
        whole("/rooms", free_rooms_page),
        whole("/privacy", privacy_page),
        whole("/terms", terms_page),
        whole("/booking/{id}", booking_link_page),
        whole("/guest", home_page),
        whole("/guest/sign-in", guest_sign_in_page),
        whole("/guest/sign-in/code", enter_code_page),
        whole("/guest/sign-in/new", register_page),
        whole("/guest/account", guest_account_page),
        whole("/guest/check-in", check_in_page),
        whole("/guest/folio", folio_page),
        whole("/guest/check-out", check_out_page),
        whole("/guest/execution/{id}", execution_page),
        whole("/guest/receipt/{id}", receipt_page),
        whole("/guest/bookings", bookings_page),
        whole("/guest/bookings/{id}/change", change_page),
        whole("/guest/bookings/{id}/cancel", cancel_page),
        whole("/guest/book", book_page),
        whole("/guest/book/check", confirm_booking_page),
        whole("/guest/requests", requests_page),
        whole("/guest/story", story_page),
        whole("/guest/concierge", |request| {
            concierge_page(request, Persona::Guest)
        }),
        whole("/guest/concierge/{id}", |request| {
            concierge_page(request, Persona::Guest)
        }),
        whole("/guest/pay", pay_page),
        whole("/staff", today_page),
        whole("/staff/waiting", waiting_page),
        whole("/staff/today", today),
        whole("/staff/rooms", rooms_page),
        whole("/staff/rooms/{id}", room_page),
        whole("/staff/stays/{id}", stay_page),
        whole("/staff/stays/{id}/{act}", stay_act_page),
        whole("/staff/bulk/{act}", bulk_page),
        whole("/staff/book", desk_book_page),
        whole("/staff/walk-in", walk_in_page),
        whole("/staff/tape", tape_page),
        whole("/staff/cases", cases_page),
        whole("/staff/cases/new", new_case_page),
        whole("/staff/cases/{id}", case_page),
        whole("/staff/guests", guests_page),
        whole("/staff/guests/new", new_guest_page),
        whole("/staff/guest", guest_page),
        whole("/staff/sign-in", staff_sign_in_page),
        whole("/staff/account", staff_account_page),
        whole("/staff/attention", attention_page),
        whole("/staff/executions", executions_page),
        in_parts("/staff/executions/{id}", record_page),
        whole("/staff/executions/{id}/act/{act}", act_page),
        whole("/staff/compensations", compensations_page),
        whole("/staff/refund", refund_page),
        whole("/staff/charges", charges_page),
        whole("/staff/audit", audit_page),
        whole("/staff/tokens", tokens_page),
        whole("/staff/systems", systems_page),
        whole("/staff/fault-injection", fault_injection_page),
        whole("/staff/payments", payments_page),
        whole("/staff/concierge", |request| {
            concierge_page(request, Persona::Staff)
        }),
        whole("/staff/concierge/{id}", |request| {
            concierge_page(request, Persona::Staff)
        }),
        whole("/staff/conversations", conversations_page),
        whole("/staff/find", find_page),
        whole("/staff/keys", keys_page),
        whole("/staff/wall", wall_page),
    ]
}

type PageFunction<F> = fn(PageRequest) -> F;

fn whole<F>(path: &'static str, make: PageFunction<F>) -> PageRoute
where
    F: Future<Output = PageResult> + Send + 'static,
{
    PageRoute {
        path,
        view: Arc::new(move || page(make).into_any()),
        in_parts: false,
    }
}

/// The record of an execution, whose payment check follows when Stripe has answered.
fn in_parts<F>(path: &'static str, make: PageFunction<F>) -> PageRoute
where
    F: Future<Output = PageResult> + Send + 'static,
{
    PageRoute {
        path,
        view: Arc::new(move || page_in_parts(make).into_any()),
        in_parts: true,
    }
}

async fn today(_: PageRequest) -> PageResult {
    Err(PageError::Redirect("/staff".to_owned()))
}
