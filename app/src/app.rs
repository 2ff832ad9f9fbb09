//! Which page is where.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    ParamSegment as Id, SsrMode, StaticSegment as At,
    components::{Route, Router, Routes},
};

use crate::{
    guest::{CheckOutPage, CodePage, ExecutionPage, FolioPage, GuestSignInPage, ReceiptPage},
    not_found::NotFound,
    page::{Stop, page},
    staff::{ExecutionsPage, RecordPage, StaffSignInPage},
    welcome::Welcome,
};

/// All pages. Each is rendered whole before anything is sent, so that it works without a script and has the right status.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <body>
            <Router>
                <Routes fallback=NotFound>
                    <Route path=At("") view=Welcome ssr=SsrMode::Async />
                    <Route path=At("guest") view=|| to("/guest/folio") ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("sign-in")) view=GuestSignInPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("sign-in"), At("code")) view=CodePage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("folio")) view=FolioPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("check-out")) view=CheckOutPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("execution"), Id("id")) view=ExecutionPage ssr=SsrMode::Async />
                    <Route path=(At("guest"), At("receipt"), Id("id")) view=ReceiptPage ssr=SsrMode::Async />
                    <Route path=At("staff") view=|| to("/staff/executions") ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("sign-in")) view=StaffSignInPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("executions")) view=ExecutionsPage ssr=SsrMode::Async />
                    <Route path=(At("staff"), At("executions"), Id("id")) view=RecordPage ssr=SsrMode::Async />
                </Routes>
            </Router>
        </body>
    }
}

fn to(path: &'static str) -> impl IntoView {
    page(move |_| async move { Err(Stop::Go(path.to_owned())) })
}
