//! Admin API.

use dewy_domain::ports::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Sandbox;
use crate::json_response::with_charset as answer;
use crate::salesforce::OrgSettings;
use crate::stripe::listed;
use crate::{Fault, FaultKind, Latency, System};

/// Supported orders, below `/admin/`.
const COMMANDS: &str = "reset faults latency edit blank org refund dispute \
    stripe/payment stripe/refund stripe/key stripe/omit stripe/payout stripe/account stripe/fraud_warning";

fn is_command(path: &str) -> bool {
    path.strip_prefix("/admin/")
        .is_some_and(|order| listed(COMMANDS, order))
}

/// Invalid input field, and its message.
pub(super) struct InvalidInput(pub &'static str, pub String);

pub(super) struct Input<'a> {
    given: &'a Map<String, Value>,
    /// The fields that the order knows, separated by spaces. The first is the one at fault by default.
    known: &'static str,
}

impl<'a> Input<'a> {
    pub(super) fn new(
        given: &'a Map<String, Value>,
        known: &'static str,
    ) -> Result<Self, InvalidInput> {
        match given.keys().find(|name| !listed(known, name)) {
            None => Ok(Self { given, known }),
            Some(name) => Err(InvalidInput("body", format!("unknown field {name}"))),
        }
    }

    pub(super) fn optional<T: Deserialize<'a>>(
        &self,
        field: &'static str,
    ) -> Result<Option<T>, InvalidInput> {
        let value = self.given.get(field).unwrap_or(&Value::Null);
        Deserialize::deserialize(value).map_err(|error| InvalidInput(field, error.to_string()))
    }

    pub(super) fn required<T: Deserialize<'a>>(
        &self,
        field: &'static str,
    ) -> Result<T, InvalidInput> {
        self.optional(field)?
            .ok_or_else(|| InvalidInput(field, "is required".to_owned()))
    }

    /// A message names the invalid field before the colon.
    pub(super) fn named(&self, message: &str) -> InvalidInput {
        named(message, self.known)
    }
}

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
            ("POST", path) if is_command(path) => match self.order(request) {
                Ok(body) => answer(200, &body),
                Err(InvalidInput(field, message)) => {
                    answer(400, &json!({"error": format!("{field}: {message}"), "field": field}))
                }
            },
            (_, path) if is_command(path) || matches!(path, "/admin/state" | "/admin/calls" | "/admin/seed") => {
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
                let seed = Input::new(&input, "seed")?.optional("seed")?.unwrap_or(1);
                self.reset(seed);
                Ok(json!({"seed": seed, "seed_day": self.seed_day().to_string()}))
            }
            "/admin/faults" => {
                let fault = fault(&input)?;
                Ok(self.with(|state| json!(state.add_fault(fault))))
            }
            "/admin/latency" => self.latency(&input),
            "/admin/org" => {
                let known = "flows validation_rules duplicate_rules page_size currency body";
                let settings = self
                    .org_settings()
                    .merged(&input)
                    .map_err(|words| named(&words, known))?;
                self.set_org_settings(settings);
                Ok(json!(self.org_settings()))
            }
            "/admin/blank" => {
                let input = Input::new(&input, "object id fields")?;
                let object = input.required("object")?;
                let fields: Option<Vec<String>> = input.optional("fields")?;
                let changed = self
                    .blank(object, input.optional("id")?, fields.as_deref())
                    .map_err(|words| input.named(&words))?;
                Ok(json!({"object": object, "changed": changed}))
            }
            "/admin/refund" | "/admin/dispute" => self.stripe_command(path, &input),
            path if path.starts_with("/admin/stripe/") => self.stripe_command(path, &input),
            _ => {
                let input = Input::new(&input, "fields object id")?;
                let (object, id) = (input.required("object")?, input.required("id")?);
                self.edit(object, id, &input.required("fields")?)
                    .map_err(|words| input.named(&words))?;
                Ok(json!({"object": object, "id": id}))
            }
        }
    }

    fn latency(&self, input: &Map<String, Value>) -> Result<Value, InvalidInput> {
        let input = Input::new(input, "profile system operation ms")?;
        if let Some(profile) = input.optional("profile")? {
            let latency = Latency::named(profile)
                .ok_or_else(|| InvalidInput("profile", "must be reference or none".to_owned()))?;
            self.set_latency(latency);
        } else {
            let system = input.required("system")?;
            let operation = operation(&input, system)?;
            let ms = input.required("ms")?;
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
    let input = Input::new(
        input,
        "system operation kind count skip status ms second_answer retry_after",
    )?;
    let system: System = input.required("system")?;
    let kind: FaultKind = input.required("kind")?;
    if !kind.fits(system) {
        let message = format!("{kind:?} is not a way in which {} fails", system.name());
        return Err(InvalidInput("kind", message));
    }
    let status: Option<u16> = if kind == FaultKind::Status {
        Some(input.required("status")?)
    } else {
        input.optional("status")?
    };
    if status.is_some_and(|code| !(400..600).contains(&code)) {
        return Err(InvalidInput("status", "must be from 400 to 599".to_owned()));
    }
    let second_answer: Option<bool> = input.optional("second_answer")?;
    if second_answer.is_some() && kind != FaultKind::DeliveredTwice {
        let message = "belongs to delivered_twice only".to_owned();
        return Err(InvalidInput("second_answer", message));
    }
    Ok(Fault {
        system,
        operation: operation(&input, system)?,
        kind,
        count: input.optional("count")?.unwrap_or(1),
        skip: input.optional("skip")?.unwrap_or(0),
        status,
        ms: input.optional("ms")?,
        second_answer: second_answer.unwrap_or(false),
        retry_after: input.optional("retry_after")?,
    })
}

/// A message names the invalid field before the colon; by default it is the first field.
fn named(message: &str, fields: &'static str) -> InvalidInput {
    let first = fields.split(' ').next().unwrap_or("body");
    let (field, words) = message.split_once(": ").unwrap_or((first, message));
    let known = fields.split(' ').find(|name| *name == field);
    InvalidInput(known.unwrap_or(first), words.to_owned())
}

fn operation(input: &Input<'_>, system: System) -> Result<String, InvalidInput> {
    let name = input.optional("operation")?.unwrap_or("*");
    if name == "*" || system.operations().contains(&name) {
        return Ok(name.to_owned());
    }
    let known = system.operations().join(", ");
    let message = format!("must be one of {known}, or * for all");
    Err(InvalidInput("operation", message))
}
