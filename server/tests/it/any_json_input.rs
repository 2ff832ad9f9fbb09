//! Property test: any JSON value in any field of any tool, over MCP and REST, is accepted or
//! answered with a 400 that names the field, exactly as an independent schema validator decides.

use dewy_connectors::Country;
use dewy_domain::{
    tool::{Field, Source, Tool},
    tool_catalog,
};
use fastrand::Rng;
use jsonschema::Validator;

use crate::prelude::*;

/// As they come over a wire: `2.0` is not `2` here.
const VALUES: [&str; 47] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-0.0",
    "1",
    "-1",
    "2.0",
    "2e0",
    "0.2e1",
    "1.5",
    "20.000",
    "25000.0",
    "2.5e4",
    "99999999",
    "1e8",
    "1e300",
    "-1e300",
    "9007199254740993",
    "18446744073709551615",
    "[]",
    "[1]",
    "{}",
    r#"{"a":[null]}"#,
    r#""""#,
    r#"" ""#,
    r#""\u200b\ufeff""#,
    r#""\u3164""#,
    r#""a""#,
    r#""a\u0000b""#,
    r#"{"a\u0000":1}"#,
    r#""\ufffe\udbff\udfff""#,
    r#""302""#,
    r#""BK-0042""#,
    r#""pm_card_visa""#,
    r#""2027-03-10""#,
    r#""2027-02-30""#,
    r#""27-3-1""#,
    r#""beth.gibbs@email.com""#,
    r#""a b@example.com""#,
    r#""@""#,
    r#""Medium""#,
    r#""%_' OR Name != '""#,
    r#""<b>\ud83d\udc4d</b>""#,
    r#""-1""#,
    r#""true""#,
];

/// Whether the schema takes the value. Each schema is compiled once: that takes longer than a call.
fn is_valid(schema: &Value, value: &Value) -> bool {
    static COMPILED: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    let compile = || {
        let options = jsonschema::options().should_validate_formats(true);
        Arc::new(options.build(schema).unwrap())
    };
    let mut compiled = COMPILED.lock().unwrap();
    let validator = compiled.entry(schema.to_string()).or_insert_with(compile);
    let validator = Arc::clone(validator);
    drop(compiled);
    validator.is_valid(value)
}

/// Values of any kind, by chance.
struct Random(Rng);

impl Random {
    /// Text of any characters of Unicode, some of them unkind.
    fn text(&mut self) -> String {
        const UNKIND: &str = "'\"\\%_\n\u{1}\u{202e}\u{200f}\u{fffe}\u{10ffff}é王👍\u{200b}";
        let mut unkind: Vec<char> = UNKIND.chars().collect();
        // No store can hold it; not in every text, or none would be taken.
        unkind.extend((self.0.usize(..4) == 0).then_some('\0'));
        let length = [0, 1, 3, 12, 81, 256, 2100][self.0.usize(..7)];
        (0..length)
            .map(|_| match self.0.usize(..6) {
                0 => unkind[self.0.usize(..unkind.len())],
                1 => self.0.char('\u{1}'..=char::MAX),
                _ => self.0.lowercase(),
            })
            .collect()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.0.usize(..if depth == 0 { 5 } else { 7 }) {
            0 => json!(self.text()),
            1 => json!(self.0.i64(..) >> self.0.u32(..64)),
            2 => json!(f64::from(self.0.u32(..4000)) / [1.0, 2.0, 10.0][self.0.usize(..3)]),
            3 => json!(self.0.bool()),
            4 => Value::Null,
            5 => (0..self.0.usize(..3))
                .map(|_| self.value(depth - 1))
                .collect(),
            _ => Value::Object(
                (0..self.0.usize(..3))
                    .map(|_| (self.text(), self.value(depth - 1)))
                    .collect(),
            ),
        }
    }
}

/// Whether an optional field with this value is a field left out.
fn left_out(value: &Value) -> bool {
    value.is_null()
        || value
            .as_str()
            .is_some_and(|text| !visible(text) && !text.contains('\0'))
}

/// Whether the field takes the value: as its schema says, or in another spelling that a clerk
/// understands.
fn takes(field: &Field, persona: Persona, value: &Value) -> bool {
    let schema = &field.schema;
    if left_out(value) {
        return !field.is_required(persona);
    }
    match schema["type"].as_str().unwrap() {
        "boolean" => value.is_boolean() || value == "true" || value == "false",
        "integer" => {
            let digits = value.as_str().filter(|_| field.name != "amount");
            let number = digits.map_or(value.as_f64(), |text| text.parse().ok());
            let Some(number) = number.filter(|number| number.fract() == 0.0) else {
                return false;
            };
            let bound = |name: &str| schema[name].as_f64().unwrap();
            (bound("minimum")..=bound("maximum")).contains(&number)
        }
        "string" => {
            let text = match value {
                Value::Number(number) => {
                    let float = number
                        .as_f64()
                        .filter(|float| float.fract() == 0.0 && float.abs() < 1e15);
                    float.map_or_else(|| number.to_string(), |float| format!("{}", float as i64))
                }
                Value::String(text) => text.trim().to_owned(),
                _ => return false,
            };
            // No pattern describes the phone numbers of all countries
            let phone = tool_catalog::PHONE_FIELDS.contains(&field.name);
            // Work is given to who signs in here
            let worker =
                field.name != "assignee" || text.eq_ignore_ascii_case("manager@dewy.example");
            takes_text(schema, &text)
                && (field.name == "idempotency_token" || fits_salesforce(schema, &text))
                && worker
                && (!phone || Country::default().read(&text).is_some())
        }
        "object" => is_valid(schema, value),
        other => panic!("{}: {other}", field.name),
    }
}

fn visible(text: &str) -> bool {
    text.chars().any(|c| {
        !c.is_whitespace()
            && !c.is_control()
            && !matches!(
                c,
                '\u{200b}' | '\u{200f}' | '\u{feff}' | '\u{202e}' | '\u{3164}'
            )
    })
}

/// Salesforce counts units of UTF-16.
fn fits_salesforce(schema: &Value, text: &str) -> bool {
    let units = text.encode_utf16().count() as u64;
    units <= schema["maxLength"].as_u64().unwrap_or(u64::MAX)
}

fn takes_text(schema: &Value, text: &str) -> bool {
    let length = text.chars().count() as u64;
    let of_calendar = || {
        let shape = text.len() == 10 && text.split('-').map(str::len).eq([4, 2, 2]);
        shape
            && text.bytes().all(|b| b.is_ascii_digit() || b == b'-')
            && text.parse::<jiff::civil::Date>().is_ok()
    };
    let by_pattern = || {
        let pattern = json!({ "pattern": schema["pattern"] });
        schema["pattern"].is_null() || is_valid(&pattern, &json!(text))
    };
    let by_format = || match schema["format"].as_str() {
        Some("date") => of_calendar(),
        Some("email") => {
            let email = json!({ "type": "string", "format": "email" });
            is_valid(&email, &json!(text))
        }
        _ => true,
    };
    visible(text)
        && !text.contains('\0')
        && length >= schema["minLength"].as_u64().unwrap_or(0)
        && length <= schema["maxLength"].as_u64().unwrap_or(u64::MAX)
        && schema["enum"]
            .as_array()
            .is_none_or(|all| all.contains(&json!(text)))
        && by_pattern()
        && by_format()
}

/// What the decider says of one answer; empty when they agree.
fn disagrees(
    tool: &Tool,
    persona: Persona,
    field: &Field,
    input: &Value,
    answer: &Value,
) -> Option<&'static str> {
    let code = answer["error_code"].as_str().unwrap_or("");
    if !answer["success"].is_boolean() || code == "INTERNAL" {
        return Some("it is no answer");
    }
    let problems = answer["details"]["problems"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let named = problems
        .iter()
        .filter_map(|problem| problem["field"].as_str());
    let named = named
        .filter(|name| name.split('/').next() == Some(field.name))
        .count()
        > 0;
    if !takes(field, persona, &input[field.name]) {
        return (code != "VALIDATION_FAILED" || !named)
            .then_some("it was not refused with its field");
    }
    // Only a page asks for consent
    if field.source == Source::Consent && !left_out(&input[field.name]) {
        return (code != "VALIDATION_FAILED" || !named).then_some("it was taken from a program");
    }
    let mut meant = input.clone();
    meant
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !left_out(value));
    // Fields can be right and not go together: the rules say so, days in the wrong order, and a field
    // that fits only some records.
    let together = tool.rules.iter().all(|rule| is_valid(rule, &meant));
    let in_order = !problems.iter().any(|p| {
        p["message"]
            .as_str()
            .is_some_and(|words| words.contains(" is before ") || words.starts_with("Only for "))
    });
    (code == "VALIDATION_FAILED" && named && together && in_order).then_some("it was refused")
}

fn with(tool: &Tool, persona: Persona, field: &Field, value: &Value) -> Value {
    let mut input = tool.example_for(persona);
    input[field.name] = value.clone();
    if field.name == "same_guest_as"
        && !left_out(value)
        && let Some(input) = input.as_object_mut()
    {
        input.remove("guest_email");
    }
    input
}

async fn every_field(seed: u64, persona: Persona, email: &str, random_values: usize) {
    let hotel = TestHotel::with(&[
        ("CALLS_PER_MINUTE", "10000000"),
        ("SALESFORCE_CALLS_PER_GUEST", "1000000"),
        ("REQUEST_WAIT_SECONDS", "5"),
    ])
    .await;
    let token = hotel.token(persona, email).await;
    let rest = Rest::new(&hotel.server.public_url, persona.name(), &token);
    let mcp = Mcp::new(&hotel.server.public_url, persona.name(), &token);
    let mut random = Random(Rng::with_seed(seed));
    let mut n = 0;
    let mut wrong = Vec::new();
    for tool in tool_catalog::all()
        .iter()
        .filter(|tool| tool.personas.contains(&persona))
    {
        for field in tool.fields(persona) {
            let fixed = VALUES
                .iter()
                .map(|text| serde_json::from_str(text).unwrap());
            let values: Vec<Value> = fixed
                .chain((0..random_values).map(|_| random.value(2)))
                .collect();
            for value in values {
                n += 1;
                let input = with(tool, persona, field, &value);
                let answer = if n % 2 == 0 {
                    let key = format!("rest-{n}");
                    let answer = rest
                        .call(tool.name, tool.writes.then_some(&key), &input)
                        .await;
                    assert!(
                        answer.status < 500,
                        "seed {seed}: {} {input}: {:?}",
                        tool.name,
                        answer.body
                    );
                    let refused = answer.body["error_code"] == "VALIDATION_FAILED";
                    assert_eq!(
                        answer.status == 400,
                        refused || answer.status_and_code().0 == 400,
                        "{:?}",
                        answer.body
                    );
                    answer.body
                } else {
                    let mut arguments = input.clone();
                    if tool.writes {
                        arguments["idempotency_token"] = json!(format!("mcp-{n}"));
                    }
                    let call = json!({ "name": tool.name, "arguments": arguments });
                    let (_, answer) = mcp.send(Era::Legacy, "tools/call", call).await;
                    answer["result"]["structuredContent"].clone()
                };
                if let Some(words) = disagrees(tool, persona, field, &input, &answer) {
                    wrong.push(format!(
                        "{} {}={value}: {words}: {answer}",
                        tool.name, field.name
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "seed {seed}, {} of {n}:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_staff_field_is_validated() {
    every_field(1, Persona::Staff, "manager@dewy.example", 12).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_guest_field_is_validated() {
    every_field(2, Persona::Guest, "sarah@example.com", 12).await;
}
