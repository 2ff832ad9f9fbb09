//! Requests that have arrived but are not processed yet.

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Work that happens at `due`, whether or not the caller is still connected.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pending {
    pub seq: u64,
    pub due: Timestamp,
    /// Delayed in transit: it holds no idempotency key and no object until it arrives.
    pub late: bool,
    pub garbled: bool,
    /// URL for browsers, as the caller knew it.
    pub base: String,
    pub work: Work,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Work {
    /// Process the request.
    Handle(#[serde(with = "RequestDef")] HttpRequest),
    /// Send a known response.
    Answer(#[serde(with = "ResponseDef")] HttpResponse),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "HttpRequest")]
struct RequestDef {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "HttpResponse")]
struct ResponseDef {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}
