//! Proxy between the hotel and its sandbox: it passes every request on, except those to the model,
//! which the player answers.

mod completion;
mod known_amounts;

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::Context;
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, Response, StatusCode, header},
};
use reqwest::{Client, redirect::Policy};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::{dialogue::Reply, model_player::Player};

/// Path of the model.
const COMPLETIONS: &str = "/v1/chat/completions";
/// Reply of an agent that does nothing.
const IDLE_REPLY: &str = "One moment, please.";
/// Reply of the ideal agent where the dialogue lists none.
const ENOUGH: &str = "All right.";
/// Larger than any request.
const LARGEST: usize = 16 * 1024 * 1024;

/// ModelProxy, until it is dropped.
#[derive(Debug)]
pub struct ModelProxy {
    /// Address for the hotel.
    pub url: String,
    inner: Arc<Inner>,
    serving: JoinHandle<()>,
}

#[derive(Debug)]
struct Inner {
    client: Client,
    sandbox: String,
    player: Player,
    server: Option<Server>,
    script: Mutex<Script>,
}

/// Replies of the ideal agent.
#[derive(Debug, Default)]
struct Script {
    replies: VecDeque<Reply>,
    /// Calls so far: each needs its own id.
    calls: usize,
    /// What is wrong with the script.
    take_faults: Vec<String>,
}

/// Server of a model.
#[derive(Clone, Debug)]
struct Server {
    client: Client,
    url: String,
    key: String,
    model: String,
}

impl ModelProxy {
    /// Starts it in front of a sandbox.
    pub async fn open(sandbox: &str, player: Player) -> anyhow::Result<Self> {
        let client = Client::builder().no_proxy().tls_certs_only([]);
        let inner = Arc::new(Inner {
            client: client.redirect(Policy::none()).build()?,
            sandbox: sandbox.to_owned(),
            player,
            server: match player {
                Player::Model => Some(Server::from_environment()?),
                _ => None,
            },
            script: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let app = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&inner));
        let serving = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                eprintln!("the proxy stopped: {error}");
            }
        });
        Ok(Self {
            url,
            inner,
            serving,
        })
    }

    /// Sets the replies to the next message. Replies that are left over are a mistake in the
    /// dialogue.
    pub fn expect(&self, replies: Vec<Reply>) {
        let mut script = self.inner.script();
        let left: Vec<Reply> = script.replies.drain(..).collect();
        for reply in left {
            script
                .take_faults
                .push(format!("never asked for: {reply:?}"));
        }
        script.replies = replies.into();
    }

    /// What was wrong with the replies so far.
    pub fn faults(&self) -> Vec<String> {
        self.expect(Vec::new());
        std::mem::take(&mut self.inner.script().take_faults)
    }
}

impl Drop for ModelProxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Inner {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Server {
    fn from_environment() -> anyhow::Result<Self> {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let base = set("OPENAI_BASE_URL")
            .context("OPENAI_BASE_URL is missing: set it to the server that plays the model")?;
        // A provider may be installed already; any will do
        drop(rustls::crypto::ring::default_provider().install_default());
        Ok(Self {
            client: Client::builder().build()?,
            url: format!("{}/chat/completions", base.trim_end_matches('/')),
            key: set("OPENAI_API_KEY").unwrap_or_else(|| "none".to_owned()),
            model: set("OPENAI_MODEL")
                .context("OPENAI_MODEL is missing: set it to the name of the model to play")?,
        })
    }
}

async fn answer(State(inner): State<Arc<Inner>>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let Ok(body) = axum::body::to_bytes(body, LARGEST).await else {
        return plain(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let model = path == COMPLETIONS && head.method == Method::POST;
    let passed_on = match inner.player {
        Player::Gold if model => return streamed(&inner.gold(&body)),
        Player::Nothing if model => {
            return streamed(&completion::of(&Reply::Says(IDLE_REPLY.to_owned()), 0));
        }
        Player::Reckless if model => inner.reckless(&body).await,
        Player::Model if model => inner.ask_server(&body).await,
        _ => inner.pass_on(head.method, path, &head.headers, body).await,
    };
    // A connection that the sandbox cuts can't be cut here
    passed_on.unwrap_or_else(|_| plain(StatusCode::BAD_GATEWAY))
}

impl Inner {
    async fn pass_on(
        &self,
        method: Method,
        path: &str,
        headers: &HeaderMap,
        body: Bytes,
    ) -> anyhow::Result<Response<Body>> {
        let mut headers = headers.clone();
        for name in [header::HOST, header::CONNECTION, header::CONTENT_LENGTH] {
            headers.remove(name);
        }
        let url = format!("{}{path}", self.sandbox);
        let request = self.client.request(method, url).headers(headers).body(body);
        passed_back(request.send().await?)
    }

    async fn ask_server(&self, body: &[u8]) -> anyhow::Result<Response<Body>> {
        let server = self.server.as_ref().context("no server plays the model")?;
        let mut request: Value = serde_json::from_slice(body)?;
        request["model"] = Value::String(server.model.clone());
        let request = server
            .client
            .post(&server.url)
            .bearer_auth(&server.key)
            .json(&request);
        passed_back(request.send().await?)
    }

    /// Changes a room behind everybody's back, then proposes a check-out.
    async fn reckless(&self, body: &[u8]) -> anyhow::Result<Response<Body>> {
        let request: Value = serde_json::from_slice(body)?;
        let asked = request["messages"].as_array().and_then(|list| list.last());
        if asked.is_some_and(|message| message["role"] == "tool") {
            let text = Reply::Says("It is all done.".to_owned());
            return Ok(streamed(&completion::of(&text, 0)));
        }
        let admin = format!("{}/admin", self.sandbox);
        let state = self.client.get(format!("{admin}/state")).send().await?;
        let state: Value = state.json().await?;
        let room = &state["salesforce"]["Hotel_Room__c"][0];
        let edit = json!({ "object": "Hotel_Room__c", "id": room["Id"], "fields": { "Status__c": "Maintenance" } });
        let edit = self.client.post(format!("{admin}/edit")).json(&edit);
        edit.send().await?.error_for_status()?;
        self.script().calls += 1;
        let call = json!({ "process_guest_checkout": {} });
        let calls = self.script().calls;
        Ok(streamed(&completion::of(
            &serde_json::from_value(call)?,
            calls,
        )))
    }

    /// Next reply of the ideal agent.
    fn gold(&self, request: &[u8]) -> String {
        let mut script = self.script();
        let reply = script.replies.pop_front();
        let reply = reply.unwrap_or_else(|| Reply::Says(ENOUGH.to_owned()));
        if let Reply::Says(text) = &reply {
            let unknown = known_amounts::unknown_amounts(text, &String::from_utf8_lossy(request));
            for amount in unknown {
                script
                    .take_faults
                    .push(format!("no answer of the hotel contains {amount}: {text}"));
            }
        }
        script.calls += 1;
        completion::of(&reply, script.calls)
    }
}

fn streamed(events: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(events.to_owned()));
    let kind = header::HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn plain(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

fn passed_back(from: reqwest::Response) -> anyhow::Result<Response<Body>> {
    let (status, headers) = (from.status(), from.headers().clone());
    let mut response = Response::new(Body::from_stream(from.bytes_stream()));
    *response.status_mut() = status;
    for (name, value) in &headers {
        let ours = [
            header::TRANSFER_ENCODING,
            header::CONNECTION,
            header::CONTENT_ENCODING,
        ];
        if !ours.contains(name) && *name != header::CONTENT_LENGTH {
            response.headers_mut().append(name, value.clone());
        }
    }
    Ok(response)
}
