//! One HTTP exchange with an outside system: reqwest in production, the in-memory sandbox in tests.

use std::time::Duration;

use async_trait::async_trait;

/// An HTTP request; `url` is absolute.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// `GET`, `POST`, `PATCH`, `DELETE`.
    pub method: String,
    /// Absolute URL, including the percent-encoded query string.
    pub url: String,
    /// Headers; names in lower case.
    pub headers: Vec<(String, String)>,
    /// Exact bytes of the body; empty for none.
    pub body: Vec<u8>,
}

/// Headers contain secrets, so they are never printed.
impl std::fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} {} ({} bytes)",
            self.method,
            self.url,
            self.body.len()
        )
    }
}

impl HttpRequest {
    /// Value of a header; `name` in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HttpResponse {
    pub status: u16,
    /// Headers; names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// Value of a header; `name` in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|(n, _)| n.eq_ignore_ascii_case(name))
        .map(|(_, v)| v.as_str())
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// No connection, so nothing was sent: definitely not applied.
    #[error("could not connect: {0}")]
    Connect(String),
    /// The deadline passed; the request may have been applied, or may yet be.
    #[error("no answer within the deadline")]
    Timeout,
    /// The connection broke after sending began; the request may have been applied.
    #[error("the connection broke: {0}")]
    Broken(String),
}

/// Sends one request and waits for the complete response.
#[async_trait]
pub trait Transport: Send + Sync + std::fmt::Debug {
    /// Sends the request. `deadline` covers connecting, sending and reading the whole body.
    ///
    /// # Errors
    /// Says whether the request can have been applied; see [`TransportError`].
    async fn send(
        &self,
        request: HttpRequest,
        deadline: Duration,
    ) -> Result<HttpResponse, TransportError>;
}
