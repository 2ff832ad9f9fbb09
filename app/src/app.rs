//! Routes of all pages.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    ParamSegment as Id, SsrMode, StaticSegment as At,
    components::{Route, Router, Routes},
};

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
    render_page::{NotFound, PageError, page},
};

/// All pages. Each is rendered completely before anything is sent, so that it works without scripts
/// and has the right status. The exception is the execution record, whose payment check follows
/// when Stripe has answered.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <body>
            <Router>
                <Routes fallback=NotFound>
                    <Route path=At("") view=LandingPage ssr=SsrMode::Async />
                    <Route path=At("rooms") view=FreeRoomsPage ssr=SsrMode::Async />
                    <Route path=At("guest") view=HomePage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("sign-in")) view=GuestSignInPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("sign-in"), At("code")) view=CodePage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("sign-in"), At("new")) view=RegisterPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("account")) view=GuestAccountPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("check-in")) view=CheckInPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("folio")) view=FolioPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("check-out")) view=CheckOutPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("execution"), Id("id")) view=ExecutionPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("receipt"), Id("id")) view=ReceiptPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("bookings")) view=BookingsPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("bookings"), Id("id"), At("change")) view=ChangePage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("bookings"), Id("id"), At("cancel")) view=CancelPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("book")) view=BookPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("book"), At("check")) view=ConfirmBookingPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("requests")) view=RequestsPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("story")) view=StoryPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("concierge")) view=GuestConciergePage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("concierge"), Id("id")) view=GuestConciergePage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("pay")) view=PayPage ssr=SsrMode::Async />
                    <Route path=At("staff") view=TodayPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("waiting")) view=WaitingPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("today")) view=|| to("/staff") ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("rooms")) view=RoomsPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("rooms"), Id("id")) view=RoomPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("stays"), Id("id")) view=StayPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("stays"), Id("id"), Id("act")) view=StayActPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("bulk"), Id("act")) view=BulkPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("book")) view=DeskBookPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("tape")) view=TapePage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("cases")) view=CasesPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("cases"), At("new")) view=NewCasePage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("cases"), Id("id")) view=CasePage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("guests")) view=GuestsPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("guests"), At("new")) view=NewGuestPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("guest")) view=GuestPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("sign-in")) view=StaffSignInPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("account")) view=StaffAccountPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("attention")) view=AttentionPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("executions")) view=ExecutionsPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("executions"), Id("id")) view=RecordPage ssr=SsrMode::InOrder />
                    <Route path=(At("staff"), At("executions"), Id("id"), At("act"), Id("act")) view=ActPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("compensations")) view=CompensationsPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("refund")) view=RefundPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("charges")) view=ChargesPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("audit")) view=AuditPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("tokens")) view=TokensPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("systems")) view=SystemsPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("fault-injection")) view=FaultInjectionPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("payments")) view=PaymentsPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("concierge")) view=StaffConciergePage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("concierge"), Id("id")) view=StaffConciergePage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("conversations")) view=ConversationsPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("find")) view=FindPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("keys")) view=KeysPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("wall")) view=WallPage ssr=SsrMode::Async />
                </Routes>
            </Router>
        </body>
    }
}

fn to(path: &'static str) -> impl IntoView {
    page(move |_| async move { Err(PageError::Redirect(path.to_owned())) })
}
