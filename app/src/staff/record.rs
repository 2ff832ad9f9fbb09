//! One execution as its record: what was wanted, every step forward and back, the money, and what was found different.

use dewy_domain::caller::Persona;
use leptos::prelude::*;

use crate::{
    layout,
    live::{LiveExecution, Reader, Refresh},
    page::{Stop, Visit, page},
};

/// The record.
#[component]
pub fn RecordPage() -> impl IntoView {
    page(|visit: Visit| async move {
        let who = visit.gate.admit(Persona::Staff, &visit.here).await?;
        let execution = visit.gate.watch.execution(&who.caller, &visit.id).await.ok_or(Stop::NotFound)?;
        let title = execution.title.clone();
        let content = view! {
            <Refresh at_rest=execution.at_rest />
            <p class="crumbs">
                <a href="/staff/executions">"Executions"</a>
            </p>
            <LiveExecution first=execution reader=Reader::Staff />
        };
        Ok(layout::staff(&title, Some(&who), visit.gate.demo(), content))
    })
}
