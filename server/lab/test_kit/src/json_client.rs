//! JSON over HTTP, to the sandbox and to the hotel.

use std::time::Duration;

use anyhow::{Context, ensure};
use dewy_connectors::HttpTransport;
use dewy_domain::ports::{HttpRequest, Transport};
use serde_json::{Value, json};
use url::form_urlencoded;

/// Client; cheap to clone, clones share connections.
#[derive(Clone, Debug, Default)]
pub struct JsonClient(HttpTransport);

impl JsonClient {
    /// Sends a request and returns status and body; `Err` without a complete response.
    pub async fn send(
        &self,
        method: &str,
        url: &str,
        bearer: &str,
        body: Option<&Value>,
        deadline: Duration,
    ) -> anyhow::Result<(u16, Value)> {
        let mut headers = vec![(
            "accept".to_owned(),
            "application/json, text/event-stream".to_owned(),
        )];
        if !bearer.is_empty() {
            headers.push(("authorization".to_owned(), format!("Bearer {bearer}")));
        }
        if body.is_some() {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        if url.contains("/mcp/") {
            headers.push(("mcp-protocol-version".to_owned(), "2025-06-18".to_owned()));
        }
        let body = body.map(|b| b.to_string().into_bytes()).unwrap_or_default();
        let request = HttpRequest {
            method: method.to_owned(),
            url: url.to_owned(),
            headers,
            body,
        };
        let answer = self.0.send(request, deadline).await?;
        Ok((
            answer.status,
            serde_json::from_slice(&answer.body).unwrap_or(Value::Null),
        ))
    }

    /// Like `send`, but anything except success is an error.
    pub async fn send_successfully(
        &self,
        method: &str,
        url: &str,
        bearer: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Value> {
        let (status, body) = self
            .send(method, url, bearer, body, Duration::from_secs(30))
            .await?;
        ensure!(
            (200..300).contains(&status),
            "{method} {url}: {status} {body}"
        );
        Ok(body)
    }

    /// Posts a form; key and bearer token are sent unless they are empty.
    pub async fn form(
        &self,
        url: &str,
        bearer: &str,
        key: &str,
        fields: &[(String, String)],
    ) -> anyhow::Result<(u16, Value)> {
        let mut headers = vec![(
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned(),
        )];
        if !bearer.is_empty() {
            headers.push(("authorization".to_owned(), format!("Bearer {bearer}")));
        }
        if !key.is_empty() {
            headers.push(("idempotency-key".to_owned(), key.to_owned()));
        }
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish()
            .into_bytes();
        let request = HttpRequest {
            method: "POST".to_owned(),
            url: url.to_owned(),
            headers,
            body,
        };
        let answer = self.0.send(request, Duration::from_secs(10)).await?;
        Ok((
            answer.status,
            serde_json::from_slice(&answer.body).unwrap_or(Value::Null),
        ))
    }

    /// Calls a staff tool; returns its structured result.
    pub async fn tool(
        &self,
        base: &str,
        bearer: &str,
        tool: &str,
        arguments: &Value,
    ) -> anyhow::Result<Value> {
        let params = json!({ "name": tool, "arguments": arguments });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let url = format!("{base}/mcp/staff");
        let (status, body) = self
            .send(
                "POST",
                &url,
                bearer,
                Some(&message),
                Duration::from_secs(20),
            )
            .await?;
        let result = &body["result"]["structuredContent"];
        ensure!(status == 200 && result.is_object(), "{status} {body}");
        Ok(result.clone())
    }

    /// Session at the sandbox's Salesforce, as another program of the hotel would have.
    pub async fn session(&self, sandbox: &str) -> anyhow::Result<String> {
        let request = HttpRequest {
            method: "POST".to_owned(),
            url: format!("{sandbox}/services/oauth2/token"),
            headers: vec![(
                "content-type".to_owned(),
                "application/x-www-form-urlencoded".to_owned(),
            )],
            body: b"grant_type=client_credentials&client_id=front-office&client_secret=sandbox"
                .to_vec(),
        };
        let answer = self.0.send(request, Duration::from_secs(10)).await?;
        let body: Value = serde_json::from_slice(&answer.body)?;
        body["access_token"]
            .as_str()
            .map(str::to_owned)
            .context("no session")
    }
}
