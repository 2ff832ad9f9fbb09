//! Parts of the guest home page, each by the difference of two requests that differ in it, beside
//! pages of the same size that do nothing else.
//!
//! ```text
//! http         GET  /api/guest/get_folio                405 before anything is read
//! session      GET  /guest/execution/none/events        404 behind the session           − http
//! record       POST /api/guest/get_folio, no JSON       400, in the audit log            − the same, no token known
//! data         POST /api/guest/{the tool for stays}     the answer                       − record's
//! render       GET  /guest                              the page                         − all of the above
//! compression  GET  /guest, Accept-Encoding: gzip       the page                         − without
//! ```
//! The page reads Salesforce in one exchange that no tool makes; a call that reads the guest's stays stands for it. What
//! that exchange reads besides (requests, folios), and what the page reads of our own store, counts as rendering.

use std::{path::Path, time::Duration};

use serde_json::json;

use super::{
    BUSY_CONNECTIONS, WARM_UP, load, open_sides,
    other_frameworks::{Kind, Peer},
    visitor::{self, Visitor},
};
use crate::support::test_server::{TestServer, processor_time};

/// Call that stands for the page's exchange, and what its answer contains.
const STAYS: (&str, &str, &str) = (
    "search_rooms_on_behalf_of_guest",
    r#"{"filter":"all","limit":100}"#,
    "BK-0042",
);

/// Measures and prints both sides, then the peers.
pub async fn measure(lasts: Duration, beside: Option<&Path>) -> anyhow::Result<()> {
    let mut bytes = 0;
    for (side, house) in open_sides(beside).await? {
        bytes = of(side, &house, lasts).await?;
        house.close();
    }
    for kind in [Kind::Leptos, Kind::Maud] {
        let peer = Peer::start(kind, bytes).await?;
        let page = Visitor {
            name: "peer",
            head: format!("GET / HTTP/1.1\r\nHost: {}\r\n", peer.address),
            body: String::new(),
            status: 200,
            sign: "</html>",
            bytes,
        };
        let used = || processor_time(peer.id).unwrap_or_default();
        let cost = cost(&peer.address, &page, lasts, used).await?;
        println!("  {cost:>8.3} ms   {}, {} bytes", kind.name(), peer.bytes);
        let line = json!({ "bench": "parts", "side": kind.name(), "bytes": peer.bytes, "cpu_ms": { "page": cost } });
        println!("{line}");
    }
    Ok(())
}

/// Measures one side; returns the size of its page.
async fn of(side: &str, house: &TestServer, lasts: Duration) -> anyhow::Result<usize> {
    let page = visitor::guest(&house.address).await?;
    let token = house.token("--guest", "beth.gibbs@email.com").await?;
    let probe = |head: String, body: &str, status, sign| Visitor {
        name: "",
        head,
        body: body.to_owned(),
        status,
        sign,
        bytes: 0,
    };
    let call = |tool: &str, token: &str, body: &str, status, sign| {
        let head = format!(
            "POST /api/guest/{tool} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n",
            house.address,
            body.len()
        );
        probe(head, body, status, sign)
    };
    let cost =
        async |visitor: &Visitor| cost(&house.address, visitor, lasts, || house.used()[0]).await;
    let elsewhere = |method: &str, path: &str| {
        let line_end = page.head.find("\r\n").unwrap_or_default();
        format!("{method} {path} HTTP/1.1{}", &page.head[line_end..])
    };

    let http = cost(&probe(
        elsewhere("GET", "/api/guest/get_folio"),
        "",
        405,
        "",
    ))
    .await?;
    let events = elsewhere("GET", "/guest/execution/none/events");
    let session = cost(&probe(events, "", 404, "")).await? - http;
    let unknown = cost(&call("get_folio", "nobody's", "{", 401, "")).await?;
    let refused = cost(&call("get_folio", &token, "{", 400, "")).await?;
    let record = refused - unknown;
    let (tool, input, sign) = STAYS;
    let data = cost(&call(tool, &token, input, 200, sign)).await? - refused;
    let whole = cost(&page).await?;
    let mut packed = page.clone();
    packed.head.push_str("Accept-Encoding: gzip\r\n");
    packed.sign = "";
    let compression = cost(&packed).await? - whole;
    let render = whole - http - session - record - data;
    println!("Guest home in parts, {side}, {} bytes", page.bytes);
    for (name, cost) in [
        ("http", http),
        ("session", session),
        ("record", record),
        ("data: the stays", data),
        ("render", render),
        ("the page", whole),
        ("compression, besides", compression),
    ] {
        println!("  {cost:>8.3} ms   {name}");
    }
    let line = json!({ "bench": "parts", "side": side, "bytes": page.bytes, "cpu_ms": { "http": http, "session": session,
        "record": record, "data": data, "render": render, "page": whole, "compression": compression } });
    println!("{line}");
    Ok(page.bytes)
}

/// Processor time of one request in milliseconds, with many connections.
async fn cost(
    address: &str,
    visitor: &Visitor,
    lasts: Duration,
    used: impl Fn() -> f64,
) -> anyhow::Result<f64> {
    load(address, visitor, BUSY_CONNECTIONS, WARM_UP).await?;
    let before = used();
    let round = load(address, visitor, BUSY_CONNECTIONS, lasts).await?;
    Ok((used() - before) * 1000.0 / round.micros.len().max(1) as f64)
}
