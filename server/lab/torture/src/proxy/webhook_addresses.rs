//! Webhook events: the webhook is registered under the proxy's address, while the hotel sees its
//! own.

use std::{
    collections::BTreeMap,
    io,
    net::{SocketAddr, TcpListener as StdListener},
    sync::Arc,
};

use tokio::{net::TcpListener, task::JoinSet};
use url::form_urlencoded;

use super::{Message, Shared, accept};

/// Path where webhooks are registered and listed.
pub(super) const ENDPOINTS: &str = "/v1/webhook_endpoints";

/// Proxy addresses in front of the hotels' addresses.
#[derive(Debug, Default)]
pub(super) struct WebhookAddresses {
    /// Proxy addresses by hotel address.
    before: BTreeMap<SocketAddr, SocketAddr>,
    tasks: JoinSet<()>,
}

impl WebhookAddresses {
    /// Proxy address for this hotel; starts listening on first use.
    pub(super) fn before(
        &mut self,
        hotel: SocketAddr,
        shared: &Arc<Shared>,
    ) -> io::Result<SocketAddr> {
        if let Some(ours) = self.before.get(&hotel) {
            return Ok(*ours);
        }
        let listener = StdListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let ours = listener.local_addr()?;
        self.tasks.spawn(accept(
            TcpListener::from_std(listener)?,
            hotel,
            Arc::clone(shared),
        ));
        self.before.insert(hotel, ours);
        Ok(ours)
    }

    /// Replaces proxy addresses in a response with the hotels' addresses.
    pub(super) fn hide(&self, answered: &mut Message) {
        let mut body = String::from_utf8_lossy(&answered.body).into_owned();
        for (hotel, ours) in &self.before {
            body = body.replace(&ours.to_string(), &hotel.to_string());
        }
        answered.body = body.into_bytes();
    }

    /// Stops listening.
    pub(super) fn close(&mut self) {
        self.tasks.abort_all();
    }
}

/// Address of the hotel that registers its webhook with this request.
pub(super) fn address(request: &Message) -> Option<SocketAddr> {
    let mut fields = form_urlencoded::parse(&request.body);
    let url = fields
        .find(|(name, _)| name == "url")
        .map(|(_, url)| url.into_owned())?;
    url.strip_prefix("http://")?.split('/').next()?.parse().ok()
}

/// Registers the proxy's address instead.
pub(super) fn redirect(request: &mut Message, hotel: SocketAddr, ours: SocketAddr) {
    let [hotel, ours] = [hotel, ours].map(|address| address.to_string());
    let fields = form_urlencoded::parse(&request.body)
        .map(|(name, value)| (name.into_owned(), value.replace(&hotel, &ours)));
    let body = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields.collect::<Vec<_>>())
        .finish();
    request.body = body.into_bytes();
}
