//! The fault injection: makes the sandbox misbehave as real systems do, to see what the hotel makes
//! of it. Only in a demo.

mod scenes;

use dewy_domain::{
    caller::Persona,
    ports::{FaultInjectionError, FaultInjectionView, FaultOrder},
};
use leptos::{prelude::*, server_fn::ServerFn};

use self::scenes::SCENES;
use crate::{
    components::{Field, ProblemPanel},
    flash::Flash,
    form,
    form_draft::FormDraft,
    layout::Sheet,
    page::{Stop, Visit, page},
};

/// The form's name in the session.
const FORM: &str = "fault-injection";
const PAGE: &str = "/staff/fault-injection";

/// Scenes to choose, what is set, and every single fault.
#[component]
pub fn FaultInjectionPage() -> impl IntoView {
    page(|visit: Visit| async move {
        let who = visit.ctx.admit(Persona::Staff, &visit.here).await?;
        let fault_injection = match visit.ctx.system_status.fault_injection(&who.caller).await {
            Ok(fault_injection) => fault_injection,
            Err(FaultInjectionError::None) => return Err(Stop::NotFound),
            Err(error) => return Err(silent(&error, &visit.here)),
        };
        let draft = FormDraft::take(&*visit.ctx.authenticator, FORM).await;
        let flash = Flash::take(&*visit.ctx.authenticator).await;
        let content = view! {
            <ProblemPanel draft=draft.clone() />
            {flash.map(Flash::view)}
            <h1>"Fault injection"</h1>
            <p class="lead">
                "This hotel speaks to stand-ins of Salesforce, Stripe and Twilio. Here you make them fail the way real ones do, and watch what becomes of a guest’s check-out. This page is gone as soon as one of them is real."
            </p>
            {present(&fault_injection)}
            {scenes()}
            {by_hand(&draft)}
            {world(&fault_injection)}
        };
        Ok(Sheet::new("Fault injection").who(&who).staff(content))
    })
}

fn silent(error: &FaultInjectionError, here: &str) -> Stop {
    Stop::Trouble(crate::page::Trouble {
        status: 503,
        title: "That did not work just now".to_owned(),
        message: error.to_string(),
        ways_out: vec![(here.to_owned(), "Try again".to_owned())],
    })
}

fn present(fault_injection: &FaultInjectionView) -> AnyView {
    if fault_injection.faults.is_empty() {
        return view! {
            <section aria-labelledby="now">
                <h2 id="now">"Set now"</h2>
                <p class="empty">"Nothing: everything answers as it should."</p>
            </section>
        }
        .into_any();
    }
    let items = fault_injection
        .faults
        .iter()
        .map(|fault| view! { <li>{told(fault)}</li> })
        .collect_view();
    view! {
        <section aria-labelledby="now">
            <h2 id="now">"Set now"</h2>
            <ul class="set">{items}</ul>
            <form method="post" action=Calm::PATH>
                <button>"Let everything answer again"</button>
            </form>
        </section>
    }
    .into_any()
}

/// An order in a sentence.
fn told(fault: &FaultOrder) -> String {
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
    let cards = SCENES
        .iter()
        .map(|scene| {
            view! {
                <li class="card">
                    <h3>{scene.title}</h3>
                    <p>{scene.what}</p>
                    <p class="aside">"Try it: " {scene.then}</p>
                    <form method="post" action=SetScene::PATH>
                        <input type="hidden" name="scene" value=scene.name />
                        <button class="quiet">"Set: " {scene.short}</button>
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
    let value = |name: &str, default: &str| {
        Some(draft.value(name))
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| default.to_owned())
    };
    view! {
        <details class="filter" open=open>
            <summary>"One fault by hand"</summary>
            <form method="post" action=OrderFault::PATH>
                <div class="filter-fields">
                    <Field name="system" label="System" hint="salesforce, stripe, twilio" value=value("system", "stripe") problem=draft.problem("system") />
                    <Field name="operation" label="Operation" hint="query, composite, payment_intent_create, refund_create, …" value=value("operation", "refund_create") problem=draft.problem("operation") />
                    <Field name="kind" label="Kind" hint="timeout_after_effect, status, lock_timeout, …" value=value("kind", "status") problem=draft.problem("kind") />
                    <Field name="count" label="How many calls" hint="0 until taken back" inputmode="numeric" value=value("count", "1") problem=draft.problem("count") />
                    <Field name="skip" label="Let through first" inputmode="numeric" value=value("skip", "0") problem=draft.problem("skip") />
                    <Field name="status" label="Status" hint="For the kind status" inputmode="numeric" optional=true value=value("status", "500") problem=draft.problem("status") />
                    <Field name="ms" label="Milliseconds" hint="For kinds that take time" inputmode="numeric" optional=true value=value("ms", "") problem=draft.problem("ms") />
                </div>
                <p class="actions"><button>"Set it"</button></p>
            </form>
        </details>
    }
    .into_any()
}

fn world(fault_injection: &FaultInjectionView) -> AnyView {
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
    let day = fault_injection
        .seed_day
        .clone()
        .map(|day| view! { <p>"Its guests arrive and leave around " {day} "."</p> });
    view! {
        <section aria-labelledby="world">
            <h2 id="world">"The sandbox"</h2>
            <p>{said}</p>
            <form method="post" action=SetLatency::PATH>
                <input type="hidden" name="profile" value=profile />
                <button class="quiet">{label}</button>
            </form>
            {day}
            <p>"Made anew, it has the guests, rooms and bookings of its first day again, as of today. Executions and audit stay."</p>
            <form method="post" action=ResetWorld::PATH>
                <button class="quiet">"Make the sandbox anew"</button>
            </form>
        </section>
    }
    .into_any()
}

async fn after(
    result: Result<String, FaultInjectionError>,
    draft: FormDraft,
) -> Result<(), ServerFnError> {
    let authenticator = form::ctx()?.authenticator;
    match result {
        Ok(said) => Flash::new(said).put(&*authenticator).await,
        Err(FaultInjectionError::Wrong(field, message)) => {
            let wrong = FormDraft {
                fields: draft.fields,
                ..FormDraft::wrong(&field, message)
            };
            wrong.put(&*authenticator, FORM).await;
        }
        Err(error) => {
            FormDraft::failed("Nothing was changed")
                .because(error.to_string())
                .put(&*authenticator, FORM)
                .await
        }
    }
    form::go(PAGE)
}

async fn caller() -> Result<
    Option<(
        crate::page_context::PageContext,
        dewy_domain::ports::SignedIn,
    )>,
    ServerFnError,
> {
    let ctx = form::ctx()?;
    match ctx.admit(Persona::Staff, PAGE).await {
        Ok(who) => Ok(Some((ctx, who))),
        Err(_) => {
            form::go(&crate::page_context::sign_in_url(Persona::Staff, PAGE))?;
            Ok(None)
        }
    }
}

/// Sets a scene.
///
/// # Errors
/// When the page's ports are missing.
#[server(prefix = "/form", endpoint = "set_scene")]
pub async fn set_scene(scene: String) -> Result<(), ServerFnError> {
    let Some((ctx, who)) = caller().await? else {
        return Ok(());
    };
    let Some(scene) = SCENES.iter().find(|one| one.name == scene) else {
        return after(
            Err(FaultInjectionError::Wrong(
                "scene".to_owned(),
                "There is no such scene.".to_owned(),
            )),
            FormDraft::default(),
        )
        .await;
    };
    let mut result = Ok(format!("Set: {}. {}", scene.short, scene.then));
    for fault in scene.faults() {
        if let Err(error) = ctx.system_status.order(&who.caller, fault).await {
            result = Err(error);
            break;
        }
    }
    after(result, FormDraft::default()).await
}

/// Orders one fault.
///
/// # Errors
/// When the page's ports are missing.
#[server(prefix = "/form", endpoint = "order_fault")]
#[allow(clippy::too_many_arguments, reason = "one per field of the form")]
pub async fn order_fault(
    system: String,
    operation: String,
    kind: String,
    count: String,
    skip: String,
    status: String,
    ms: String,
) -> Result<(), ServerFnError> {
    let Some((ctx, who)) = caller().await? else {
        return Ok(());
    };
    let mut draft = FormDraft::default();
    for (name, value) in [
        ("system", &system),
        ("operation", &operation),
        ("kind", &kind),
        ("count", &count),
        ("skip", &skip),
        ("status", &status),
        ("ms", &ms),
    ] {
        draft = draft.field(name, value.as_str());
    }
    let fault = match order_of((system, operation, kind), [&count, &skip, &status, &ms]) {
        Ok(fault) => fault,
        Err(field) => {
            let wrong = FaultInjectionError::Wrong(
                field.to_owned(),
                format!("{field} must be a whole number."),
            );
            return after(Err(wrong), draft).await;
        }
    };
    let said = told(&fault);
    after(
        ctx.system_status
            .order(&who.caller, fault)
            .await
            .map(|()| said),
        draft,
    )
    .await
}

/// The order of a filled-in form, or the field that is not a number.
fn order_of(
    words: (String, String, String),
    numbers: [&str; 4],
) -> Result<FaultOrder, &'static str> {
    fn number<T: std::str::FromStr>(
        name: &'static str,
        text: &str,
    ) -> Result<Option<T>, &'static str> {
        match text.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| name),
        }
    }
    let trimmed = |text: &str| text.trim().to_lowercase();
    let (system, operation, kind) = (trimmed(&words.0), trimmed(&words.1), trimmed(&words.2));
    let status = number("status", numbers[2])?.filter(|_| kind == "status");
    Ok(FaultOrder {
        system,
        operation,
        count: number("count", numbers[0])?.unwrap_or(1),
        skip: number("skip", numbers[1])?.unwrap_or(0),
        status,
        ms: number("ms", numbers[3])?,
        kind,
    })
}

/// Takes all faults back.
///
/// # Errors
/// When the page's ports are missing.
#[server(prefix = "/form", endpoint = "calm_sandbox")]
pub async fn calm() -> Result<(), ServerFnError> {
    let Some((ctx, who)) = caller().await? else {
        return Ok(());
    };
    let result = ctx.system_status.calm(&who.caller).await;
    after(
        result.map(|_| "Everything answers as it should again.".to_owned()),
        FormDraft::default(),
    )
    .await
}

/// Sets how long answers take.
///
/// # Errors
/// When the page's ports are missing.
#[server(prefix = "/form", endpoint = "set_latency")]
pub async fn set_latency(profile: String) -> Result<(), ServerFnError> {
    let Some((ctx, who)) = caller().await? else {
        return Ok(());
    };
    let said = if profile == "none" {
        "They answer at once."
    } else {
        "They take as long as the real ones."
    };
    after(
        ctx.system_status
            .latency(&who.caller, &profile)
            .await
            .map(|()| said.to_owned()),
        FormDraft::default(),
    )
    .await
}

/// Makes the sandbox's world anew.
///
/// # Errors
/// When the page's ports are missing.
#[server(prefix = "/form", endpoint = "reset_world")]
pub async fn reset_world() -> Result<(), ServerFnError> {
    let Some((ctx, who)) = caller().await? else {
        return Ok(());
    };
    let result = ctx.system_status.reset(&who.caller).await;
    after(
        result.map(|()| "The sandbox is as on its first day, as of today.".to_owned()),
        FormDraft::default(),
    )
    .await
}
