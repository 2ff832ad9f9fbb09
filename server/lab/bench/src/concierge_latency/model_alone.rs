//! Model without the concierge: the same questions, sent directly to its endpoint.

use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use dewy_domain::{
    caller::{Caller, Interface},
    tool_catalog,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::QUESTION;

const INSTRUCTIONS: &str = include_str!("../../../../concierge/prompts/guest.md");

/// Kept connection to it, and the conversation so far.
#[derive(Debug)]
pub struct Model {
    stream: TcpStream,
    address: String,
    tools: Value,
    messages: Vec<Value>,
}

impl Model {
    /// Opens the connection.
    pub async fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)
            .await
            .with_context(|| format!("nobody listens at {address}"))?;
        stream.set_nodelay(true)?;
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
        let tools = tool_catalog::for_caller(&guest).into_iter().map(|tool| {
            let schema = tool.chat_schema(guest.persona);
            let function =
                json!({ "name": tool.name, "description": tool.description, "parameters": schema });
            json!({ "type": "function", "function": function })
        });
        let messages = vec![json!({ "role": "system", "content": INSTRUCTIONS })];
        Ok(Self {
            stream,
            address: address.to_owned(),
            tools: tools.collect(),
            messages,
        })
    }

    /// Asks once, and reads the whole answer; returns the time to its first word.
    pub async fn ask(&mut self, number: usize) -> anyhow::Result<Duration> {
        let started = Instant::now();
        self.messages
            .push(json!({ "role": "user", "content": QUESTION }));
        let body = json!({ "model": "dewy-offline", "stream": true, "stream_options": { "include_usage": true },
            "messages": self.messages, "tools": self.tools, "user": format!("question-{number}") })
        .to_string();
        let head = format!(
            "POST /v1/chat/completions HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer offline\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        self.stream.write_all(head.as_bytes()).await?;
        self.stream.write_all(body.as_bytes()).await?;
        let (mut read, mut first) = (Vec::with_capacity(16 * 1024), None);
        while !read.ends_with(b"0\r\n\r\n") {
            if self.stream.read_buf(&mut read).await? == 0 {
                bail!(
                    "the model's connection was closed: {}",
                    String::from_utf8_lossy(&read)
                );
            }
            if first.is_none() && !answer_text(&read).is_empty() {
                first = Some(started.elapsed());
            }
        }
        let answer = answer_text(&read);
        ensure!(
            !answer.is_empty(),
            "it did not answer in words: {}",
            String::from_utf8_lossy(&read)
        );
        self.messages
            .push(json!({ "role": "assistant", "content": answer }));
        first.context("no first word")
    }
}

/// Text of the complete events so far.
fn answer_text(read: &[u8]) -> String {
    let text = String::from_utf8_lossy(read);
    let complete = text
        .rsplit_once("\n\n")
        .map_or("", |(complete, _)| complete);
    let events = complete
        .lines()
        .filter_map(|line| line.strip_prefix("data: "));
    let chunks = events.filter_map(|data| serde_json::from_str::<Value>(data).ok());
    chunks
        .filter_map(|chunk| {
            chunk["choices"][0]["delta"]["content"]
                .as_str()
                .map(str::to_owned)
        })
        .collect()
}
