//! One table for all tools: each row runs over MCP and over REST, in two hotels with the same seed,
//! and must give the same result.
//!
//! The rows are `tool_parity/calls.txt`. A group's rows run one after the other, so a row may build
//! on those before.

mod normalize;

use std::collections::BTreeMap;

use dewy_domain::tool_catalog;
use dewy_server::web::openapi_document;

use self::normalize::Normalizer;
use crate::prelude::*;

const CALLS: &str = include_str!("tool_parity/calls.txt");
/// A call and what it must come to.
struct Row {
    name: &'static str,
    who: &'static str,
    tool: &'static str,
    token: Option<&'static str>,
    input: Value,
    status: u16,
    code: &'static str,
    holds: Vec<(&'static str, Value)>,
    faults: Vec<&'static str>,
}

/// The rows of each group; `calls.txt` tells how they are written.
fn rows_by_group() -> BTreeMap<&'static str, Vec<Row>> {
    let (mut groups, mut group) = (BTreeMap::<_, Vec<Row>>::new(), "");
    let (mut tool, mut usual) = ("", json!({}));
    let told = |line: &&str| !line.is_empty() && !line.starts_with("# ");
    for line in CALLS.lines().filter(told) {
        if let Some(name) = line.strip_prefix("## ") {
            group = name;
        } else if let Some(called) = line.strip_prefix("> ") {
            let (name, input) = called.split_once(' ').unwrap_or((called, "{}"));
            (tool, usual) = (name, serde_json::from_str(input).unwrap());
        } else {
            let row = row(tool, &usual, line);
            groups.entry(group).or_default().push(row);
        }
    }
    groups
}

fn row(tool: &'static str, usual: &Value, line: &'static str) -> Row {
    let mut cells = line.split(" | ");
    let mut next = || cells.next().unwrap_or_else(|| panic!("{line}"));
    let parsed = |json: &str| -> Value {
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{error} in {line}"))
    };
    let (name, who, input) = (next(), next(), next());
    let input = match input.strip_prefix("with ") {
        Some(more) => {
            let mut input = usual.clone();
            let more: serde_json::Map<String, Value> = serde_json::from_str(more).unwrap();
            input.as_object_mut().unwrap().extend(more);
            input
        }
        None if input == "the same" => usual.clone(),
        None => parsed(input),
    };
    let mut row = Row {
        name,
        who,
        tool,
        token: None,
        input,
        status: 200,
        code: "",
        holds: Vec::new(),
        faults: Vec::new(),
    };
    for cell in cells {
        if let Some(token) = cell.strip_prefix("token ") {
            row.token = Some(token);
        } else if let Some(fault) = cell.strip_prefix("fault ") {
            row.faults.push(fault);
        } else if let Some((place, value)) = cell.split_once(" = ") {
            row.holds.push((place, parsed(value)));
        } else if let Some(code) = ErrorCode::from_code(cell) {
            (row.status, row.code) = (code.status(), code.code());
        } else {
            row.status = cell.parse().unwrap_or_else(|_| panic!("{cell} in {line}"));
        }
    }
    row
}

fn persona(email: &str) -> Persona {
    match email.ends_with("@dewy.example") {
        true => Persona::Staff,
        false => Persona::Guest,
    }
}

/// Through which door a group is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InterfaceKind {
    Mcp,
    Rest,
}

/// One row's outcome, as far as both doors can tell it.
#[derive(Debug, PartialEq)]
struct Outcome {
    name: &'static str,
    code: String,
    body: Value,
    execution: Value,
}

async fn run(rows: &[Row], door: InterfaceKind) -> Vec<Outcome> {
    let hotel = TestHotel::with(&[
        ("REQUEST_WAIT_SECONDS", "8"),
        ("FORWARD_BUDGET_SECONDS", "2"),
    ])
    .await;
    let mut normalizer = Normalizer::of(&hotel);
    let document = openapi_document(&hotel.server.public_url);
    let (mut tokens, mut answers, mut outcomes) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for (persona, email) in rows.iter().map(|row| (persona(row.who), row.who)) {
        if tokens.contains_key(email) {
            continue;
        }
        let token = hotel.token(persona, email).await;
        // A token in use: whose it is need not be looked up during an outage
        let mcp = Mcp::new(&hotel.server.public_url, persona.name(), &token);
        mcp.send(Era::Modern, "tools/list", json!({})).await;
        tokens.insert(email, token);
    }
    for row in rows {
        let (persona, email) = (persona(row.who), row.who);
        for fault in &row.faults {
            let [system, operation, kind, count] = fault.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{fault}")
            };
            let count = count.parse().unwrap();
            hotel.fault(system, operation, kind, count, 100).await;
        }
        let input = filled(&row.input, &answers);
        let (status, body) = match door {
            InterfaceKind::Rest => {
                let rest = Rest::new(&hotel.server.public_url, persona.name(), &tokens[email]);
                let answer = rest.call(row.tool, row.token, &input).await;
                documented(&document, persona, row, answer.status, &answer.body);
                (answer.status, answer.body)
            }
            InterfaceKind::Mcp => {
                let mcp = Mcp::new(&hotel.server.public_url, persona.name(), &tokens[email]);
                over_mcp(&mcp, row, input).await
            }
        };
        let at = format!("{} over {door:?}: {body}", row.name);
        let code = body["error_code"].as_str().unwrap_or("").to_owned();
        assert_eq!(code, row.code, "{at}");
        if door == InterfaceKind::Rest {
            assert_eq!(status, row.status, "{at}");
        }
        for (place, value) in &row.holds {
            let value = filled(value, &answers);
            assert_eq!(body.pointer(place), Some(&value), "{place} of {at}");
        }
        let execution = match body["execution_id"].as_str() {
            Some(id) => {
                let record = hotel.execution(id.parse().unwrap()).await;
                normalizer.execution(&record)
            }
            None => Value::Null,
        };
        answers.insert(row.name, body.clone());
        // What an interface says of an unknown tool is its own; that it is unknown is the same.
        let mut body = if code == "UNKNOWN_TOOL" {
            Value::Null
        } else {
            normalizer.value(&body)
        };
        // So are its words for an error: programs read REST, models and people MCP.
        if let Some(fields) = body.as_object_mut() {
            fields.remove("error_message");
        }
        outcomes.push(Outcome {
            name: row.name,
            code,
            body,
            execution,
        });
    }
    hotel.close().await;
    outcomes
}

async fn over_mcp(mcp: &Mcp, row: &Row, mut arguments: Value) -> (u16, Value) {
    if let Some(token) = row.token {
        arguments["idempotency_token"] = json!(token);
    }
    let (_, answer) = mcp
        .send(
            Era::Modern,
            "tools/call",
            json!({ "name": row.tool, "arguments": arguments }),
        )
        .await;
    if answer["error"]["message"]
        .as_str()
        .is_some_and(|words| words.starts_with("unknown tool"))
    {
        return (404, json!({ "error_code": "UNKNOWN_TOOL" }));
    }
    let result = &answer["result"];
    assert_eq!(
        result["isError"],
        result["structuredContent"]["success"] == false,
        "{}: {answer}",
        row.name
    );
    (200, result["structuredContent"].clone())
}

/// The answer is one that the OpenAPI document tells of.
fn documented(document: &Value, persona: Persona, row: &Row, status: u16, body: &Value) {
    let operation = &document["paths"][format!("/api/{}/{}", persona.name(), row.tool)]["post"];
    let response = &operation["responses"][status.to_string()];
    let response = match response["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap(),
        None => response,
    };
    // A tool that does not exist for somebody is not in the document either.
    if response.is_null() && row.code == "UNKNOWN_TOOL" {
        return;
    }
    let mut schema = response["content"]["application/json"]["schema"].clone();
    assert!(
        schema.is_object(),
        "{}: {status} is not documented",
        row.name
    );
    schema["components"] = document["components"].clone();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(body)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert_eq!(faults, [""; 0], "{} {body}", row.name);
}

/// The input with what is known only now.
fn filled(input: &Value, answers: &BTreeMap<&str, Value>) -> Value {
    match input {
        Value::String(text) => match text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
            None => input.clone(),
            Some(day) if day.starts_with("today") => {
                let later = day["today".len()..].parse::<i32>().unwrap_or(0);
                let today = now().to_zoned(jiff::tz::TimeZone::UTC).date();
                json!(
                    today
                        .checked_add(jiff::Span::new().days(later))
                        .unwrap()
                        .to_string()
                )
            }
            Some(place) => {
                let (name, pointer) = place.split_once(':').unwrap();
                answers[name]
                    .pointer(pointer)
                    .unwrap_or_else(|| panic!("{place} of {}", answers[name]))
                    .clone()
            }
        },
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), filled(value, answers)))
            .collect(),
        Value::Array(items) => items.iter().map(|value| filled(value, answers)).collect(),
        other => other.clone(),
    }
}

async fn the_same_both_ways(rows: Vec<Row>) {
    let (mcp, rest) = (
        run(&rows, InterfaceKind::Mcp).await,
        run(&rows, InterfaceKind::Rest).await,
    );
    for (mcp, rest) in mcp.iter().zip(&rest) {
        assert_eq!(
            (&mcp.code, &mcp.body),
            (&rest.code, &rest.body),
            "{}",
            mcp.name
        );
        for part in [
            "saga", "caller", "state", "input", "labels", "answer", "trail", "journal",
        ] {
            assert_eq!(
                mcp.execution[part], rest.execution[part],
                "{part} of {}",
                mcp.name
            );
        }
    }
    assert_eq!((mcp.len(), rest.len()), (rows.len(), rows.len()));
}

/// Each group of the table once.
macro_rules! groups {
    ($($group:ident)*) => {
        $(#[tokio::test]
        async fn $group() {
            the_same_both_ways(rows_by_group().remove(stringify!($group)).unwrap()).await;
        })*

        const GROUPS: &[&str] = &[$(stringify!($group)),*];
    };
}

groups!(
    bookings cards charges check_in check_out compensations
    contacts_and_searches executions folio rooms_and_cases
);

/// A form: who sends it, its page, its name, what is typed into it, and the tool that it calls.
type Form = (&'static str, String, &'static str, Value, &'static str);

/// A form of its own page, and each that a tool declares.
fn forms() -> Vec<Form> {
    let (page, input) = ("/guest/check-out".to_owned(), json!({}));
    let own = (BETH, page, "check_out", input, "process_guest_checkout");
    let declared = tool_catalog::all().iter().filter_map(|tool| {
        let page = format!("/guest/requests?ask={}", tool.guest_form?);
        let input = tool.example_for(Persona::Guest);
        Some(("sarah@example.com", page, "ask", input, tool.name))
    });
    [own].into_iter().chain(declared).collect()
}

/// The same request by form, MCP and REST leaves the same records, except for the interface name.
#[tokio::test]
async fn the_same_call_over_every_interface_is_the_same_execution() {
    for form in forms() {
        let mut input = Value::Null;
        let mut left = Vec::new();
        for door in ["form", "mcp", "rest"] {
            left.push(sent_by(door, &form, &mut input).await);
        }
        assert_eq!(left[0]["state"], "completed", "{}", form.4);
        assert_eq!(left[0], left[1]);
        assert_eq!(left[0], left[2]);
    }
}

/// The execution that this interface leaves behind; a form's input is the other interfaces'.
async fn sent_by(door: &str, form: &Form, input: &mut Value) -> Value {
    let (guest, page, name, typed, tool) = form;
    let hotel = TestHotel::open().await;
    let token = hotel.token(Persona::Guest, guest).await;
    let rest = Rest::new(&hotel.server.public_url, "guest", &token);
    let key = "form-0123456789abcdef0123456789abcdef";
    match door {
        "form" => {
            let browser = hotel.browser().guest(guest).await;
            let fields = crate::pages::form_fields(&browser.open(page).await.text, name);
            let typed = typed.as_object().unwrap().iter();
            let typed = typed.map(|(name, value)| (name.as_str(), value.as_str().unwrap()));
            let fields = fields.iter().map(|(name, value)| match name.as_str() {
                "idempotency_token" => ("idempotency_token", key),
                name => (name, value.as_str()),
            });
            let fields: Vec<_> = fields.chain(typed).collect();
            browser.send(&format!("/form/{name}"), &fields).await;
        }
        "mcp" => {
            let mut arguments = input.clone();
            arguments["idempotency_token"] = json!(key);
            let mcp = Mcp::new(&hotel.server.public_url, "guest", &token);
            mcp.call(Era::Modern, tool, arguments).await;
        }
        _ => {
            rest.call(tool, Some(key), input).await;
        }
    }
    let found = json!({ "idempotency_token": key });
    let found = rest.call("get_execution", None, &found).await.body;
    let id = found["data"]["execution_id"]
        .as_str()
        .expect("an execution");
    let id = id.parse().unwrap();
    let mut record = hotel.execution(id).await;
    for _ in 0..100 {
        if record.state.has_ended() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        record = hotel.execution(id).await;
    }
    assert_eq!(
        (record.interface.as_str(), record.token.as_deref()),
        (door, Some(key))
    );
    if door == "form" {
        *input = record.input.clone();
        let map = input.as_object_mut().unwrap();
        map.retain(|name, _| name != "_by" && name != "guest_email");
    }
    let execution = Normalizer::of(&hotel).execution(&record);
    hotel.close().await;
    execution
}

/// Every tool has rows for one success, one refusal, and one caller without access.
#[test]
fn every_tool_is_in_the_table() {
    let groups = rows_by_group();
    assert!(groups.keys().eq(GROUPS), "{:?}", groups.keys());
    let rows: Vec<Row> = groups.into_values().flatten().collect();
    for tool in tool_catalog::all() {
        let of_it: Vec<&Row> = rows.iter().filter(|row| row.tool == tool.name).collect();
        assert!(
            of_it.iter().any(|row| row.status < 300),
            "{} is never done",
            tool.name
        );
        assert!(
            of_it
                .iter()
                .any(|row| row.status >= 400 && row.code != "UNKNOWN_TOOL"),
            "{} is never refused",
            tool.name
        );
        let for_all = tool.personas.len() == 2 && tool.roles.len() == 4;
        assert!(
            for_all || of_it.iter().any(|row| row.code == "UNKNOWN_TOOL"),
            "{} is known to everybody",
            tool.name
        );
    }
}
