//! Address of the client behind trusted proxies.
//!
//! ```text
//! X-Forwarded-For: 203.0.113.7, 10.0.0.4     peer 172.18.0.2
//!                  └─ the client             └─ each in TRUSTED_PROXIES: believed about the hop before it
//! ```
//! Only `X-Forwarded-For` is read. A proxy that writes it passes on a client's `Forwarded` unchanged,
//! so whoever reads both can be lied to.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::Response,
};
use http::{Extensions, HeaderMap};
use ipnet::IpNet;

/// Header that proxies append the address of their client to.
const HEADER: &str = "x-forwarded-for";
/// Longest chain of proxies that is followed.
const MAX_HOPS: usize = 32;

/// Networks whose proxies are believed about their clients.
#[derive(Clone, Debug)]
pub struct TrustedProxies {
    networks: Arc<[IpNet]>,
    warned: Arc<AtomicBool>,
}

impl PartialEq for TrustedProxies {
    fn eq(&self, other: &Self) -> bool {
        self.networks == other.networks
    }
}

impl Eq for TrustedProxies {}

impl Default for TrustedProxies {
    /// Trusts proxies on this machine.
    fn default() -> Self {
        Self::of([
            IpNet::V4(ipnet::Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8)),
            IpAddr::from(std::net::Ipv6Addr::LOCALHOST).into(),
        ])
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoNetwork(pub String);

impl fmt::Display for NoNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TrustedProxies {
    type Err = NoNetwork;

    /// Reads a list such as `127.0.0.1, 172.18.0.0/16, fd00::/8`.
    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let entries = text
            .split([',', ' '])
            .map(str::trim)
            .filter(|e| !e.is_empty());
        let networks: Result<Vec<IpNet>, NoNetwork> = entries.map(network).collect();
        Ok(Self::of(networks?))
    }
}

fn network(entry: &str) -> Result<IpNet, NoNetwork> {
    let parsed: Option<IpNet> = entry
        .parse()
        .ok()
        .or_else(|| entry.parse::<IpAddr>().ok().map(Into::into));
    let network = parsed
        .ok_or_else(|| NoNetwork(format!("{entry:?} is not a network such as 172.18.0.0/16")))?;
    if network.prefix_len() == 0 {
        return Err(NoNetwork(format!(
            "{entry:?} trusts everybody, so that anybody could name any address; give the proxies' own networks"
        )));
    }
    Ok(network)
}

impl TrustedProxies {
    fn of(networks: impl IntoIterator<Item = IpNet>) -> Self {
        Self {
            networks: networks.into_iter().collect(),
            warned: Arc::default(),
        }
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.networks
            .iter()
            .any(|network| network.contains(&address))
    }

    /// Address of the client: the last hop that no trusted proxy has.
    #[must_use]
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        let lines = headers.get_all(HEADER);
        let lines: Vec<&str> = lines
            .iter()
            .map(|v| v.to_str().unwrap_or_default())
            .collect();
        let hops = lines.iter().rev().flat_map(|line| line.rsplit(','));
        for hop in hops.take(MAX_HOPS) {
            if !self.trusts(client) {
                break;
            }
            // What can't be read was not written by the proxy, or hides the client: the proxy is the
            // last one known
            let Some(address) = address(hop.trim()) else {
                break;
            };
            client = address;
        }
        client
    }

    /// Warns once about a proxy nearby that is not trusted: all its clients look like one person.
    fn warn_about(&self, peer: IpAddr, headers: &HeaderMap) {
        let peer = peer.to_canonical();
        if headers.contains_key(HEADER)
            && is_near(peer)
            && !self.trusts(peer)
            && !self.warned.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(
                %peer,
                "a proxy sends X-Forwarded-For and is not trusted, so all its visitors count as one for rate limits; if it \
                 is yours, add its network to TRUSTED_PROXIES"
            );
        }
    }
}

/// Whether an address belongs to a private network or this machine, as proxies do.
fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(ip) => ip.is_private() || ip.is_loopback() || ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

/// Address of a hop; some proxies write its port as well.
fn address(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|hop| hop.strip_suffix(']'));
    let parsed = bare.unwrap_or(hop).parse::<IpAddr>();
    let address = parsed.or_else(|_| hop.parse::<SocketAddr>().map(|with_port| with_port.ip()));
    address.ok().map(|address| address.to_canonical())
}

/// In a request's extensions: the client's address.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// Address of the client of a request; unspecified outside of the server's routes.
    #[must_use]
    pub fn of(extensions: &Extensions) -> IpAddr {
        extensions
            .get::<Self>()
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |client| client.0)
    }
}

/// Finds out the client's address for the routes inside.
pub async fn mark_client_address(
    State(proxies): State<TrustedProxies>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>() {
        let peer = peer.ip();
        proxies.warn_about(peer, request.headers());
        let client = proxies.client(peer, request.headers());
        request.extensions_mut().insert(ClientAddress(client));
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &str, peer: &str, lines: &[&'static str]) -> String {
        let proxies: TrustedProxies = match trusted {
            "" => TrustedProxies::default(),
            trusted => trusted.parse().unwrap(),
        };
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(HEADER, http::HeaderValue::from_static(line));
        }
        proxies.client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let chain = ["198.51.100.1, 203.0.113.7"];
        for (trusted, peer, lines, right) in [
            ("", "127.0.0.1", &chain[..], "203.0.113.7"),
            ("", "::ffff:127.0.0.1", &chain, "203.0.113.7"),
            ("", "172.18.0.2", &chain, "172.18.0.2"),
            ("", "127.0.0.1", &[], "127.0.0.1"),
            ("172.18.0.0/16", "172.18.0.2", &chain, "203.0.113.7"),
            ("172.18.0.0/16", "127.0.0.1", &chain, "127.0.0.1"),
            // A chain of two; what the client itself wrote stays unread
            (
                "172.18.0.0/16 203.0.113.0/24",
                "172.18.0.2",
                &["10.9.9.9", "198.51.100.1, 203.0.113.7"],
                "198.51.100.1",
            ),
            // Nobody outside
            (
                "10.0.0.0/8",
                "10.0.0.1",
                &["10.0.0.3, 10.0.0.2"],
                "10.0.0.3",
            ),
            (
                "10.0.0.0/8",
                "10.0.0.1",
                &["198.51.100.1, unknown"],
                "10.0.0.1",
            ),
            (
                "10.0.0.0/8",
                "10.0.0.1",
                &["203.0.113.7:51200"],
                "203.0.113.7",
            ),
            ("fd00::/8", "fd00::1", &["[2001:db8::7]:443"], "2001:db8::7"),
            ("fd00::/8", "fd00::1", &["2001:db8::7"], "2001:db8::7"),
            (
                "10.0.0.1",
                "10.0.0.1",
                &["::ffff:203.0.113.7"],
                "203.0.113.7",
            ),
            ("10.0.0.1", "10.0.0.2", &["203.0.113.7"], "10.0.0.2"),
        ] {
            assert_eq!(
                client(trusted, peer, lines),
                right,
                "{trusted} {peer} {lines:?}"
            );
        }
    }

    #[test]
    fn a_list_of_everybody_or_of_names_is_refused() {
        for text in ["proxy", "10.0.0.0/33", "0.0.0.0/0", "127.0.0.1, ::/0"] {
            assert!(text.parse::<TrustedProxies>().is_err(), "{text}");
        }
    }
}
