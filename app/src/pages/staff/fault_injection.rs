//! Fault injection: makes the sandbox fail like real systems do, to watch the hotel handle it. Demo
//! only.

pub mod form_handlers;
mod scenarios;

use dewy_domain::ports::{FaultInjectionError, FaultInjectionView, FaultSpec};

use self::scenarios::SCENARIOS;
use crate::pages::prelude::*;

const FORM: &str = "fault-injection";
pub const PAGE: &str = "/staff/fault-injection";

/// Scenarios, current settings, and every individual fault.
pub async fn fault_injection_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let status = &request.ctx.system_status;
    let fault_injection = match status.fault_injection(&user.caller).await {
        Ok(fault_injection) => fault_injection,
        Err(FaultInjectionError::Unavailable) => return Err(PageError::NotFound),
        Err(error) => return Err(unavailable(&error, &request.here)),
    };
    let draft = FormDraft::take(&*request.ctx.authenticator, FORM).await;
    let flash = Flash::take(&*request.ctx.authenticator).await;
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        {flash.map(Flash::view)}
        <h1>"Fault injection"</h1>
        <p class="lead">
            "This hotel talks to simulated versions of Salesforce, Stripe and Twilio. Here you make them fail the way the real ones do, and watch what happens to a guest’s check-out. This page disappears as soon as one of them is real."
        </p>
        {present(&fault_injection)}
        {scenes()}
        {by_hand(&draft)}
        {sandbox_section(&fault_injection)}
    };
    Ok(PageLayout::new("Fault injection").who(&user).staff(content))
}

fn unavailable(error: &FaultInjectionError, here: &str) -> PageError {
    PageError::Error(crate::render_page::ErrorPage {
        status: 503,
        title: "Something went wrong".to_owned(),
        message: error.to_string(),
        links: vec![(here.to_owned(), "Try again".to_owned())],
    })
}

fn present(fault_injection: &FaultInjectionView) -> AnyView {
    if fault_injection.faults.is_empty() {
        return view! {
            <section aria-labelledby="now">
                <h2 id="now">"Set now"</h2>
                <p class="empty">"Nothing: all systems respond normally."</p>
            </section>
        }
        .into_any();
    }
    let items = fault_injection
        .faults
        .iter()
        .map(|fault| view! { <li>{fault_sentence(fault)}</li> })
        .collect_view();
    view! {
        <section aria-labelledby="now">
            <h2 id="now">"Set now"</h2>
            <ul class="set">{items}</ul>
            <form method="post" action="/form/calm_sandbox">
                <button>"Clear all faults"</button>
            </form>
        </section>
    }
    .into_any()
}

fn fault_sentence(fault: &FaultSpec) -> String {
    let what = match fault.kind.as_str() {
        "timeout_before_effect" => "is never answered and does nothing".to_owned(),
        "timeout_after_effect" => "takes effect and is never answered".to_owned(),
        "late_effect" => "is not answered and takes effect a while later".to_owned(),
        "reset_before_effect" => "is cut off before it does anything".to_owned(),
        "reset_after_effect" => "takes effect and is cut off".to_owned(),
        "garbage_body" => "takes effect and is answered with garbage".to_owned(),
        "status" => format!("is answered with {}", fault.status.unwrap_or(500)),
        "delivered_twice" => "arrives twice at once".to_owned(),
        "replayed_later" => "is answered as usual and arrives again later".to_owned(),
        "slow" => format!("takes {} ms longer", fault.ms.unwrap_or_default()),
        other => format!("is answered with “{}”", other.replace('_', " ")),
    };
    let which = match (fault.skip, fault.count) {
        (0, 0) => "Every".to_owned(),
        (0, 1) => "The next".to_owned(),
        (0, n) => format!("Each of the next {n}"),
        (s, 0) => format!("From the {}th on, every", s + 1),
        (s, n) => format!("After {s} good ones, each of {n}"),
    };
    format!(
        "{which} {} {} {what}.",
        fault.system,
        fault.operation.replace('_', " ")
    )
}

fn scenes() -> AnyView {
    let cards = SCENARIOS
        .iter()
        .map(|scenario| {
            view! {
                <li class="card">
                    <h3>{scenario.title}</h3>
                    <p>{scenario.what}</p>
                    <p class="aside">"Try it: " {scenario.then}</p>
                    <form method="post" action="/form/set_scene">
                        <input type="hidden" name="scene" value=scenario.name />
                        <button class="quiet">"Set: " {scenario.short}</button>
                    </form>
                </li>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="scenes">
            <h2 id="scenes">"Scenes"</h2>
            <ul class="scenes">{cards}</ul>
        </section>
    }
    .into_any()
}

fn by_hand(draft: &FormDraft) -> AnyView {
    let open = !draft.title.is_empty();
    view! {
        <details class="filter" open=open>
            <summary>"One fault by hand"</summary>
            <form method="post" action="/form/order_fault">
                <div class="filter-fields">
                    <Field name="system" label="System" hint="salesforce, stripe, twilio" value=draft.value_or("system", "stripe") problem=draft.problem("system") />
                    <Field name="operation" label="Operation" hint="query, composite, payment_intent_create, refund_create, …" value=draft.value_or("operation", "refund_create") problem=draft.problem("operation") />
                    <Field name="kind" label="Kind" hint="timeout_after_effect, status, lock_timeout, …" value=draft.value_or("kind", "status") problem=draft.problem("kind") />
                    <Field name="count" label="How many calls" hint="0 until taken back" inputmode="numeric" value=draft.value_or("count", "1") problem=draft.problem("count") />
                    <Field name="skip" label="Let through first" inputmode="numeric" value=draft.value_or("skip", "0") problem=draft.problem("skip") />
                    <Field name="status" label="Status" hint="For the kind status" inputmode="numeric" optional=true value=draft.value_or("status", "500") problem=draft.problem("status") />
                    <Field name="ms" label="Milliseconds" hint="For kinds that take time" inputmode="numeric" optional=true value=draft.value_or("ms", "") problem=draft.problem("ms") />
                </div>
                <p class="actions"><button>"Set it"</button></p>
            </form>
        </details>
    }
    .into_any()
}

fn sandbox_section(fault_injection: &FaultInjectionView) -> AnyView {
    let reference = fault_injection.latency == "reference";
    let (profile, label, said) = if reference {
        (
            "none",
            "Answer at once",
            "They take as long as the real ones.",
        )
    } else {
        (
            "reference",
            "Take as long as the real ones",
            "They answer at once.",
        )
    };
    let days = fault_injection
        .seed_day
        .clone()
        .map(|seed| view! { <p>"Its guests arrive and leave around " {day(&seed)} "."</p> });
    view! {
        <section aria-labelledby="world">
            <h2 id="world">"The sandbox"</h2>
            <p>{said}</p>
            <form method="post" action="/form/set_latency">
                <input type="hidden" name="profile" value=profile />
                <button class="quiet">{label}</button>
            </form>
            {days}
            <p>"A reset restores the initial guests, rooms and bookings, dated from today. Executions and the audit log stay."</p>
            <form method="post" action="/form/reset_world">
                <button class="quiet">"Reset the sandbox"</button>
            </form>
        </section>
    }
    .into_any()
}
