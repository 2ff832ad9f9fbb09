//! Client with a bearer token that calls tools over REST.

use anyhow::ensure;
use serde_json::Value;

use super::http_connection::HttpConnection;

/// Client with one kept connection.
#[derive(Debug)]
pub struct Client {
    wire: HttpConnection,
    address: String,
    persona: &'static str,
    token: String,
}

impl Client {
    pub async fn open(address: &str, persona: &'static str, token: String) -> anyhow::Result<Self> {
        Ok(Self {
            wire: HttpConnection::open(address).await?,
            address: address.to_owned(),
            persona,
            token,
        })
    }

    /// Calls a tool; returns the answer's `data`. A writing tool needs a key.
    pub async fn call(
        &mut self,
        tool: &str,
        input: &Value,
        key: Option<&str>,
    ) -> anyhow::Result<Value> {
        let body = input.to_string();
        let key = key
            .map(|key| format!("Idempotency-Key: {key}\r\n"))
            .unwrap_or_default();
        let request = format!(
            "POST /api/{}/{tool} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             {key}Content-Length: {}\r\n\r\n{body}",
            self.persona,
            self.address,
            self.token,
            body.len()
        );
        let (status, answer) = self.wire.send(request.as_bytes()).await?;
        let text = String::from_utf8_lossy(answer);
        ensure!(matches!(status, 200 | 201), "{tool}: {status} {text}");
        Ok(serde_json::from_str::<Value>(&text)?["data"].take())
    }
}
