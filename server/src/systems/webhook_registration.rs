//! Webhook endpoint: the signing secret, and its registration with the sandbox.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use dewy_connectors::HttpTransport;
use dewy_domain::{
    installation_id::InstallationId,
    ports::{HttpRequest, HttpResponse, Transport},
};
use dewy_saga::StoreError;
use dewy_store::Store;
use secrecy::SecretString;
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// Path registered with Stripe.
pub const STRIPE_PATH: &str = "/webhooks/stripe";
/// Event types that may concern an execution, or the account.
pub const STRIPE_EVENT_TYPES: [&str; 16] = [
    "payment_intent.succeeded",
    "payment_intent.payment_failed",
    "payment_intent.requires_action",
    "payment_intent.processing",
    "payment_intent.canceled",
    "charge.refunded",
    "charge.refund.updated",
    "refund.created",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.closed",
    "charge.dispute.funds_withdrawn",
    "radar.early_fraud_warning.created",
    "payout.failed",
    "account.updated",
];
/// Timeout of one request to the sandbox.
const DEADLINE: Duration = Duration::from_secs(5);
/// A standalone sandbox may start after this process.
const RETRY_DELAY: Duration = Duration::from_secs(3);

/// Source of the signing secret.
#[derive(Clone, Debug)]
pub enum WebhookSecrets {
    /// Set by the operator: `STRIPE_WEBHOOK_SECRET`.
    Given(SecretString),
    /// Issued by the sandbox, kept in the store under this name.
    Stored {
        store: Store,
        /// Setting that holds the secret.
        name: String,
    },
}

impl WebhookSecrets {
    /// Current secret; `None` while it is unknown.
    pub async fn current(&self) -> Result<Option<SecretString>, StoreError> {
        match self {
            Self::Given(secret) => Ok(Some(secret.clone())),
            Self::Stored { store, name } => Ok(store
                .get_json(name)
                .await?
                .and_then(|fact| Registered::deserialize(fact).ok())
                .map(|registered| SecretString::from(registered.secret))),
        }
    }
}

/// A created endpoint, as the sandbox answers and the store keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct Registered {
    id: String,
    secret: String,
}

/// The registered endpoints.
#[derive(Debug, Deserialize)]
struct List {
    data: Vec<Listed>,
}

/// One of them; its secret is not shown again.
#[derive(Debug, Deserialize)]
struct Listed {
    id: String,
    url: String,
    enabled_events: Vec<String>,
}

impl Listed {
    /// Whether it gets the events of this release.
    fn is_current(&self) -> bool {
        let enabled: Vec<&str> = self.enabled_events.iter().map(String::as_str).collect();
        enabled == STRIPE_EVENT_TYPES
    }
}

/// Address at which a process on this machine reaches the server.
pub(crate) fn local_url(mut address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        address.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    format!("http://{address}")
}

#[derive(Clone, Debug)]
pub struct SandboxWebhookEndpoint {
    store: Store,
    sandbox: String,
    url: String,
    transport: Arc<dyn Transport>,
}

impl SandboxWebhookEndpoint {
    /// The sandbox runs on this machine, so it gets the listening address rather than the public
    /// one.
    #[must_use]
    pub fn new(store: Store, sandbox: &str, address: SocketAddr) -> Self {
        Self {
            store,
            sandbox: sandbox.to_owned(),
            url: format!("{}{STRIPE_PATH}", local_url(address)),
            transport: Arc::new(HttpTransport::new()),
        }
    }

    /// Source of its secret.
    #[must_use]
    pub fn secrets(&self) -> WebhookSecrets {
        WebhookSecrets::Stored {
            store: self.store.clone(),
            name: self.name(),
        }
    }

    fn name(&self) -> String {
        format!("stripe_webhook:{}", self.url)
    }

    /// Registers the endpoint, retrying until it succeeds.
    pub async fn run_loop(self, stopping: CancellationToken) {
        while let Err(why) = self.ensure_registered().await {
            tracing::warn!(why, "the sandbox's webhook is not registered yet");
            tokio::select! {
                biased;
                () = stopping.cancelled() => return,
                () = tokio::time::sleep(RETRY_DELAY) => {}
            }
        }
    }

    /// Registers the endpoint, unless the sandbox still has the one whose secret is stored.
    ///
    /// # Errors
    /// The reason why it isn't registered.
    pub async fn ensure_registered(&self) -> Result<(), String> {
        let stored = self
            .store
            .get_json(&self.name())
            .await
            .map_err(|e| e.to_string())?
            .and_then(|fact| Registered::deserialize(fact).ok());
        let endpoints: List = self.call("GET", "?limit=100", "").await?;
        let mut known = false;
        for endpoint in endpoints.data.iter().filter(|e| e.url == self.url) {
            if stored
                .as_ref()
                .is_some_and(|stored| stored.id == endpoint.id && endpoint.is_current())
            {
                known = true;
            } else {
                // Of another store at this address: its secret is lost, so its events could not be
                // verified. Or of an older release, which needed fewer events.
                let _: IgnoredAny = self
                    .call("DELETE", &format!("/{}", endpoint.id), "")
                    .await?;
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
        let registered: Registered = self
            .call("POST", "", &self.registration_request(installation))
            .await?;
        self.store
            .put_json(&self.name(), &json!(registered))
            .await
            .map_err(|e| e.to_string())
    }

    fn registration_request(&self, installation: Option<InstallationId>) -> String {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("url", &self.url);
        for (n, kind) in STRIPE_EVENT_TYPES.iter().enumerate() {
            form.append_pair(&format!("enabled_events[{n}]"), kind);
        }
        if let Some(id) = installation {
            form.append_pair("metadata[installation_id]", &id.to_string());
        }
        form.finish()
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        rest: &str,
        body: &str,
    ) -> Result<T, String> {
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
