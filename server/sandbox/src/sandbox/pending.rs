//! Requests that have arrived and not yet been handled.

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What happens at `due`, whether or not the caller is still there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pending {
    pub seq: u64,
    pub due: Timestamp,
    /// Stuck on its way: it holds no idempotency key and no object until it arrives.
    pub late: bool,
    pub garbled: bool,
    /// Where a browser finds us, as the caller knew it.
    pub base: String,
    pub work: Work,
}

/// What is to be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Work {
    /// Let the system answer.
    Handle(#[serde(with = "RequestDef")] HttpRequest),
    /// The answer is known already.
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
