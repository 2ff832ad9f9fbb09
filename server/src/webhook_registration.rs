//! Where Stripe's events come from: who signs them, and, towards the sandbox, that we are told of
//! them at all.

use std::{sync::Arc, time::Duration};

use dewy_connectors::HttpTransport;
use dewy_domain::{
    installation::InstallationId,
    ports::{HttpRequest, HttpResponse, Transport},
};
use dewy_saga::StoreError;
use dewy_store::Store;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::web::{STRIPE_KINDS, STRIPE_PATH};

/// How long one exchange with the sandbox may take.
const DEADLINE: Duration = Duration::from_secs(5);
/// A sandbox of its own may be started after us.
const AGAIN: Duration = Duration::from_secs(3);

/// By which secret events are signed.
#[derive(Clone, Debug)]
pub enum Secrets {
    /// The operator's: `STRIPE_WEBHOOK_SECRET`.
    Given(SecretString),
    /// The sandbox's, kept in the store under this name when it was told.
    FormDraft {
        /// Where.
        store: Store,
        /// Under which name.
        name: String,
    },
}

impl Secrets {
    /// The one to verify with now; `None` while it is not known.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn current(&self) -> Result<Option<SecretString>, StoreError> {
        match self {
            Self::Given(secret) => Ok(Some(secret.clone())),
            Self::FormDraft { store, name } => Ok(store
                .get_fact(name)
                .await?
                .and_then(|kept| kept["secret"].as_str().map(SecretString::from))),
        }
    }
}

/// Our webhook endpoint at the sandbox.
#[derive(Clone, Debug)]
pub struct Endpoint {
    store: Store,
    sandbox: String,
    url: String,
    transport: Arc<dyn Transport>,
}

impl Endpoint {
    /// The sandbox is on this machine, so it is told the address we listen at, not the one people
    /// see.
    #[must_use]
    pub fn new(store: Store, sandbox: &str, address: std::net::SocketAddr) -> Self {
        let host = if address.ip().is_unspecified() {
            "127.0.0.1".to_owned()
        } else {
            address.ip().to_string()
        };
        let host = if address.is_ipv6() && host.contains(':') {
            format!("[{host}]")
        } else {
            host
        };
        Self {
            store,
            sandbox: sandbox.to_owned(),
            url: format!("http://{host}:{}{STRIPE_PATH}", address.port()),
            transport: Arc::new(HttpTransport::new()),
        }
    }

    /// Where its secret will be.
    #[must_use]
    pub fn secrets(&self) -> Secrets {
        Secrets::FormDraft {
            store: self.store.clone(),
            name: self.name(),
        }
    }

    fn name(&self) -> String {
        format!("stripe_webhook:{}", self.url)
    }

    /// Registers it, as often as that takes.
    pub async fn keep(self, stopping: CancellationToken) {
        while let Err(why) = self.settle().await {
            tracing::warn!(why, "the sandbox's webhook is not registered yet");
            tokio::select! {
                biased;
                () = stopping.cancelled() => return,
                () = tokio::time::sleep(AGAIN) => {}
            }
        }
    }

    /// Registers it, unless the sandbox still has the one whose secret we keep.
    ///
    /// # Errors
    /// Why it is not registered.
    pub async fn settle(&self) -> Result<(), String> {
        let kept = self
            .store
            .get_fact(&self.name())
            .await
            .map_err(|e| e.to_string())?;
        let endpoints = self.call("GET", "?limit=100", "").await?;
        let endpoints = endpoints["data"].as_array().cloned().unwrap_or_default();
        let ours = endpoints.iter().filter(|e| e["url"] == self.url.as_str());
        let mut known = false;
        for endpoint in ours {
            let id = endpoint["id"].as_str().unwrap_or_default();
            if kept.as_ref().is_some_and(|kept| kept["id"] == id) {
                known = true;
            } else {
                // Of another store at this address: its secret is lost, and its events could not be
                // believed.
                self.call("DELETE", &format!("/{id}"), "").await?;
            }
        }
        if known {
            return Ok(());
        }
        let installation = self
            .store
            .known_installation()
            .await
            .map_err(|e| e.to_string())?;
        let made = self.call("POST", "", &self.wish(installation)).await?;
        let fact = json!({ "id": made["id"], "secret": made["secret"] });
        if !fact["secret"].is_string() {
            return Err("the sandbox gave no secret".to_owned());
        }
        self.store
            .put_fact(&self.name(), &fact)
            .await
            .map_err(|e| e.to_string())
    }

    fn wish(&self, installation: Option<InstallationId>) -> String {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("url", &self.url);
        for (n, kind) in STRIPE_KINDS.iter().enumerate() {
            form.append_pair(&format!("enabled_events[{n}]"), kind);
        }
        if let Some(id) = installation {
            form.append_pair("metadata[installation_id]", &id.to_string());
        }
        form.finish()
    }

    async fn call(&self, method: &str, rest: &str, body: &str) -> Result<Value, String> {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let request = HttpRequest {
            method: method.to_owned(),
            url: format!("{}/v1/webhook_endpoints{rest}", self.sandbox),
            headers: vec![
                header("authorization", "Bearer sk_test_sandbox"),
                header("content-type", "application/x-www-form-urlencoded"),
            ],
            body: body.as_bytes().to_vec(),
        };
        let HttpResponse { status, body, .. } = self
            .transport
            .send(request, DEADLINE)
            .await
            .map_err(|e| e.to_string())?;
        if status != 200 {
            return Err(format!("{method} answered {status}"));
        }
        serde_json::from_slice(&body).map_err(|e| e.to_string())
    }
}
