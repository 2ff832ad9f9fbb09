//! What became of it: the page a guest watches.

use dewy_domain::caller::Persona;
use leptos::prelude::*;

use crate::{
    layout,
    live::{LiveExecution, Reader, Refresh},
    page::{Stop, Visit, page},
};

/// One execution of the guest's own.
#[component]
pub fn ExecutionPage() -> impl IntoView {
    page(|visit: Visit| async move {
        let who = visit.gate.admit(Persona::Guest, &visit.here).await?;
        let execution = visit.gate.watch.execution(&who.caller, &visit.id).await.ok_or(Stop::NotFound)?;
        let content = view! {
            <Refresh at_rest=execution.at_rest />
            <LiveExecution first=execution reader=Reader::Guest />
        };
        Ok(layout::guest("Your check-out", Some(&who), content))
    })
}
