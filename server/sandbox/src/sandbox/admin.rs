//! Admin API.

use dewy_domain::ports::{HttpRequest, HttpResponse};
use serde_json::{Map, Value, json};

use super::Sandbox;
use super::error_responses::answer;
use crate::salesforce::OrgSettings;
use crate::{Fault, FaultKind, Latency, System};

/// Supported orders.
const COMMANDS: [&str; 15] = [
    "/admin/reset",
    "/admin/faults",
    "/admin/latency",
    "/admin/edit",
    "/admin/blank",
    "/admin/org",
    "/admin/refund",
    "/admin/dispute",
    "/admin/stripe/payment",
    "/admin/stripe/refund",
    "/admin/stripe/key",
    "/admin/stripe/omit",
    "/admin/stripe/payout",
    "/admin/stripe/account",
    "/admin/stripe/fraud_warning",
];

/// Invalid input field, and its message.
pub(super) struct InvalidInput(pub &'static str, pub String);

impl Sandbox {
    /// Answers `/admin/…`.
    pub(super) fn admin(&self, request: &HttpRequest) -> HttpResponse {
        match (request.method.as_str(), super::path(request)) {
            ("GET", "/admin/state") => answer(200, &self.state()),
            ("GET", "/admin/calls") => answer(200, &json!(self.calls())),
            ("GET", "/admin/faults") => answer(200, &self.with(|state| json!(state.faults))),
            ("GET", "/admin/latency") => answer(
                200,
                &self.with(|state| json!({"profile": state.latency.profile(), "operations": state.latency})),
            ),
            ("GET", "/admin/seed") => {
                answer(200, &self.with(|state| json!({"seed": state.seed, "seed_day": state.day.to_string()})))
            }
            ("GET", "/admin/org") => answer(200, &json!(self.org_settings())),
            ("DELETE", "/admin/org") => {
                self.set_org_settings(OrgSettings::default());
                answer(200, &json!(self.org_settings()))
            }
            ("DELETE", "/admin/faults") => {
                let removed = self.with(super::SandboxState::clear_faults);
                answer(200, &json!({"removed": removed}))
            }
            ("POST", path) if COMMANDS.contains(&path) => match self.order(request) {
                Ok(body) => answer(200, &body),
                Err(InvalidInput(field, message)) => {
                    answer(400, &json!({"error": format!("{field}: {message}"), "field": field}))
                }
            },
            (_, path) if COMMANDS.contains(&path) || matches!(path, "/admin/state" | "/admin/calls" | "/admin/seed") => {
                answer(405, &json!({"error": "method not allowed"}))
            }
            _ => answer(404, &json!({"error": "no such admin call"})),
        }
    }

    fn order(&self, request: &HttpRequest) -> Result<Value, InvalidInput> {
        let path = super::path(request);
        let given: &[u8] = if request.body.is_empty() {
            b"{}"
        } else {
            &request.body
        };
        let Ok(Value::Object(input)) = serde_json::from_slice(given) else {
            return Err(InvalidInput("body", "must be a JSON object".to_owned()));
        };
        match path {
            "/admin/reset" => {
                only(&input, &["seed"])?;
                let seed = number(&input, "seed")?.unwrap_or(1);
                self.reset(seed);
                Ok(json!({"seed": seed, "seed_day": self.seed_day().to_string()}))
            }
            "/admin/faults" => {
                let fault = fault(&input)?;
                Ok(self.with(|state| json!(state.add_fault(fault))))
            }
            "/admin/latency" => self.latency(&input),
            "/admin/org" => {
                let known = [
                    "flows",
                    "validation_rules",
                    "duplicate_rules",
                    "page_size",
                    "currency",
                    "body",
                ];
                let settings = self
                    .org_settings()
                    .merged(&input)
                    .map_err(|words| named(&words, &known))?;
                self.set_org_settings(settings);
                Ok(json!(self.org_settings()))
            }
            "/admin/blank" => {
                only(&input, &["object", "id", "fields"])?;
                let object = text(&input, "object")?.ok_or_else(|| missing_field("object"))?;
                let fields = match input.get("fields") {
                    None | Some(Value::Null) => None,
                    Some(list) => Some(
                        serde_json::from_value::<Vec<String>>(list.clone()).map_err(|_| {
                            InvalidInput("fields", "must be a list of field names".to_owned())
                        })?,
                    ),
                };
                let changed = self.blank(object, text(&input, "id")?, fields.as_deref());
                let changed =
                    changed.map_err(|words| named(&words, &["object", "id", "fields"]))?;
                Ok(json!({"object": object, "changed": changed}))
            }
            "/admin/refund" | "/admin/dispute" => self.stripe_command(path, &input),
            path if path.starts_with("/admin/stripe/") => self.stripe_command(path, &input),
            _ => {
                only(&input, &["object", "id", "fields"])?;
                let object = text(&input, "object")?.ok_or_else(|| missing_field("object"))?;
                let id = text(&input, "id")?.ok_or_else(|| missing_field("id"))?;
                let Some(Value::Object(fields)) = input.get("fields") else {
                    return Err(InvalidInput(
                        "fields",
                        "must be an object of field names and values".to_owned(),
                    ));
                };
                self.edit(object, id, fields)
                    .map_err(|words| named(&words, &["fields", "object", "id"]))?;
                Ok(json!({"object": object, "id": id}))
            }
        }
    }

    fn latency(&self, input: &Map<String, Value>) -> Result<Value, InvalidInput> {
        only(input, &["profile", "system", "operation", "ms"])?;
        if let Some(profile) = text(input, "profile")? {
            let latency = Latency::named(profile)
                .ok_or_else(|| InvalidInput("profile", "must be reference or none".to_owned()))?;
            self.set_latency(latency);
        } else {
            let system = system(input)?;
            let operation = operation(input, system)?;
            let ms = number(input, "ms")?.ok_or_else(|| missing_field("ms"))?;
            self.with(|state| {
                let mut latency = state.latency.clone();
                latency.set(system, &operation, ms);
                state.set_latency(latency);
            });
        }
        Ok(self.with(|state| json!(state.latency)))
    }
}

fn fault(input: &Map<String, Value>) -> Result<Fault, InvalidInput> {
    only(
        input,
        &[
            "system",
            "operation",
            "kind",
            "count",
            "skip",
            "status",
            "ms",
            "second_answer",
            "retry_after",
        ],
    )?;
    let system = system(input)?;
    let operation = operation(input, system)?;
    let names = || FaultKind::ALL.map(FaultKind::name).join(", ");
    let name = text(input, "kind")?.ok_or_else(|| missing_field("kind"))?;
    let kind = FaultKind::named(name)
        .ok_or_else(|| InvalidInput("kind", format!("must be one of {}", names())))?;
    if !kind.fits(system) {
        return Err(InvalidInput(
            "kind",
            format!("{name} is not a way in which {} fails", system.name()),
        ));
    }
    let small = |field: &'static str| {
        number(input, field)?
            .map(|value| {
                u32::try_from(value).map_err(|_| InvalidInput(field, "is too large".to_owned()))
            })
            .transpose()
    };
    let status = number(input, "status")?
        .map(|value| {
            u16::try_from(value)
                .ok()
                .filter(|code| (400..600).contains(code))
                .ok_or_else(|| InvalidInput("status", "must be from 400 to 599".to_owned()))
        })
        .transpose()?;
    if kind == FaultKind::Status && status.is_none() {
        return Err(missing_field("status"));
    }
    let (count, skip) = (small("count")?.unwrap_or(1), small("skip")?.unwrap_or(0));
    let second_answer = match input.get("second_answer") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(_)) if kind != FaultKind::DeliveredTwice => {
            return Err(InvalidInput(
                "second_answer",
                "belongs to delivered_twice only".to_owned(),
            ));
        }
        Some(Value::Bool(second)) => *second,
        Some(_) => {
            return Err(InvalidInput(
                "second_answer",
                "must be true or false".to_owned(),
            ));
        }
    };
    Ok(Fault {
        system,
        operation,
        kind,
        count,
        skip,
        status,
        ms: number(input, "ms")?,
        second_answer,
        retry_after: number(input, "retry_after")?,
    })
}

pub(super) fn only(input: &Map<String, Value>, known: &[&'static str]) -> Result<(), InvalidInput> {
    match input.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(InvalidInput("body", format!("unknown field {name}"))),
    }
}

/// A message names the invalid field before the colon; by default it is the first field.
pub(super) fn named(message: &str, fields: &[&'static str]) -> InvalidInput {
    let first = fields.first().copied().unwrap_or("body");
    let (field, words) = message.split_once(": ").unwrap_or((first, message));
    InvalidInput(
        fields
            .iter()
            .copied()
            .find(|name| *name == field)
            .unwrap_or(first),
        words.to_owned(),
    )
}

pub(super) fn missing_field(field: &'static str) -> InvalidInput {
    InvalidInput(field, "is required".to_owned())
}

pub(super) fn text<'a>(
    input: &'a Map<String, Value>,
    field: &'static str,
) -> Result<Option<&'a str>, InvalidInput> {
    match input.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(InvalidInput(field, "must be a text".to_owned())),
    }
}

pub(super) fn number(
    input: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<u64>, InvalidInput> {
    match input.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value
            .as_u64()
            .map(Some)
            .ok_or_else(|| InvalidInput(field, "must be a whole number from 0".to_owned())),
    }
}

fn system(input: &Map<String, Value>) -> Result<System, InvalidInput> {
    let name = text(input, "system")?.ok_or_else(|| missing_field("system"))?;
    System::named(name).ok_or_else(|| {
        InvalidInput(
            "system",
            format!(
                "must be one of {}",
                System::ALL.map(System::name).join(", ")
            ),
        )
    })
}

fn operation(input: &Map<String, Value>, system: System) -> Result<String, InvalidInput> {
    let name = text(input, "operation")?.unwrap_or("*");
    if name == "*" || system.operations().contains(&name) {
        Ok(name.to_owned())
    } else {
        Err(InvalidInput(
            "operation",
            format!(
                "must be one of {}, or * for all",
                system.operations().join(", ")
            ),
        ))
    }
}
