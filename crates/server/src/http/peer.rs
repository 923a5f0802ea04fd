//! Where a request comes from, for limits.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;

const FORWARDED_FOR: &str = "x-forwarded-for";
/// Bytes of an IPv6 address that one customer of a network commonly has to himself: 48 bits.
const IPV6_PREFIX_BYTES: usize = 6;

/// The client's network: the first 24 bits of an IPv4 address, the first 48 of an IPv6 one.
pub(super) fn prefix(peer: SocketAddr, headers: &HeaderMap, hops: usize) -> String {
    match client(peer, headers, hops).to_canonical() {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(address) => {
            let mut octets = address.octets();
            octets[IPV6_PREFIX_BYTES..].fill(0);
            format!("{}/48", Ipv6Addr::from(octets))
        }
    }
}

/// The client's address. Only entries that our own proxies wrote are believed: the last `hops`, counted from the right. What
/// stands before them was written by whoever asks.
fn client(peer: SocketAddr, headers: &HeaderMap, hops: usize) -> IpAddr {
    let Some(back) = hops.checked_sub(1) else { return peer.ip() };
    let lines = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
    let entries: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    let entry = entries.len().checked_sub(1 + back).and_then(|at| entries.get(at));
    entry.and_then(|entry| entry.parse().ok()).unwrap_or_else(|| peer.ip())
}

/// Whether a request comes from this machine itself, through no proxy.
pub(super) fn is_local(peer: SocketAddr, headers: &HeaderMap) -> bool {
    peer.ip().to_canonical().is_loopback() && !headers.contains_key(FORWARDED_FOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED_FOR, axum::http::HeaderValue::from_static(line));
        }
        headers
    }

    /// An attacker who could choose his own prefix would have no limit at all.
    #[test]
    fn a_client_cannot_choose_the_network_that_it_is_counted_under() {
        let peer: SocketAddr = "203.0.113.9:1000".parse().unwrap();
        let forged = headers(&["9.9.9.9, 198.51.100.7"]);
        assert_eq!(prefix(peer, &forged, 0), "203.0.113.0/24");
        assert_eq!(prefix(peer, &forged, 1), "198.51.100.0/24");
        let two = headers(&["9.9.9.9", "198.51.100.7, 192.0.2.1"]);
        assert_eq!(prefix(peer, &two, 2), "198.51.100.0/24");
        for short in [headers(&[]), headers(&["198.51.100.7"]), headers(&["x, y"])] {
            assert_eq!(prefix(peer, &short, 2), "203.0.113.0/24");
        }
    }

    #[test]
    fn one_household_is_one_network_however_it_is_written() {
        let of = |text: &str| prefix(text.parse().unwrap(), &HeaderMap::new(), 0);
        assert_eq!(of("[2001:db8:1:2::3]:1"), "2001:db8:1::/48");
        assert_eq!(of("[::ffff:203.0.113.9]:1"), "203.0.113.0/24");
    }
}
