//! Stand-in for a model's server, played from a script: what it refuses, in order, and how it puts
//! its answers.

use std::{
    collections::BTreeSet,
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::Response,
};
use dewy_connectors::{ChatModel, ModelConfig, ObservedModel, RealClock};
use dewy_domain::ports::Clock;
use futures::{StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use super::scripted_hotel::model_config;

/// A request that came, and whether it was refused.
#[derive(Clone, Debug)]
pub struct Seen {
    pub path: String,
    pub body: Value,
    pub refused: bool,
}

#[derive(Debug)]
struct Inner {
    script: Value,
    /// What every server refuses.
    every: [Value; 2],
    seen: Mutex<Vec<Seen>>,
}

/// A running stand-in; gone with this.
#[derive(Debug)]
pub struct StandIn {
    inner: Arc<Inner>,
    address: String,
    serving: JoinHandle<()>,
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl StandIn {
    pub async fn start(script: &Value) -> Self {
        let inner = Arc::new(Inner {
            script: script.clone(),
            every: [("calls_share_an_id", "Duplicate or empty call id"), ("call_name_is_none", "Invalid 'messages[2].tool_calls[0].function.name': string does not match pattern")].map(
                |(when, message)| json!({ "when": { when: true }, "status": 400, "body": { "error": { "message": message } } }),
            ),
            seen: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let app = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&inner));
        let serving = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self {
            inner,
            address,
            serving,
        }
    }

    /// Requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.inner.seen.lock().unwrap().clone()
    }

    /// What was sent, without the tools.
    pub fn talk(&self) -> String {
        let talk = |seen: &Seen| {
            format!(
                "{} refused: {} {:?}",
                seen.path,
                seen.refused,
                items(&seen.body)
            )
        };
        self.seen().iter().map(talk).collect::<Vec<_>>().join("\n")
    }

    pub fn refusals(&self) -> usize {
        self.seen().iter().filter(|seen| seen.refused).count()
    }

    pub fn base(&self) -> String {
        let base = self.inner.script["base"].as_str().unwrap_or("/v1");
        format!("{}{base}", self.address)
    }

    /// A model there, whose calls are observed.
    pub fn model(&self, silence: Duration) -> Arc<ObservedModel> {
        let script = &self.inner.script;
        let config = ModelConfig {
            model: script["model"].as_str().unwrap_or("m").to_owned(),
            reasoning_effort: script["effort"].as_str().map(str::to_owned),
            ..model_config(self.base(), silence)
        };
        let clock: Arc<dyn Clock> = Arc::new(RealClock);
        let model = ChatModel::new(config, Arc::clone(&clock)).unwrap();
        Arc::new(ObservedModel::new(Arc::new(model), clock))
    }
}

async fn answer(State(inner): State<Arc<Inner>>, request: Request) -> Response {
    let path = request.uri().to_string();
    let bytes = axum::body::to_bytes(request.into_body(), usize::MAX).await;
    let body: Value = serde_json::from_slice(&bytes.unwrap()).unwrap();
    let rule = {
        let mut seen = inner.seen.lock().unwrap();
        let rules = inner.script["refuses"].as_array().into_iter().flatten();
        let mut rules = rules.chain(&inner.every);
        let rule = rules.find(|rule| applies(rule, &path, &body, seen.len()));
        let refused = rule.is_some();
        seen.push(Seen {
            path: path.clone(),
            body: body.clone(),
            refused,
        });
        rule.cloned()
    };
    match rule {
        Some(rule) => play(&rule, &body),
        None => {
            let frames = inner.script["answers"][scene(&body)].clone();
            play(&json!({ "frames": frames }), &body)
        }
    }
}

/// Whether every condition of a rule holds.
fn applies(rule: &Value, path: &str, body: &Value, before: usize) -> bool {
    let text = body.to_string();
    let pointers = |name: &str| {
        let one = rule["when"][name].as_str().map(str::to_owned);
        one.into_iter()
            .map(|pointer| body.pointer(&pointer).is_some())
    };
    let messages = body["messages"].as_array().into_iter().flatten();
    let own = messages.filter(|message| message["role"] == "assistant");
    let own: Vec<_> = own.collect();
    rule["when"]
        .as_object()
        .unwrap()
        .iter()
        .all(|(name, value)| {
            let word = value.as_str().unwrap_or_default();
            match name.as_str() {
                "path_is" => path == word,
                "path_is_not" => path != word,
                "has" => pointers("has").all(|there| there),
                "lacks" => pointers("lacks").all(|there| !there),
                "contains" => text.contains(word),
                "contains_not" => !text.contains(word),
                "first" => before < usize::try_from(value.as_u64().unwrap()).unwrap(),
                "asks_for_tokens_below" => limit(body) < value.as_u64() && limit(body).is_some(),
                "asks_for_tokens_above" => limit(body) > value.as_u64(),
                // Any message of the model without this member
                "own_message_lacks" => own.iter().any(|message| message.get(word).is_none()),
                // The first call of any message without this member
                "call_lacks" => own.iter().any(|message| {
                    message
                        .pointer("/tool_calls/0")
                        .is_some_and(|call| call.get(word).is_none())
                }),
                "call_id_is_not_of_9_letters_and_digits" => own
                    .iter()
                    .flat_map(|message| message["tool_calls"].as_array().into_iter().flatten())
                    .any(|call| {
                        let id = call["id"].as_str().unwrap();
                        id.len() != 9 || !id.chars().all(|c| c.is_ascii_alphanumeric())
                    }),
                "calls_share_an_id" => own.iter().any(|message| {
                    let calls = message["tool_calls"].as_array().into_iter().flatten();
                    let ids: Vec<_> = calls.map(|call| call["id"].as_str()).collect();
                    let some: BTreeSet<_> =
                        ids.iter().flatten().filter(|id| !id.is_empty()).collect();
                    some.len() < ids.len()
                }),
                "call_name_is_none" => own
                    .iter()
                    .flat_map(|message| message["tool_calls"].as_array().into_iter().flatten())
                    .any(|call| {
                        let name = call["function"]["name"].as_str().unwrap();
                        let known = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
                        name.is_empty() || name.len() > 64 || !name.chars().all(known)
                    }),
                "after_a_tool" => is_after_a_tool(body),
                other => panic!("unknown condition {other}"),
            }
        })
}

/// The answer's limit in a request, under whatever name.
pub fn limit(body: &Value) -> Option<u64> {
    let names = ["max_completion_tokens", "max_tokens", "max_output_tokens"];
    names.iter().find_map(|name| body[name].as_u64())
}

fn items(body: &Value) -> &[Value] {
    let items = body.get("messages").or_else(|| body.get("input"));
    items.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn is_after_a_tool(body: &Value) -> bool {
    let is_result = |item: &Value| item["role"] == "tool" || item["type"] == "function_call_output";
    items(body).last().is_some_and(is_result)
}

/// What is asked, by the person's latest words.
fn scene(body: &Value) -> &'static str {
    let said = items(body).iter().rev().find(|item| item["role"] == "user");
    let said = said
        .and_then(|said| said["content"].as_str())
        .unwrap_or_default();
    match said {
        said if said.contains("read_code") && is_after_a_tool(body) => "probed",
        said if said.contains("read_code") => "probe",
        _ if is_after_a_tool(body) => "text",
        said if said.contains("do I owe") => "reads",
        said if said.contains("towels") => "write",
        said if said.contains("boss") => "refusal",
        _ => "long",
    }
}

fn play(rule: &Value, body: &Value) -> Response {
    let frames = rule["frames"].as_array();
    let status = rule["status"].as_u64().unwrap_or(200);
    let mut response = Response::builder().status(u16::try_from(status).unwrap());
    for (name, value) in rule["headers"].as_object().into_iter().flatten() {
        response = response.header(name, value.as_str().unwrap());
    }
    let Some(frames) = frames else {
        let text = match &rule["body"] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let times = rule["times"].as_u64().unwrap_or(1);
        let text = text.repeat(usize::try_from(times).unwrap());
        return response.body(Body::from(text)).unwrap();
    };
    if let [Value::Object(whole)] = frames.as_slice()
        && let Some(whole) = whole.get("whole")
    {
        let response = response.header("content-type", "application/json");
        return response
            .body(Body::from(fill(&whole.to_string(), body)))
            .unwrap();
    }
    // A string is a line as it is, a number a pause in milliseconds, an object the data of an event
    let event = |frame: &Value| match frame {
        Value::Number(pause) => Err(Duration::from_millis(pause.as_u64().unwrap())),
        Value::String(line) => Ok(format!("{line}\n\n")),
        data => Ok(match data["type"].as_str() {
            Some(kind) => format!("event: {kind}\ndata: {data}\n\n"),
            None => format!("data: {data}\n\n"),
        }),
    };
    let events: Vec<_> = frames
        .iter()
        .map(|frame| event(frame).map(|event| fill(&event, body)))
        .collect();
    let paced = stream::iter(events).then(async |event| match event {
        Ok(event) => Ok::<_, Infallible>(event),
        Err(pause) => {
            tokio::time::sleep(pause).await;
            Ok(String::new())
        }
    });
    let response = response.header("content-type", "text/event-stream");
    response.body(Body::from_stream(paced)).unwrap()
}

/// The texts and the arguments of the scripts.
fn fill(frame: &str, body: &Value) -> String {
    let model = body["model"].as_str().unwrap_or_default();
    let write =
        format!(r#"{{"type":"Housekeeping","description":"Two towels, please ({model})"}}"#);
    let quoted = serde_json::to_string(&write).unwrap();
    frame
        .replace("\"$WRITE_OBJECT\"", &write)
        .replace("$WRITE", quoted.trim_matches('"'))
}
