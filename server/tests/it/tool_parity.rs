//! One table for all tools: each row runs over MCP and over REST, in two hotels with the same seed,
//! and must give the same result.
//!
//! The rows are data, one file per group of tools. A group's rows run one after the other, so a row
//! may build on those before.

mod bookings;
mod charges;
mod check_in;
mod check_out;
mod compensations;
mod contacts_and_searches;
mod executions;
mod folio;
mod normalize;
mod rooms_and_cases;

use std::collections::BTreeMap;

use dewy_domain::{caller::Persona, error_code::ErrorCode};
use dewy_saga::Journal;
use dewy_server::web::openapi_document;
use serde_json::{Value, json};

use self::normalize::Normalizer;
use crate::{
    mcp::{Era, Mcp},
    rest::Rest,
    test_hotel::TestHotel,
};

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParityCaller {
    /// A guest of that address.
    Guest(&'static str),
    /// Staff of that address.
    Staff(&'static str),
}

pub const BETH: ParityCaller = ParityCaller::Guest("beth.gibbs@email.com");
pub const FRONT_DESK: ParityCaller = ParityCaller::Staff("frontdesk@dewy.example");
pub const MANAGER: ParityCaller = ParityCaller::Staff("manager@dewy.example");
pub const HOUSEKEEPER: ParityCaller = ParityCaller::Staff("housekeeping@dewy.example");

/// A call and what it must come to.
#[derive(Clone, Debug)]
pub struct Row {
    name: &'static str,
    who: ParityCaller,
    tool: &'static str,
    token: Option<&'static str>,
    /// Texts of the form `{name:/pointer}` are replaced by what that earlier row's answer holds
    /// there; `{today}`, `{today+2}` by days.
    input: Value,
    status: u16,
    code: &'static str,
    holds: Vec<(&'static str, Value)>,
    faults: Vec<(&'static str, &'static str, &'static str, u32)>,
}

/// A row that is done; say otherwise with [`Row::refused`] or [`Row::answers`].
pub fn row(name: &'static str, who: ParityCaller, tool: &'static str, input: Value) -> Row {
    Row {
        name,
        who,
        tool,
        token: None,
        input,
        status: 200,
        code: "",
        holds: Vec::new(),
        faults: Vec::new(),
    }
}

impl Row {
    /// With an idempotency token.
    pub const fn token(mut self, token: &'static str) -> Self {
        self.token = Some(token);
        self
    }

    /// Answered with that status over REST.
    pub const fn answers(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Answered with that error.
    pub fn refused(mut self, code: ErrorCode) -> Self {
        (self.status, self.code) = (code.status(), code.code());
        self
    }

    /// The body holds that at that place.
    pub fn holds(mut self, place: &'static str, value: impl Into<Value>) -> Self {
        self.holds.push((place, value.into()));
        self
    }

    /// With that fault in the sandbox: system, operation, kind, how often.
    pub fn fault(
        mut self,
        system: &'static str,
        operation: &'static str,
        kind: &'static str,
        count: u32,
    ) -> Self {
        self.faults.push((system, operation, kind, count));
        self
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
    let who = |row: &Row| match row.who {
        ParityCaller::Guest(email) => (Persona::Guest, email),
        ParityCaller::Staff(email) => (Persona::Staff, email),
    };
    for (persona, email) in rows.iter().map(who) {
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
        let (persona, email) = who(row);
        for (system, operation, kind, count) in &row.faults {
            hotel.fault(system, operation, kind, *count, 100).await;
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
            assert_eq!(body.pointer(place), Some(value), "{place} of {at}");
        }
        let execution = match body["execution_id"].as_str() {
            Some(id) => {
                let record = hotel
                    .server
                    .store
                    .load(id.parse().unwrap())
                    .await
                    .unwrap()
                    .unwrap();
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
                let today = crate::test_hotel::now()
                    .to_zoned(jiff::tz::TimeZone::UTC)
                    .date();
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

/// Each group once.
macro_rules! groups {
    ($($group:ident),* $(,)?) => {
        $(#[tokio::test]
        async fn $group() {
            the_same_both_ways($group::rows()).await;
        })*

        /// Every row of every group.
        fn all_rows() -> Vec<Row> {
            [$($group::rows()),*].concat()
        }
    };
}

groups!(
    bookings,
    folio,
    check_in,
    check_out,
    charges,
    compensations,
    executions,
    rooms_and_cases,
    contacts_and_searches
);

/// The same request by form, MCP and REST leaves the same records, except for the interface name.
#[tokio::test]
async fn the_same_call_over_every_interface_is_the_same_execution() {
    let ParityCaller::Guest(email) = BETH else {
        unreachable!()
    };
    let mut left = Vec::new();
    let mut input = Value::Null;
    for door in ["form", "mcp", "rest"] {
        let hotel = TestHotel::open().await;
        let token = hotel.token(Persona::Guest, email).await;
        let key = "form-0123456789abcdef0123456789abcdef";
        let id = match door {
            "form" => {
                let browser = hotel.browser().guest(email).await;
                let fields =
                    crate::pages::hidden_fields(&browser.open("/guest/check-out").await.text);
                let fields = fields.iter().map(|(name, value)| match name.as_str() {
                    "idempotency_token" => ("idempotency_token", key),
                    name => (name, value.as_str()),
                });
                let sent = browser
                    .send("/form/check_out", &fields.collect::<Vec<_>>())
                    .await;
                sent.location().rsplit('/').next().unwrap().to_owned()
            }
            "mcp" => {
                let mut arguments = input.clone();
                arguments["idempotency_token"] = json!(key);
                let mcp = Mcp::new(&hotel.server.public_url, "guest", &token);
                let answer = mcp
                    .call(Era::Modern, "process_guest_checkout", arguments)
                    .await;
                answer["structuredContent"]["execution_id"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            }
            _ => {
                let rest = Rest::new(&hotel.server.public_url, "guest", &token);
                let answer = rest.call("process_guest_checkout", Some(key), &input).await;
                answer.body["execution_id"].as_str().unwrap().to_owned()
            }
        };
        let mut record = hotel
            .server
            .store
            .load(id.parse().unwrap())
            .await
            .unwrap()
            .unwrap();
        for _ in 0..100 {
            if record.state.has_ended() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            record = hotel
                .server
                .store
                .load(id.parse().unwrap())
                .await
                .unwrap()
                .unwrap();
        }
        assert_eq!(
            (record.interface.as_str(), record.token.as_deref()),
            (door, Some(key))
        );
        if door == "form" {
            input = record.input.clone();
            let map = input.as_object_mut().unwrap();
            map.retain(|name, _| name != "_by" && name != "guest_email");
        }
        left.push(Normalizer::of(&hotel).execution(&record));
        hotel.close().await;
    }
    assert_eq!(left[0]["state"], "completed");
    assert_eq!(left[0], left[1]);
    assert_eq!(left[0], left[2]);
}

/// Every tool has rows for one success, one refusal, and one caller without access.
#[test]
fn every_tool_is_in_the_table() {
    let rows = all_rows();
    for tool in dewy_domain::tool_catalog::all() {
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
