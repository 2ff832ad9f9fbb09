//! Outgoing webhook events.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use async_trait::async_trait;
use dewy_domain::ports::{HttpRequest, HttpResponse, Transport, TransportError};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use serde_json::Value;
use sha2::Sha256;

use crate::stripe::Delivery;

/// Signed event that an endpoint has not acknowledged yet.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingEvent {
    /// Id of the delivery; see [`Sandbox::acknowledge`](crate::Sandbox::acknowledge).
    pub id: String,
    pub event: Value,
    /// POST that delivers it, signed now.
    pub request: HttpRequest,
    pub attempts: u32,
    /// Time of the next attempt.
    pub next: Timestamp,
}

impl PendingEvent {
    /// Signs a delivery as Stripe does: `t=…,v1=HMAC-SHA256(secret, "t.body")`.
    pub(crate) fn new(delivery: Delivery, now: Timestamp) -> Self {
        let body = delivery.event.to_string();
        let seconds = now.as_second();
        let signature = sign(&delivery.secret, seconds, &body);
        let request = HttpRequest {
            method: "POST".to_owned(),
            url: delivery.url,
            headers: vec![
                (
                    "content-type".to_owned(),
                    "application/json; charset=utf-8".to_owned(),
                ),
                (
                    "stripe-signature".to_owned(),
                    format!("t={seconds},v1={signature}"),
                ),
                (
                    "user-agent".to_owned(),
                    "Stripe/1.0 (+https://stripe.com/docs/webhooks)".to_owned(),
                ),
            ],
            body: body.into_bytes(),
        };
        Self {
            id: delivery.id,
            event: delivery.event,
            request,
            attempts: delivery.attempts,
            next: delivery.next,
        }
    }
}

fn sign(secret: &str, seconds: i64, body: &str) -> String {
    match Hmac::<Sha256>::new_from_slice(secret.as_bytes()) {
        Ok(mut mac) => {
            mac.update(format!("{seconds}.{body}").as_bytes());
            hex::encode(mac.finalize().into_bytes())
        }
        Err(_) => String::new(),
    }
}

/// Sends events over real sockets. Reading the system's certificates is slow, so it waits for the
/// first address with TLS.
#[derive(Clone, Debug)]
pub struct WebhookTransport {
    plain: reqwest::Client,
    tls: Arc<OnceLock<Result<reqwest::Client, String>>>,
}

impl WebhookTransport {
    /// Client that follows no redirects, like Stripe.
    ///
    /// # Errors
    /// When TLS can't be initialized.
    pub fn new() -> Result<Self, reqwest::Error> {
        // Installing it a second time fails harmlessly.
        drop(rustls::crypto::ring::default_provider().install_default());
        Ok(Self {
            plain: client(reqwest::Client::builder().tls_certs_only([]))?,
            tls: Arc::default(),
        })
    }

    fn client(&self, url: &str) -> Result<&reqwest::Client, TransportError> {
        if url.starts_with("http:") {
            return Ok(&self.plain);
        }
        self.tls
            .get_or_init(|| client(reqwest::Client::builder()).map_err(|error| error.to_string()))
            .as_ref()
            .map_err(|error| TransportError::Connect(error.clone()))
    }
}

fn client(builder: reqwest::ClientBuilder) -> Result<reqwest::Client, reqwest::Error> {
    builder.redirect(reqwest::redirect::Policy::none()).build()
}

#[async_trait]
impl Transport for WebhookTransport {
    async fn send(
        &self,
        request: HttpRequest,
        deadline: Duration,
    ) -> Result<HttpResponse, TransportError> {
        let failed = |error: reqwest::Error| {
            if error.is_timeout() {
                TransportError::Timeout
            } else if error.is_connect() {
                TransportError::Connect(error.to_string())
            } else {
                TransportError::Broken(error.to_string())
            }
        };
        let method = reqwest::Method::from_bytes(request.method.as_bytes())
            .map_err(|error| TransportError::Connect(error.to_string()))?;
        let mut call = self
            .client(&request.url)?
            .request(method, &request.url)
            .timeout(deadline)
            .body(request.body);
        for (name, value) in &request.headers {
            call = call.header(name, value);
        }
        let answer = call.send().await.map_err(failed)?;
        let status = answer.status().as_u16();
        let headers = answer
            .headers()
            .iter()
            .map(|(name, value)| {
                (
                    name.to_string(),
                    String::from_utf8_lossy(value.as_bytes()).into_owned(),
                )
            })
            .collect();
        let body = answer.bytes().await.map_err(failed)?.to_vec();
        Ok(HttpResponse {
            status,
            headers,
            body,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::sign;

    #[test]
    fn the_signature_is_the_documented_hmac() {
        // printf '1.{}' | openssl dgst -sha256 -hmac whsec_x
        assert_eq!(
            sign("whsec_x", 1, "{}"),
            "36ee2f7498f0c1777d1312b2a7361947fe5ad31223be30d0c62421f4ca753401"
        );
    }
}
