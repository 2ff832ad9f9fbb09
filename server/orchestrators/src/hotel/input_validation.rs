//! Input validation, complete before any call: every problem is reported, with its field and how to
//! fix it.

use std::{collections::BTreeMap, sync::LazyLock};

use dewy_domain::{
    blank_text::is_blank,
    caller::{Caller, Interface, Persona},
    canonical_input::canonical_input,
    email_address::EmailAddress,
    error_code::ErrorCode,
    payment_card_number::{self, CARD_NUMBER},
    storable_text::{self, UNSTORABLE},
    tool::{Field, Source, Tool},
    tool_answer::{MAX_PROBLEMS, Problem, ToolError},
    tool_catalog,
};
use jsonschema::{Validator, error::ValidationErrorKind};
use serde_json::{Map, Value, json};

/// Field of the token, and field that looks one up.
const TOKEN: &str = "idempotency_token";

/// Compiled schemas of every tool, per persona.
#[derive(Debug)]
pub(crate) struct Schemas(BTreeMap<(&'static str, Persona), Validator>);

impl Schemas {
    /// Schemas of the catalog, compiled once: there is one catalog, however many hotels a process
    /// opens.
    pub(crate) fn of_catalog() -> &'static Self {
        static COMPILED: LazyLock<Schemas> = LazyLock::new(Schemas::compile);
        &COMPILED
    }

    fn compile() -> Self {
        let mut compiled = BTreeMap::new();
        for tool in tool_catalog::all() {
            let new = tool.registers().then_some(&Persona::Guest);
            for persona in tool.personas.iter().chain(new) {
                let schema = tool.dispatch_schema(*persona);
                match jsonschema::options()
                    .should_validate_formats(true)
                    .with_format("email", |text: &str| text.parse::<EmailAddress>().is_ok())
                    .build(&schema)
                {
                    Ok(validator) => {
                        compiled.insert((tool.name, *persona), validator);
                    }
                    // A test compiles every schema; a tool with a broken schema refuses everything.
                    Err(e) => {
                        tracing::error!(tool = tool.name, error = %e, "the tool's schema is broken")
                    }
                }
            }
        }
        Self(compiled)
    }

    pub(crate) fn problems(&self, tool: &Tool, persona: Persona, input: &Value) -> Vec<Problem> {
        let Some(validator) = self.0.get(&(tool.name, persona)) else {
            return vec![Problem::new("", "this tool cannot check its input")];
        };
        let mut problems = Vec::new();
        for error in validator.iter_errors(input) {
            let at = error
                .instance_path()
                .to_string()
                .trim_start_matches('/')
                .to_owned();
            match error.kind() {
                ValidationErrorKind::Required { property } => {
                    let field = property.as_str().unwrap_or_default().to_owned();
                    problems.push(Problem::new(&*field, format!("{field} is missing.")));
                }
                ValidationErrorKind::AdditionalProperties { unexpected } => {
                    // One more than an answer lists shows that there are more
                    for field in unexpected.iter().take(MAX_PROBLEMS + 1) {
                        problems.push(Problem::new(
                            field.clone(),
                            format!(
                                "{field} is not a field of {}; leave it out. Fields: {}.",
                                tool.name,
                                names(tool, persona)
                            ),
                        ));
                    }
                }
                // The library names at most two of the allowed values
                ValidationErrorKind::Enum { options } => {
                    let allowed: Vec<String> = options
                        .as_array()
                        .into_iter()
                        .flatten()
                        .map(|value| {
                            value
                                .as_str()
                                .map_or_else(|| value.to_string(), str::to_owned)
                        })
                        .collect();
                    problems.push(Problem::new(
                        &*at,
                        format!("{at} must be one of: {}.", allowed.join(", ")),
                    ));
                }
                _ => problems.push(Problem::new(
                    &*at,
                    with_description(tool, &at, &error.to_string()),
                )),
            }
        }
        problems
    }
}

fn names(tool: &Tool, persona: Persona) -> String {
    tool.fields(persona)
        .map(|f| f.name)
        .collect::<Vec<_>>()
        .join(", ")
}

fn with_description(tool: &Tool, field: &str, fallback: &str) -> String {
    let hint = tool
        .input
        .iter()
        .find(|f| f.name == field)
        .and_then(|f| f.schema["description"].as_str());
    match hint {
        Some(hint) => format!("{field} is not valid ({fallback}). {hint}"),
        None => fallback.to_owned(),
    }
}

/// Problems of blank texts that have no other problem.
fn empty(tool: &Tool, persona: Persona, input: &Value, found: &[Problem]) -> Vec<Problem> {
    let nothing = |name: &str| {
        input[name].as_str().is_some_and(is_blank) && !found.iter().any(|p| p.field == name)
    };
    let problem = |name: &str| {
        Problem::new(
            name,
            format!(
                "{name} is empty: there is nothing in it to read. Write something, or leave it out."
            ),
        )
    };
    tool.fields(persona)
        .map(|field| field.name)
        .filter(|name| nothing(name))
        .map(problem)
        .collect()
}

/// Problems of texts that have no other problem and are too long for Salesforce, which counts units of
/// UTF-16: most emoji are two.
fn too_long(tool: &Tool, persona: Persona, input: &Value, found: &[Problem]) -> Vec<Problem> {
    let problem = |field: &Field| {
        let (name, most) = (field.name, field.schema["maxLength"].as_u64()?);
        let units = input[name].as_str()?.encode_utf16().count();
        let is_new = !found.iter().any(|problem| problem.field == name);
        let fits = u64::try_from(units).is_ok_and(|units| units <= most);
        (is_new && !fits).then(|| {
            let words = format!(
                "{name} is too long: it may have {most} characters, of which most emoji take two. Shorten it."
            );
            Problem::new(name, words)
        })
    };
    let sent = |field: &&Field| field.name != TOKEN;
    let fields = tool.fields(persona).filter(sent);
    fields.filter_map(problem).collect()
}

/// Consent that somebody else gave in a person's name.
fn unasked_consent(tool: &Tool, caller: &Caller, input: &Value) -> Option<Problem> {
    let mut fields = tool.fields(caller.persona);
    let given = |field: &&Field| field.source == Source::Consent && !input[field.name].is_null();
    let field = fields
        .find(given)
        .filter(|_| caller.interface != Interface::Form)?;
    let words = format!(
        "{} is asked for on the hotel's own page; leave it out.",
        field.name
    );
    Some(Problem::new(field.name, words))
}

/// Checks the rules for combined fields before a person is asked for approval. When no approval is
/// needed, each tool reports the problem itself.
pub(crate) fn check_field_rules(tool: &Tool, input: &Value) -> Result<(), ToolError> {
    let fits = |rule: &Value| jsonschema::is_valid(rule, input);
    if tool.rules.iter().all(fits) {
        return Ok(());
    }
    let message = format!(
        "The fields do not fit together, or one is missing. {}",
        tool.description
    );
    Err(ToolError::problem("", message))
}

/// Checks token and input, and binds a guest to their own email.
///
/// # Errors
/// All problems of the input at once, or that the stay belongs to another guest.
pub(crate) fn check(
    schemas: &Schemas,
    tool: &Tool,
    caller: &Caller,
    input: &Value,
    token: Option<&str>,
) -> Result<Value, ToolError> {
    let input = canonical_input(tool, caller.persona, input);
    let mut problems = schemas.problems(tool, caller.persona, &input);
    if let (Persona::Staff, Err(words)) = (caller.persona, tool.names_guest(&input)) {
        problems.push(Problem::new(
            "guest_email",
            format!("guest_email is missing. {words}"),
        ));
    }
    problems.extend(unasked_consent(tool, caller, &input));
    problems.extend(empty(tool, caller.persona, &input, &problems));
    problems.extend(too_long(tool, caller.persona, &input, &problems));
    problems.extend(unkept(&input));
    problems.extend(unkept(&json!({ TOKEN: token })));
    if tool.writes {
        match token {
            None => problems.push(Problem::new(
                TOKEN,
                "idempotency_token is missing. Send a text of your own, unique for this request.",
            )),
            Some(t) if is_blank(t) || t.chars().count() > 255 => problems.push(Problem::new(
                TOKEN,
                "idempotency_token must have 1 to 255 characters, some of them visible.",
            )),
            Some(_) => {}
        }
    }
    if !problems.is_empty() {
        return Err(ToolError::problems(&problems));
    }
    let mut fields: Map<String, Value> = input.as_object().cloned().unwrap_or_default();
    let has_email = tool.input.iter().any(|f| f.name == "guest_email");
    if has_email {
        let given = fields
            .get("guest_email")
            .and_then(Value::as_str)
            .map(EmailAddress::from);
        let email = match (caller.persona, given) {
            (Persona::Guest, Some(given)) if given != caller.email => {
                return Err(ToolError::new(ErrorCode::NotYourStay));
            }
            (Persona::Guest, _) => Some(caller.email.clone()),
            (Persona::Staff, given) => given,
        };
        if let Some(email) = email {
            fields.insert("guest_email".to_owned(), json!(email));
        }
    }
    if tool.registers() && caller.persona == Persona::Guest && fields["email"] != *caller.email {
        return Err(ToolError::new(ErrorCode::NotYourStay));
    }
    let input = Value::Object(fields);
    (tool.check)(&input)?;
    Ok(input)
}

/// Fields of a tool's input that aren't valid, for a form that asks for them before the call.
#[must_use]
pub fn invalid_fields(caller: &Caller, tool: &str, input: &Value) -> Vec<String> {
    let Some(tool) = tool_catalog::find(caller, tool) else {
        return Vec::new();
    };
    let mut problems = Schemas::of_catalog().problems(tool, caller.persona, input);
    problems.extend(too_long(tool, caller.persona, input, &problems));
    problems.extend(unkept(input));
    problems.into_iter().map(|problem| problem.field).collect()
}

/// Problems of texts that must not be kept: those that no store can hold, and payment card numbers.
/// Tokens are not kept as they are ([`dewy_domain::stored_token`]).
fn unkept(input: &Value) -> impl Iterator<Item = Problem> {
    let problem =
        |because| move |field: String| Problem::new(&*field, format!("{field} {because}"));
    let unstorable = storable_text::unstorable(input).into_iter();
    let with_card = payment_card_number::fields_with_card_number(input).into_iter();
    let with_card = with_card.filter(|field| field != TOKEN);
    unstorable
        .map(problem(UNSTORABLE))
        .chain(with_card.map(problem(CARD_NUMBER)))
}

#[cfg(test)]
mod tests;
