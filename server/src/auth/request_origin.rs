//! Origin of a request.

use std::net::IpAddr;

use dewy_languages::Language;

use crate::{auth::browser_cookie::Browser, tool_calls::rate_limit_mark::RateLimitMark};

#[derive(Clone, Debug)]
pub struct RequestOrigin {
    pub ip: IpAddr,
    /// Browser, as its cookie tells.
    pub browser: Browser,
    pub browser_name: String,
    /// Language that was chosen, or that the browser prefers, if there is a file for it.
    pub language: Option<Language>,
    /// Whether the request comes from the wall screen.
    pub wall: bool,
    /// Whether the browser loads the page speculatively (prefetch or prerender).
    pub speculative: bool,
    /// Records that the request was rate limited.
    pub rate_limit_mark: RateLimitMark,
}
