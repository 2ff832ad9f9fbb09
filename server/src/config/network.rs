//! Networks, as limits count them.

use std::{fmt, net::IpAddr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Network of one home or company: an IPv4 address, or an IPv6 /64.
    #[must_use]
    pub fn of(ip: IpAddr) -> Self {
        Self::with_prefixes(ip, 32, 64)
    }

    /// What one customer of a provider can have: an IPv4 /24, or an IPv6 /48.
    #[must_use]
    pub fn region_of(ip: IpAddr) -> Self {
        Self::with_prefixes(ip, 24, 48)
    }

    fn with_prefixes(ip: IpAddr, v4: u8, v6: u8) -> Self {
        let network: IpNet = match ip.to_canonical() {
            IpAddr::V4(ip) => Ipv4Net::new_assert(ip, v4).into(),
            IpAddr::V6(ip) => Ipv6Net::new_assert(ip, v6).into(),
        };
        Self(network.trunc())
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_of_one_network_count_as_one() {
        let of = |ip: &str| Network::of(ip.parse().unwrap()).to_string();
        let region = |ip: &str| Network::region_of(ip.parse().unwrap()).to_string();
        assert_eq!(of("203.0.113.7"), "203.0.113.7/32");
        assert_eq!(of("::ffff:203.0.113.7"), "203.0.113.7/32");
        assert_eq!(of("2001:db8:1:2:3::4"), "2001:db8:1:2::/64");
        assert_eq!(region("203.0.113.7"), "203.0.113.0/24");
        assert_eq!(region("2001:db8:1:2:3::4"), "2001:db8:1::/48");
    }
}
