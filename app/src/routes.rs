//! Paths of all pages.

use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    pages::{
        active_sessions::{GuestAccountPage, StaffAccountPage},
        concierge::{GuestConciergePage, PayPage, StaffConciergePage},
        guest::{
            BookPage, BookingsPage, CancelPage, ChangePage, CheckInPage, CheckOutPage, CodePage,
            ConfirmBookingPage, ExecutionPage, FolioPage, GuestSignInPage, HomePage, ReceiptPage,
            RegisterPage, RequestsPage, StoryPage,
        },
        public::{FreeRoomsPage, LandingPage},
        staff::{
            ActPage, AttentionPage, AuditPage, BulkPage, CasePage, CasesPage, ChargesPage,
            CompensationsPage, ConversationsPage, DeskBookPage, ExecutionsPage, FaultInjectionPage,
            FindPage, GuestPage, GuestsPage, KeysPage, NewCasePage, NewGuestPage, PaymentsPage,
            RecordPage, RefundPage, RoomPage, RoomsPage, StaffSignInPage, StayActPage, StayPage,
            SystemsPage, TapePage, TodayPage, TokensPage, WaitingPage, WallPage,
        },
    },
    render_page::{PageError, page},
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
        whole("/", LandingPage),
        whole("/rooms", FreeRoomsPage),
        whole("/guest", HomePage),
        whole("/guest/sign-in", GuestSignInPage),
        whole("/guest/sign-in/code", CodePage),
        whole("/guest/sign-in/new", RegisterPage),
        whole("/guest/account", GuestAccountPage),
        whole("/guest/check-in", CheckInPage),
        whole("/guest/folio", FolioPage),
        whole("/guest/check-out", CheckOutPage),
        whole("/guest/execution/{id}", ExecutionPage),
        whole("/guest/receipt/{id}", ReceiptPage),
        whole("/guest/bookings", BookingsPage),
        whole("/guest/bookings/{id}/change", ChangePage),
        whole("/guest/bookings/{id}/cancel", CancelPage),
        whole("/guest/book", BookPage),
        whole("/guest/book/check", ConfirmBookingPage),
        whole("/guest/requests", RequestsPage),
        whole("/guest/story", StoryPage),
        whole("/guest/concierge", GuestConciergePage),
        whole("/guest/concierge/{id}", GuestConciergePage),
        whole("/guest/pay", PayPage),
        whole("/staff", TodayPage),
        whole("/staff/waiting", WaitingPage),
        whole("/staff/today", today),
        whole("/staff/rooms", RoomsPage),
        whole("/staff/rooms/{id}", RoomPage),
        whole("/staff/stays/{id}", StayPage),
        whole("/staff/stays/{id}/{act}", StayActPage),
        whole("/staff/bulk/{act}", BulkPage),
        whole("/staff/book", DeskBookPage),
        whole("/staff/tape", TapePage),
        whole("/staff/cases", CasesPage),
        whole("/staff/cases/new", NewCasePage),
        whole("/staff/cases/{id}", CasePage),
        whole("/staff/guests", GuestsPage),
        whole("/staff/guests/new", NewGuestPage),
        whole("/staff/guest", GuestPage),
        whole("/staff/sign-in", StaffSignInPage),
        whole("/staff/account", StaffAccountPage),
        whole("/staff/attention", AttentionPage),
        whole("/staff/executions", ExecutionsPage),
        in_parts("/staff/executions/{id}", RecordPage),
        whole("/staff/executions/{id}/act/{act}", ActPage),
        whole("/staff/compensations", CompensationsPage),
        whole("/staff/refund", RefundPage),
        whole("/staff/charges", ChargesPage),
        whole("/staff/audit", AuditPage),
        whole("/staff/tokens", TokensPage),
        whole("/staff/systems", SystemsPage),
        whole("/staff/fault-injection", FaultInjectionPage),
        whole("/staff/payments", PaymentsPage),
        whole("/staff/concierge", StaffConciergePage),
        whole("/staff/concierge/{id}", StaffConciergePage),
        whole("/staff/conversations", ConversationsPage),
        whole("/staff/find", FindPage),
        whole("/staff/keys", KeysPage),
        whole("/staff/wall", WallPage),
    ]
}

fn whole<V: IntoView + 'static>(path: &'static str, page: fn() -> V) -> PageRoute {
    PageRoute {
        path,
        view: Arc::new(move || page().into_any()),
        in_parts: false,
    }
}

/// The record of an execution, whose payment check follows when Stripe has answered.
fn in_parts<V: IntoView + 'static>(path: &'static str, page: fn() -> V) -> PageRoute {
    PageRoute {
        in_parts: true,
        ..whole(path, page)
    }
}

fn today() -> impl IntoView {
    page(move |_| async move { Err(PageError::Redirect("/staff".to_owned())) })
}
