//! Form handlers of fault injection.

use dewy_domain::{
    caller::Caller,
    ports::{FaultInjectionError, FaultSpec},
};

use super::{
    FORM, PAGE, fault_sentence,
    scenarios::{SCENARIOS, Scenario},
};
use crate::pages::prelude::*;

pub const FIELDS: [&str; 7] = [
    "system",
    "operation",
    "kind",
    "count",
    "skip",
    "status",
    "ms",
];

async fn sender(form: &FormSubmission) -> Result<SignedIn, String> {
    form.sender(Persona::Staff, PAGE).await
}

async fn after(form: &FormSubmission, result: Result<String, FaultInjectionError>) -> FormResult {
    let draft = match result {
        Ok(message) => {
            Flash::new(message).put(&*form.ctx.authenticator).await;
            return Ok(PAGE.to_owned());
        }
        Err(FaultInjectionError::Wrong(field, message)) => {
            FormDraft::invalid_field(&field, message)
        }
        Err(error) => FormDraft::failed("Nothing was changed").with_message(error.to_string()),
    };
    let draft = draft.with_fields_of(form.draft(&FIELDS));
    form.again(draft, FORM, PAGE).await
}

pub async fn set_scene(form: FormSubmission) -> FormResult {
    let user = sender(&form).await?;
    let set = set_faults(&form.ctx, &user.caller, form.raw("scene")).await;
    let result = set.map(|scenario| format!("Set: {}. {}", scenario.short, scenario.then));
    after(&form, result).await
}

/// Injects the faults of the scenario with this name, and no others: they would mix.
pub async fn set_faults(
    ctx: &PageContext,
    caller: &Caller,
    name: &str,
) -> Result<&'static Scenario, FaultInjectionError> {
    let scenario = SCENARIOS
        .iter()
        .find(|one| one.name == name)
        .ok_or_else(|| {
            let words = "There is no such scene.".to_owned();
            FaultInjectionError::Wrong("scene".to_owned(), words)
        })?;
    ctx.system_status.clear_faults(caller).await?;
    for fault in scenario.faults() {
        ctx.system_status.inject_fault(caller, fault).await?;
    }
    Ok(scenario)
}

/// Injects one fault.
pub async fn order_fault(form: FormSubmission) -> FormResult {
    let user = sender(&form).await?;
    let result = match fault_of(&form) {
        Ok(fault) => {
            let sentence = fault_sentence(&fault);
            let injected = form.ctx.system_status.inject_fault(&user.caller, fault);
            injected.await.map(|()| sentence)
        }
        Err(field) => {
            let words = format!("{field} must be a whole number.");
            Err(FaultInjectionError::Wrong(field.to_owned(), words))
        }
    };
    after(&form, result).await
}

/// Fault from the form, or the field that isn't a number.
fn fault_of(form: &FormSubmission) -> Result<FaultSpec, &'static str> {
    fn number<T: std::str::FromStr>(
        form: &FormSubmission,
        name: &'static str,
    ) -> Result<Option<T>, &'static str> {
        match form.get(name) {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| name),
        }
    }
    let [system, operation, kind] =
        ["system", "operation", "kind"].map(|name| form.get(name).to_lowercase());
    Ok(FaultSpec {
        system,
        operation,
        count: number(form, "count")?.unwrap_or(1),
        skip: number(form, "skip")?.unwrap_or(0),
        status: number(form, "status")?.filter(|_| kind == "status"),
        ms: number(form, "ms")?,
        kind,
    })
}

pub async fn clear_all_faults(form: FormSubmission) -> FormResult {
    let user = sender(&form).await?;
    let result = form.ctx.system_status.clear_faults(&user.caller).await;
    let words = "All systems respond normally again.";
    after(&form, result.map(|_| words.to_owned())).await
}

pub async fn set_latency(form: FormSubmission) -> FormResult {
    let user = sender(&form).await?;
    let profile = form.raw("profile");
    let words = match profile {
        "none" => "They answer at once.",
        _ => "They take as long as the real ones.",
    };
    let result = form.ctx.system_status.latency(&user.caller, profile).await;
    after(&form, result.map(|()| words.to_owned())).await
}

pub async fn reset_sandbox(form: FormSubmission) -> FormResult {
    let user = sender(&form).await?;
    let result = form.ctx.system_status.reset(&user.caller).await;
    let words = "The sandbox was reset to its initial data, dated from today.";
    after(&form, result.map(|()| words.to_owned())).await
}
