//! Form handlers of fault injection.

use dewy_domain::{
    caller::Persona,
    ports::{FaultInjectionError, FaultSpec},
};
use leptos::prelude::*;

use super::{FORM, PAGE, fault_sentence, scenarios::SCENES};
use crate::{flash::Flash, form_draft::FormDraft, form_submission};

async fn after(
    result: Result<String, FaultInjectionError>,
    draft: FormDraft,
) -> Result<(), ServerFnError> {
    let authenticator = form_submission::open_context()?.authenticator;
    match result {
        Ok(said) => Flash::new(said).put(&*authenticator).await,
        Err(FaultInjectionError::Wrong(field, message)) => {
            FormDraft::invalid_field(&field, message)
                .with_fields_of(draft)
                .put(&*authenticator, FORM)
                .await;
        }
        Err(error) => {
            FormDraft::failed("Nothing was changed")
                .with_message(error.to_string())
                .put(&*authenticator, FORM)
                .await
        }
    }
    form_submission::redirect(PAGE)
}

/// Activates a scenario.
///
/// # Errors
/// When the page context is missing.
#[server(prefix = "/form", endpoint = "set_scene")]
pub async fn set_scene(scene: String) -> Result<(), ServerFnError> {
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, PAGE).await? else {
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
    let status = &ctx.system_status;
    // What another scene has set would mix with this one
    let mut result = status.clear_faults(&user.caller).await.map(drop);
    for fault in scene.faults() {
        if result.is_ok() {
            result = status.inject_fault(&user.caller, fault).await;
        }
    }
    let said = result.map(|()| format!("Set: {}. {}", scene.short, scene.then));
    after(said, FormDraft::default()).await
}

/// Injects one fault.
///
/// # Errors
/// When the page context is missing.
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
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, PAGE).await? else {
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
    let said = fault_sentence(&fault);
    after(
        ctx.system_status
            .inject_fault(&user.caller, fault)
            .await
            .map(|()| said),
        draft,
    )
    .await
}

/// Fault from the form, or the field that isn't a number.
fn order_of(
    texts: (String, String, String),
    numbers: [&str; 4],
) -> Result<FaultSpec, &'static str> {
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
    let (system, operation, kind) = (trimmed(&texts.0), trimmed(&texts.1), trimmed(&texts.2));
    let status = number("status", numbers[2])?.filter(|_| kind == "status");
    Ok(FaultSpec {
        system,
        operation,
        count: number("count", numbers[0])?.unwrap_or(1),
        skip: number("skip", numbers[1])?.unwrap_or(0),
        status,
        ms: number("ms", numbers[3])?,
        kind,
    })
}

/// Clears all faults.
///
/// # Errors
/// When the page context is missing.
#[server(prefix = "/form", endpoint = "calm_sandbox")]
pub async fn clear_all_faults() -> Result<(), ServerFnError> {
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, PAGE).await? else {
        return Ok(());
    };
    let result = ctx.system_status.clear_faults(&user.caller).await;
    after(
        result.map(|_| "All systems respond normally again.".to_owned()),
        FormDraft::default(),
    )
    .await
}

/// Sets the response latency.
///
/// # Errors
/// When the page context is missing.
#[server(prefix = "/form", endpoint = "set_latency")]
pub async fn set_latency(profile: String) -> Result<(), ServerFnError> {
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, PAGE).await? else {
        return Ok(());
    };
    let said = if profile == "none" {
        "They answer at once."
    } else {
        "They take as long as the real ones."
    };
    after(
        ctx.system_status
            .latency(&user.caller, &profile)
            .await
            .map(|()| said.to_owned()),
        FormDraft::default(),
    )
    .await
}

/// Resets the sandbox's data.
///
/// # Errors
/// When the page context is missing.
#[server(prefix = "/form", endpoint = "reset_world")]
pub async fn reset_world() -> Result<(), ServerFnError> {
    let Some((ctx, user)) = form_submission::require_sender(Persona::Staff, PAGE).await? else {
        return Ok(());
    };
    let result = ctx.system_status.reset(&user.caller).await;
    after(
        result.map(|()| "The sandbox was reset to its initial data, dated from today.".to_owned()),
        FormDraft::default(),
    )
    .await
}
