//! Fault injection of the sandbox, controlled over HTTP: the sandbox may be another process.

use std::time::Duration;

use dewy_connectors::HttpTransport;
use dewy_domain::ports::{
    FaultInjectionError, FaultInjectionView, FaultSpec, HttpRequest, Transport,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

/// The sandbox answers only after a reset is written to disk.
const RESET_TIMEOUT: Duration = Duration::from_secs(10);

/// Admin API of a sandbox.
#[derive(Debug)]
pub(super) struct FaultInjectionClient {
    base: String,
    transport: HttpTransport,
}

#[derive(Debug, Deserialize)]
struct FaultResponse {
    system: String,
    operation: String,
    kind: String,
    count: u32,
    skip: u32,
    status: Option<u16>,
    ms: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Refused {
    error: String,
    field: String,
}

impl FaultInjectionClient {
    pub(super) fn new(base: &str) -> Self {
        Self {
            base: base.trim_end_matches('/').to_owned(),
            transport: HttpTransport::new(),
        }
    }

    /// Current settings.
    pub(super) async fn view(&self) -> Result<FaultInjectionView, FaultInjectionError> {
        let (faults, latency, seed) = tokio::join!(
            self.send_order::<Vec<FaultResponse>>("GET", "faults", None),
            self.send_order::<Value>("GET", "latency", None),
            self.send_order::<Value>("GET", "seed", None),
        );
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Ok(FaultInjectionView {
            faults: faults?.into_iter().map(FaultResponse::fault).collect(),
            latency: text(&latency?["profile"]).ok_or(FaultInjectionError::Silent)?,
            seed_day: text(&seed?["seed_day"]),
        })
    }

    pub(super) async fn order(&self, fault: &FaultSpec) -> Result<(), FaultInjectionError> {
        let FaultSpec {
            system,
            operation,
            kind,
            count,
            skip,
            status,
            ms,
        } = fault;
        let mut body = Map::new();
        for (name, value) in [
            ("system", json!(system)),
            ("operation", json!(operation)),
            ("kind", json!(kind)),
            ("count", json!(count)),
        ] {
            body.insert(name.to_owned(), value);
        }
        for (name, value) in [
            ("skip", json!(skip)),
            ("status", json!(status)),
            ("ms", json!(ms)),
        ] {
            if !value.is_null() {
                body.insert(name.to_owned(), value);
            }
        }
        self.send_order::<Value>("POST", "faults", Some(&Value::Object(body)))
            .await
            .map(drop)
    }

    pub(super) async fn clear_faults(&self) -> Result<u64, FaultInjectionError> {
        self.send_order::<Value>("DELETE", "faults", None).await?["removed"]
            .as_u64()
            .ok_or(FaultInjectionError::Silent)
    }

    pub(super) async fn latency(&self, profile: &str) -> Result<(), FaultInjectionError> {
        self.send_order::<Value>("POST", "latency", Some(&json!({ "profile": profile })))
            .await
            .map(drop)
    }

    pub(super) async fn reset(&self) -> Result<(), FaultInjectionError> {
        self.send_order::<Value>("POST", "reset", Some(&json!({})))
            .await
            .map(drop)
    }

    async fn send_order<T: DeserializeOwned>(
        &self,
        method: &str,
        what: &str,
        body: Option<&Value>,
    ) -> Result<T, FaultInjectionError> {
        let request = HttpRequest {
            method: method.to_owned(),
            url: format!("{}/admin/{what}", self.base),
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: body
                .map(|body| body.to_string().into_bytes())
                .unwrap_or_default(),
        };
        let answer = self
            .transport
            .send(request, RESET_TIMEOUT)
            .await
            .map_err(|error| {
                tracing::warn!(%error, what, "the sandbox's admin API does not answer");
                FaultInjectionError::Silent
            })?;
        match answer.status {
            200 => serde_json::from_slice(&answer.body).map_err(|_| FaultInjectionError::Silent),
            400 => Err(serde_json::from_slice::<Refused>(&answer.body)
                .map_or(FaultInjectionError::Silent, Refused::wrong)),
            _ => Err(FaultInjectionError::Silent),
        }
    }
}

impl FaultResponse {
    fn fault(self) -> FaultSpec {
        let Self {
            system,
            operation,
            kind,
            count,
            skip,
            status,
            ms,
        } = self;
        FaultSpec {
            system,
            operation,
            kind,
            count,
            skip,
            status,
            ms,
        }
    }
}

impl Refused {
    /// The field name is before the colon already; drop the duplicate.
    fn wrong(self) -> FaultInjectionError {
        let words = self
            .error
            .strip_prefix(&format!("{}: ", self.field))
            .unwrap_or(&self.error)
            .to_owned();
        FaultInjectionError::Wrong(self.field, words)
    }
}
