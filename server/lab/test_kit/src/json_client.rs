//! JSON over HTTP, to the sandbox and to the hotel.

use std::time::Duration;

use anyhow::{Context, ensure};
use dewy_connectors::HttpTransport;
use dewy_domain::ports::{HttpRequest, Transport};
use serde_json::{Value, json};
use url::form_urlencoded;

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

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
        let mut headers = vec![("accept", "application/json, text/event-stream")];
        headers.extend(body.map(|_| ("content-type", JSON)));
        if url.contains("/mcp/") {
            headers.push(("mcp-protocol-version", "2025-06-18"));
        }
        let body = body.map(ToString::to_string).unwrap_or_default();
        self.exchange(method, url, bearer, &headers, body, deadline)
            .await
    }

    async fn exchange(
        &self,
        method: &str,
        url: &str,
        bearer: &str,
        headers: &[(&str, &str)],
        body: String,
        deadline: Duration,
    ) -> anyhow::Result<(u16, Value)> {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut headers: Vec<_> = headers.iter().map(own).collect();
        if !bearer.is_empty() {
            headers.push(("authorization".to_owned(), format!("Bearer {bearer}")));
        }
        let request = HttpRequest {
            method: method.to_owned(),
            url: url.to_owned(),
            headers,
            body: body.into_bytes(),
        };
        let answer = self.0.send(request, deadline).await?;
        let body = serde_json::from_slice(&answer.body);
        Ok((answer.status, body.unwrap_or(Value::Null)))
    }

    /// Like `send`, but anything except success is an error.
    pub async fn send_successfully(
        &self,
        method: &str,
        url: &str,
        bearer: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Value> {
        let sent = self.send(method, url, bearer, body, Duration::from_secs(30));
        let (status, body) = sent.await?;
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
        let mut headers = vec![("content-type", FORM)];
        if !key.is_empty() {
            headers.push(("idempotency-key", key));
        }
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let deadline = Duration::from_secs(10);
        self.exchange("POST", url, bearer, &headers, body, deadline)
            .await
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
        let (url, deadline) = (format!("{base}/mcp/staff"), Duration::from_secs(20));
        let sent = self.send("POST", &url, bearer, Some(&message), deadline);
        let (status, body) = sent.await?;
        let result = &body["result"]["structuredContent"];
        ensure!(status == 200 && result.is_object(), "{status} {body}");
        Ok(result.clone())
    }

    /// Session at the sandbox's Salesforce, as another program of the hotel would have.
    pub async fn session(&self, sandbox: &str) -> anyhow::Result<String> {
        let fields = [
            ("grant_type", "client_credentials"),
            ("client_id", "front-office"),
            ("client_secret", "sandbox"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let url = format!("{sandbox}/services/oauth2/token");
        let (_, body) = self.form(&url, "", "", &fields).await?;
        let token = body["access_token"].as_str();
        token.map(str::to_owned).context("no session")
    }
}
