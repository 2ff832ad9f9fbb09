//! Production transport: reqwest, with pooled connections per host.

use std::{
    error::Error,
    sync::{Arc, OnceLock},
    time::Duration,
};

use async_trait::async_trait;
use dewy_domain::ports::{HttpRequest, HttpResponse, Transport, TransportError};
use reqwest::{Client, Method, redirect::Policy};
use url::{Host, Url};

/// Connection timeout. A host that accepts no connection within this time counts as down; the rest
/// of the deadline is better spent elsewhere.
const CONNECT: Duration = Duration::from_secs(2);

/// Sends over HTTP/1.1 or HTTP/2, with or without TLS. Follows no redirects (a write must not be
/// rerouted), and uses no proxy to reach this machine.
#[derive(Clone, Debug, Default)]
pub struct HttpTransport {
    clients: Arc<Clients>,
}

/// Built on first use: a machine without root certificates can still reach its own sandbox.
#[derive(Debug, Default)]
struct Clients {
    outside: OnceLock<Result<Client, String>>,
    loopback: OnceLock<Result<Client, String>>,
    loopback_tls: OnceLock<Result<Client, String>>,
}

impl HttpTransport {
    /// Creates a transport with empty pools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn client(&self, url: &Url) -> Result<&Client, TransportError> {
        let client = match (is_loopback(url), url.scheme()) {
            (true, "http") => self
                .clients
                .loopback
                .get_or_init(|| build(Client::builder().no_proxy().tls_certs_only([]))),
            (true, _) => self
                .clients
                .loopback_tls
                .get_or_init(|| build(Client::builder().no_proxy())),
            (false, _) => self
                .clients
                .outside
                .get_or_init(|| build(Client::builder())),
        };
        client
            .as_ref()
            .map_err(|reason| TransportError::Connect(reason.clone()))
    }
}

#[async_trait]
impl Transport for HttpTransport {
    async fn send(
        &self,
        request: HttpRequest,
        deadline: Duration,
    ) -> Result<HttpResponse, TransportError> {
        let url = Url::parse(&request.url).map_err(|e| TransportError::Connect(e.to_string()))?;
        let method = Method::from_bytes(request.method.as_bytes())
            .map_err(|e| TransportError::Connect(e.to_string()))?;
        let mut sending = self
            .client(&url)?
            .request(method, url)
            .timeout(deadline)
            .body(request.body);
        for (name, value) in &request.headers {
            sending = sending.header(name, value);
        }
        let response = sending.send().await.map_err(|e| classify(&e))?;
        let status = response.status().as_u16();
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let headers = response
            .headers()
            .iter()
            .map(|(n, v)| (n.as_str().to_owned(), text(v.as_bytes())))
            .collect();
        let body = response.bytes().await.map_err(|e| match classify(&e) {
            TransportError::Connect(reason) => TransportError::Broken(reason),
            other => other,
        })?;
        Ok(HttpResponse {
            status,
            headers,
            body: body.to_vec(),
        })
    }
}

/// `Connect` only where it is certain that no byte of the request was sent.
fn classify(error: &reqwest::Error) -> TransportError {
    if error.is_builder() || error.is_connect() {
        TransportError::Connect(reasons(error))
    } else if error.is_timeout() {
        TransportError::Timeout
    } else {
        TransportError::Broken(reasons(error))
    }
}

/// The innermost reason, without the URL: a query string may contain an email.
pub(crate) fn reasons(error: &reqwest::Error) -> String {
    let mut reason: &dyn Error = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    if reason.is::<reqwest::Error>() {
        "the request could not be built".to_owned()
    } else {
        reason.to_string()
    }
}

/// Separate client for that address, for libraries that implement HTTP calls themselves.
pub(crate) fn client_for(url: &Url) -> Result<Client, String> {
    let builder = if is_loopback(url) {
        Client::builder().no_proxy()
    } else {
        Client::builder()
    };
    let bare = is_loopback(url) && url.scheme() == "http";
    build(if bare {
        builder.tls_certs_only([])
    } else {
        builder
    })
}

fn build(builder: reqwest::ClientBuilder) -> Result<Client, String> {
    // A provider may be installed already; any will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    builder
        .connect_timeout(CONNECT)
        .redirect(Policy::none())
        .tcp_nodelay(true)
        .pool_idle_timeout(Duration::from_secs(60))
        .build()
        .map_err(|e| e.to_string())
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
